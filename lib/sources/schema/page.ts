import * as z from 'zod';
import { id, shownTime } from '../../schema/common.ts';
import { failure } from '../../schema/failure.ts';
import { sourceUrl } from './source.ts';

export const pageStatus = z
  .enum(['pending', 'stored', 'duplicate', 'moved', 'gone', 'failed', 'excluded'])
  .meta({
    id: 'SourcePageStatus',
    isOpen: true,
    description: 'What the last refresh has found.',
    example: 'stored',
  });

export const SourcePage = z
  .object({
    id: z.string().meta({
      description: 'The SHA-256 of `url` in hexadecimal: the `externalId` of its document.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    url: sourceUrl.meta({ description: 'The address of the page, in one spelling.' }),
    status: pageStatus.meta({
      description:
        'What the last refresh has found: its content is a document (`stored`), another page has the same content ' +
        '(`duplicate`), it redirects (`moved`), it does not exist any more (`gone`), it could not be read (`failed`), or its ' +
        'document was expunged (`excluded`). `pending` if it was found, and not requested yet.',
    }),
    documentId: id('knowledgeDocument')
      .nullable()
      .meta({
        description:
          'The document with its content. Null if there is none. After a refresh with `unconfirmed` documents, it may be the ' +
          'document with an earlier content.',
      }),
    movedTo: z.string().nullable().meta({
      description: 'Where it redirects to. Null unless `status` is `moved`.',
      example: null,
    }),
    error: failure
      .nullable()
      .meta({ description: 'Why it could not be read. Null unless `status` is `failed`.' }),
    requestedAt: shownTime().nullable().meta({ description: 'When it was last requested. Null before.' }),
    changedAt: shownTime().nullable().meta({ description: 'When its content was last found changed.' }),
  })
  .meta({ id: 'SourcePage', description: 'A page of a source.' });

export type SourcePage = z.infer<typeof SourcePage>;
