import * as z from 'zod';
import { id, shownTime } from './common.ts';

export const jobTypes = ['knowledge.reindex'] as const;
export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const count = (description: string) => z.int().meta({ description, example: 40 });

export const Job = z
  .object({
    id: id('job'),
    type: z.enum(jobTypes).meta({ example: 'knowledge.reindex' }),
    status: z.enum(jobStatuses).meta({ example: 'running' }),
    progress: z.object({
      total: count('How many documents there are to do; 0 until that is known.').meta({ example: 120 }),
      done: count('How many are done, those that failed among them.'),
      failed: count('How many failed.').meta({ example: 1 }),
    }),
    failures: z
      .array(z.object({ documentId: id('knowledgeDocument'), code: z.string(), message: z.string() }))
      .meta({ description: 'The documents that failed, and why; the first 100 of them.' }),
    result: z
      .object({
        indexVersion: z.string().meta({ description: 'The version that is published now.' }),
        changed: z.boolean().meta({ description: 'False where that version was published already.' }),
        documents: count('How many documents it holds.'),
        chunks: count('In how many pieces.'),
      })
      .nullable()
      .meta({ description: 'What came of it, once `status` is `succeeded`.' }),
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
