import * as z from 'zod';
import { id } from '../../schema/common.ts';

export const SearchHit = z
  .object({
    documentId: id('knowledgeDocument'),
    title: z.string().meta({ description: 'Of the document.', example: 'Returns' }),
    heading: z.string().meta({
      description: 'The headings that the piece stands below, joined by ` › `.',
      example: 'Shop › Returns',
    }),
    snippet: z.string().meta({
      description: 'About 240 characters around what was found.',
      example: 'You can send it back within 30 days.',
    }),
    score: z
      .number()
      .meta({ description: 'How well it matches; comparable within one answer.', example: 12.4 }),
  })
  .meta({ id: 'SearchHit', description: 'A piece of a document that answers the query.' });

export const SearchResult = z
  .object({
    items: z.array(SearchHit),
    indexVersion: z.string().meta({ description: 'The version of the index that was searched.' }),
  })
  .meta({ id: 'SearchResult', description: 'What was found, best first.' });
