import * as z from 'zod';
import { id } from '../../schema/common.ts';
import { TextSpan } from '../../schema/text-span.ts';

export const searchMode = z.enum(['hybrid', 'lexical']);

/** So many words show why a piece matched. */
export const maxMatchedWords = 10;

const score = () => z.number().nullable();

const SearchScores = z
  .object({
    lexical: score().meta({ description: 'The score by words. Null if no word matches.', example: 12.4 }),
    semantic: score().meta({
      description: 'The score by meaning. Null if the meanings were not compared.',
      example: 0.61,
    }),
  })
  .meta({ id: 'SearchScores', description: 'How well a piece matches by its words, and by its meaning.' });

export const SearchHit = z
  .object({
    pieceId: z.string().meta({
      description:
        'The id of the piece in this index version. In another version, it may name another piece, or none.',
      example: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E.12',
    }),
    documentId: id('knowledgeDocument').meta({ description: 'The id of the document that has the piece.' }),
    title: z.string().meta({ description: 'The title of the document.', example: 'Returns' }),
    heading: z.string().meta({
      description: 'The headings above the piece, joined by ` › `.',
      example: 'Shop › Returns',
    }),
    page: z.int().nullable().meta({
      description:
        'The page on which the match is, from 1. Null if the document has no pages. A form feed ends a page.',
      example: 12,
    }),
    url: z
      .string()
      .nullable()
      .meta({
        description:
          'The address of the page that the document comes from. Null for a document that no source has read, and in an ' +
          'index version that was built before versions had addresses.',
        example: 'https://docs.acme.example/returns',
      }),
    text: z.string().optional().meta({
      description:
        'The whole piece, and with `context` its neighbours, in the order of the document. Left out with `fields=snippet`.',
      example: '# Returns\n\nYou can send it back within 30 days.',
    }),
    snippet: z.string().meta({
      description: 'About 240 characters of the piece, around the rarest matching words.',
      example: 'You can send it back within 30 days.',
    }),
    matches: z.array(TextSpan).meta({
      description:
        'The matching words in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. Empty if ' +
        'it matches by meaning only.',
    }),
    score: z.number().meta({
      description: 'How well the piece matches. Scores are comparable only within one response.',
      example: 12.4,
    }),
    scores: SearchScores,
    matchedWords: z.array(z.string()).meta({
      description: `The words of the piece that match a word of the query, as it writes them. At most ${maxMatchedWords}.`,
      example: ['send', 'back'],
    }),
  })
  .meta({ id: 'SearchHit', description: 'A piece of a document that matches the query.' });

export const SearchResult = z
  .object({
    items: z.array(SearchHit).meta({ description: 'The matches, best first.' }),
    mode: searchMode.meta({
      isOpen: true,
      description:
        'How the index was searched. `lexical` if the request asks for it, if the version has no meanings, if the ' +
        'model does not speak the language of the query, or if a function that has just started is still loading the model.',
    }),
    indexVersion: z.string().meta({ description: 'The index version that was searched.' }),
  })
  .meta({ id: 'SearchResult', description: 'The matches, best first.' });
