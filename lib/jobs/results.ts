/** The results of jobs. The declaration of a type names its result (types.ts). */

import * as z from 'zod';
import { shownCount } from '../schema/common.ts';
import { environmentName } from '../schema/names.ts';
import { EvaluateResult } from './evaluation.ts';
import { RefreshResult, RemoveSourceResult } from './refresh.ts';

const count = z.int().meta({ example: 40 });

const ReindexResult = z
  .object({
    indexVersion: z.string().meta({ description: 'The published version.' }),
    changed: z.boolean().meta({ description: 'False if this version was already published.' }),
    documents: count.meta({ description: 'The number of documents in it.' }),
    chunks: count.meta({ description: 'The number of pieces in it.' }),
    mode: z.enum(['hybrid', 'lexical']).meta({
      isOpen: true,
      description:
        'How it can be searched. `lexical` if it has no meanings, because the model does not run on the machine that ' +
        'built it. The next re-index on another machine adds them.',
      example: 'hybrid',
    }),
  })
  .meta({ id: 'ReindexResult', description: 'The result of `knowledge.reindex`.' });

export type ReindexResult = z.infer<typeof ReindexResult>;

/** A job is one item, whose size is limited. */
export const maxShownEnvironments = 1000;

const ExpungeResult = z
  .object({
    expunged: count.meta({
      description: 'The number of expunged documents: all that were requested before the job started.',
    }),
    replacedVersions: count.meta({ description: 'The number of index versions that were replaced.' }),
    environments: z.array(environmentName).meta({
      description:
        'The changed environments: they serve a new `knowledgeIndexVersion` and have a new `configHash`. At ' +
        `most ${maxShownEnvironments} are listed.`,
    }),
  })
  .meta({ id: 'ExpungeResult', description: 'The result of `knowledge.expunge`.' });

export type ExpungeResult = z.infer<typeof ExpungeResult>;

const EraseResult = z
  .object({
    erased: count.meta({ description: 'The number of erased conversations.' }),
    purged: count.meta({
      description: 'The number of erased conversations whose data is removed. Equals `erased`.',
    }),
    externalUserIdSha256: z.string().meta({
      description:
        "A proof of whose conversations they were: the SHA-256, in hex, of the job's id, a colon and the " +
        '`externalUserId`. Only someone who knows the identifier can check it.',
    }),
  })
  .meta({ id: 'EraseResult', description: 'The result of `conversations.erase`.' });

export type EraseResult = z.infer<typeof EraseResult>;

const ConversationsReindexResult = z
  .object({
    conversations: count.meta({ description: 'The number of conversations that were indexed and counted.' }),
  })
  .meta({ id: 'ConversationsReindexResult', description: 'The result of `conversations.reindex`.' });

const ExportResult = z
  .object({
    records: count.meta({ description: 'The number of exported conversations, documents or events.' }),
    parts: count.meta({ description: 'The number of files.', example: 1 }),
    bytes: count.meta({ description: 'The size of the files, compressed.', example: 48_213 }),
  })
  .meta({ id: 'ExportResult', description: 'The result of an export.' });

export type ExportResult = z.infer<typeof ExportResult>;

const ImportResult = z
  .object({
    created: count.meta({ description: 'The number of conversations that were stored.' }),
    unchanged: count.meta({
      description: 'The number of conversations that were stored before, with the same content.',
      example: 2,
    }),
    failed: count.meta({ description: 'The number of lines of which nothing was stored.', example: 1 }),
    errors: z
      .array(
        z
          .object({
            line: shownCount().meta({ description: 'The number of the line, from 1.', example: 17 }),
            code: z
              .string()
              .meta({ description: 'Why it was not, for programs.', example: 'conversation_mismatch' }),
            message: z.string().meta({
              description: 'Why it was not, for people.',
              example: 'It is stored with other messages.',
            }),
          })
          .meta({ id: 'ImportError', description: 'A line that was not imported.' }),
      )
      .meta({ description: 'Why lines failed. The first 100 are listed.' }),
  })
  .meta({ id: 'ImportResult', description: 'The result of `conversations.import`.' });

export type ImportResult = z.infer<typeof ImportResult>;

/** Each result can be recognised by fields that no later result has. */
export const results = {
  // It also has the field of a ConversationsReindexResult.
  EvaluateResult,
  ReindexResult,
  RefreshResult,
  RemoveSourceResult,
  ExpungeResult,
  EraseResult,
  ConversationsReindexResult,
  ExportResult,
  ImportResult,
};
