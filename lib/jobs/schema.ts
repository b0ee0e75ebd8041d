import * as z from 'zod';
import { environmentName } from '../deployments/environment-name.ts';
import { id, shownCount, shownCredential, shownTime } from '../schema/common.ts';

export const jobTypes = [
  'knowledge.reindex',
  'knowledge.expunge',
  'conversations.erase',
  'conversations.reindex',
  'conversations.export',
  'conversations.import',
  'knowledge.export',
  'audit.export',
] as const;
export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const count = (description: string) => z.int().meta({ description, example: 40 });

const ReindexResult = z
  .object({
    indexVersion: z.string().meta({ description: 'The published version.' }),
    changed: z.boolean().meta({ description: 'False if this version was already published.' }),
    documents: count('The number of documents in it.'),
    chunks: count('The number of pieces in it.'),
  })
  .meta({ id: 'ReindexResult', description: 'The result of `knowledge.reindex`.' });

export type ReindexResult = z.infer<typeof ReindexResult>;

/** A job is one item, whose size is limited. */
export const maxShownEnvironments = 1000;

const ExpungeResult = z
  .object({
    expunged: count('The number of expunged documents: all that were requested before the job started.'),
    replacedVersions: count('The number of index versions that were replaced.'),
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
    erased: count('The number of erased conversations.'),
    purged: count('The number of erased conversations whose data is removed. Equals `erased`.'),
    externalUserIdSha256: z.string().meta({
      description:
        "A proof of whose conversations they were: the SHA-256, in hex, of the job's id, a colon and the " +
        '`externalUserId`. Only someone who knows the identifier can check it.',
    }),
  })
  .meta({ id: 'EraseResult', description: 'The result of `conversations.erase`.' });

export type EraseResult = z.infer<typeof EraseResult>;

const ConversationsReindexResult = z
  .object({ conversations: count('The number of conversations that were indexed and counted.') })
  .meta({ id: 'ConversationsReindexResult', description: 'The result of `conversations.reindex`.' });

const ExportResult = z
  .object({
    records: count('The number of exported conversations, documents or events.'),
    parts: count('The number of files.').meta({ example: 1 }),
    bytes: count('The size of the files, compressed.').meta({ example: 48_213 }),
  })
  .meta({ id: 'ExportResult', description: 'The result of an export.' });

export type ExportResult = z.infer<typeof ExportResult>;

const ImportResult = z
  .object({
    created: count('The number of conversations that were stored.'),
    unchanged: count('The number of conversations that were stored before, with the same content.').meta({
      example: 2,
    }),
    failed: count('The number of lines of which nothing was stored.').meta({ example: 1 }),
    errors: z
      .array(
        z
          .object({
            line: shownCount().meta({ description: 'The number of the line, from 1.', example: 17 }),
            code: z.string().meta({ example: 'conversation_mismatch' }),
            message: z.string().meta({ example: 'It is stored with other messages.' }),
          })
          .meta({ id: 'ImportError', description: 'A line that was not imported.' }),
      )
      .meta({ description: 'Why lines failed. The first 100 are listed.' }),
  })
  .meta({ id: 'ImportResult', description: 'The result of `conversations.import`.' });

export type ImportResult = z.infer<typeof ImportResult>;

/** The result of each type of job. Each one can be recognised by fields that no other one has. */
const results = {
  'knowledge.reindex': ReindexResult,
  'knowledge.expunge': ExpungeResult,
  'conversations.erase': EraseResult,
  'conversations.reindex': ConversationsReindexResult,
  'conversations.export': ExportResult,
  'conversations.import': ImportResult,
  'knowledge.export': ExportResult,
  'audit.export': ExportResult,
} satisfies Record<(typeof jobTypes)[number], z.ZodObject>;

export const Job = z
  .object({
    id: id('job'),
    type: z.enum(jobTypes).meta({ example: 'knowledge.reindex' }),
    status: z.enum(jobStatuses).meta({ example: 'running' }),
    progress: z.object({
      total: count(
        'The amount of work: documents, index versions (`knowledge.expunge`), conversations ' +
          '(`conversations.erase`, `conversations.reindex`) or lines (`conversations.import`). 0 until known, ' +
          'which is at the end of an export.',
      ).meta({ example: 120 }),
      done: count('The amount done, including failures.'),
      failed: count('The number of failures.').meta({ example: 1 }),
    }),
    failures: z
      .array(z.object({ documentId: id('knowledgeDocument'), code: z.string(), message: z.string() }))
      .meta({ description: 'The documents that failed, and why. At most 100 are listed.' }),
    warnings: z
      .array(z.object({ documentId: id('knowledgeDocument'), code: z.string(), message: z.string() }))
      .default([])
      .meta({
        description: 'The documents that were indexed without some of their text. At most 100 are listed.',
      }),
    result: z
      .union([...new Set(Object.values(results))])
      .nullable()
      .meta({ description: 'The result, if `status` is `succeeded`. Its fields depend on `type`.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it failed, if `status` is `failed`.' }),
    createdAt: shownTime(),
    createdBy: shownCredential('The credential that requested it.'),
    startedAt: shownTime().nullable(),
    finishedAt: shownTime().nullable(),
    deadlineAt: shownTime().meta({ description: 'A job that has not ended by this time fails.' }),
  })
  .meta({ id: 'Job', description: 'Background work, such as re-indexing.' });

export type Job = z.infer<typeof Job>;
