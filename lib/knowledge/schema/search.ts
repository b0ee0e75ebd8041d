import * as z from 'zod';
import { id } from '../../schema/common.ts';

export const SearchHit = z
  .object({
    documentId: id('knowledgeDocument').meta({ description: 'The id of the document that has the piece.' }),
    title: z.string().meta({ description: 'The title of the document.', example: 'Returns' }),
    heading: z.string().meta({
      description: 'The headings above the piece, joined by ` › `.',
      example: 'Shop › Returns',
    }),
    snippet: z.string().meta({
      description: 'About 240 characters around the match.',
      example: 'You can send it back within 30 days.',
    }),
    score: z.number().meta({
      description: 'How well the piece matches. Scores are comparable only within one response.',
      example: 12.4,
    }),
  })
  .meta({ id: 'SearchHit', description: 'A piece of a document that matches the query.' });

export const SearchResult = z
  .object({
    items: z.array(SearchHit).meta({ description: 'The matches, best first.' }),
    indexVersion: z.string().meta({ description: 'The index version that was searched.' }),
  })
  .meta({ id: 'SearchResult', description: 'The matches, best first.' });
