import * as z from 'zod';
import { environmentName } from '../deployments/environment-name.ts';
import { id, shownTime } from '../schema/common.ts';

export const jobTypes = ['knowledge.reindex', 'knowledge.expunge', 'conversations.erase'] as const;
export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const count = (description: string) => z.int().meta({ description, example: 40 });

const ReindexResult = z
  .object({
    indexVersion: z.string().meta({ description: 'The version that is published now.' }),
    changed: z.boolean().meta({ description: 'False if that version was published already.' }),
    documents: count('How many documents it holds.'),
    chunks: count('How many pieces they were cut into.'),
  })
  .meta({ id: 'ReindexResult', description: 'The result of `knowledge.reindex`.' });

export type ReindexResult = z.infer<typeof ReindexResult>;

/** Result lists stop there: a job is one item, and an item has a limit. */
export const maxShownEnvironments = 1000;

const ExpungeResult = z
  .object({
    expunged: count('How many documents are expunged: all that were asked for before the job started.'),
    replacedVersions: count('How many index versions were replaced by versions without the documents.'),
    environments: z.array(environmentName).meta({
      description:
        'The environments that were changed: they serve a new `knowledgeIndexVersion`, with a new `configHash`. ' +
        `The first ${maxShownEnvironments} of them.`,
    }),
  })
  .meta({ id: 'ExpungeResult', description: 'The result of `knowledge.expunge`.' });

export type ExpungeResult = z.infer<typeof ExpungeResult>;

const EraseResult = z
  .object({
    erased: count('How many conversations were erased.'),
    purged: count('How many of them nothing is stored of any more: all of them.'),
    externalUserIdSha256: z.string().meta({
      description:
        "Whose they were: the SHA-256, in hex, of the job's id, a colon and the `externalUserId`. Who knows the user can " +
        'check it; nobody can look it up.',
    }),
  })
  .meta({ id: 'EraseResult', description: 'The result of `conversations.erase`.' });

export type EraseResult = z.infer<typeof EraseResult>;

/** The result of each type of job. Each has fields that no other one has, which tells them apart. */
const results = {
  'knowledge.reindex': ReindexResult,
  'knowledge.expunge': ExpungeResult,
  'conversations.erase': EraseResult,
} satisfies Record<(typeof jobTypes)[number], z.ZodObject>;

export const Job = z
  .object({
    id: id('job'),
    type: z.enum(jobTypes).meta({ example: 'knowledge.reindex' }),
    status: z.enum(jobStatuses).meta({ example: 'running' }),
    progress: z.object({
      total: count(
        'How much there is to do: documents, for `knowledge.expunge` index versions, for `conversations.erase` ' +
          'conversations; 0 until known.',
      ).meta({ example: 120 }),
      done: count('How many are done, those that failed among them.'),
      failed: count('How many failed.').meta({ example: 1 }),
    }),
    failures: z
      .array(z.object({ documentId: id('knowledgeDocument'), code: z.string(), message: z.string() }))
      .meta({ description: 'The documents that failed, and why; the first 100 of them.' }),
    warnings: z
      .array(z.object({ documentId: id('knowledgeDocument'), code: z.string(), message: z.string() }))
      .default([])
      .meta({ description: 'Documents that were indexed with a part left out; the first 100 of them.' }),
    result: z
      .union(Object.values(results))
      .nullable()
      .meta({ description: 'The result, once `status` is `succeeded`. Its fields follow from `type`.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it failed, where `status` is `failed`.' }),
    createdAt: shownTime(),
    createdBy: z.string().meta({
      description: 'Who asked for it.',
      example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    }),
    startedAt: shownTime().nullable(),
    finishedAt: shownTime().nullable(),
    deadlineAt: shownTime().meta({ description: 'A job that has not ended by then has failed.' }),
  })
  .meta({ id: 'Job', description: 'Work that goes on behind the answer.' });

export type Job = z.infer<typeof Job>;
