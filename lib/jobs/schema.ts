import * as z from 'zod';
import { id, shownCredential, shownTime } from '../schema/common.ts';
import { failure } from '../schema/failure.ts';
import { environmentName } from '../schema/names.ts';
import { results } from './results.ts';
import { jobTypeNames } from './types.ts';

export const jobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({
  id: 'JobStatus',
  description: 'The state of a job. `succeeded`, `failed` and `cancelled` are final.',
  example: 'running',
});

const count = z.int().meta({ example: 40 });

const documentProblem = z
  .object({
    documentId: id('knowledgeDocument'),
    code: z
      .string()
      .meta({ description: 'The problem, as a code for programs.', example: 'content_too_large' }),
    message: z.string().meta({ description: 'The problem, as a text for people.' }),
  })
  .meta({
    id: 'DocumentProblem',
    description: 'A document that was not indexed completely, and why.',
  });

export const Job = z
  .object({
    id: id('job'),
    type: z
      .enum(jobTypeNames)
      .meta({ isOpen: true, description: 'The type of the job.', example: 'knowledge.reindex' }),
    status: jobStatus,
    progress: z
      .object({
        total: count.meta({
          description:
            'The amount of work: documents, index versions (`knowledge.expunge`), conversations ' +
            '(`conversations.erase`, `conversations.evaluate`, `conversations.reindex`), pages (`knowledge.refresh`) or lines ' +
            '(`conversations.import`). 0 until known, ' +
            'which is at the end of an export and of an evaluation.',
          example: 120,
        }),
        done: count.meta({ description: 'The amount done, including failures.' }),
        failed: count.meta({ description: 'The number of failures.', example: 1 }),
        pieces: z
          .object({
            total: count.meta({ description: 'The number of these pieces.', example: 3400 }),
            done: count.meta({
              description: 'The number of those whose meaning is computed.',
              example: 1200,
            }),
          })
          .optional()
          .meta({
            id: 'PieceProgress',
            description:
              'The new pieces of documents whose meaning `knowledge.reindex` computes after all documents are read. Omitted ' +
              'before, and if there are few.',
          }),
      })
      .meta({ id: 'JobProgress', description: 'How much of the work is done.' }),
    failures: z
      .array(documentProblem)
      .meta({ description: 'The documents that failed, and why. At most 100 are listed.' }),
    warnings: z
      .array(documentProblem)
      .default([])
      .meta({
        description:
          'The documents by which a search cannot filter as the `searchFields` say, and why. At most 100 are listed. What was left out ' +
          'of a text is in the `extractionNotes` of its document.',
      }),
    result: z
      .union(Object.values(results))
      .nullable()
      .meta({ description: 'The result. Null unless `status` is `succeeded`. Its fields depend on `type`.' }),
    error: failure.nullable().meta({
      description:
        'Why it failed. Null unless `status` is `failed`. `deadline_exceeded`: it has not ended by `deadlineAt`. ' +
        '`credential_revoked`: it ends with the credential that requested it, and the credential was revoked with its ' +
        'children. `worker_failed`: it has not ended after ten attempts. Further codes depend on `type`.',
    }),
    createdAt: shownTime().meta({ description: 'When the job was requested.' }),
    createdBy: shownCredential().meta({ description: 'The credential that requested it.' }),
    startedAt: shownTime().nullable().meta({ description: 'When it started. Null before.' }),
    finishedAt: shownTime().nullable().meta({ description: 'When it ended. Null before.' }),
    environments: z
      .array(environmentName)
      .optional()
      .meta({
        description:
          'The environments of the credential that requested an export, an import or an evaluation of conversations. The job leaves ' +
          'out, or refuses, conversations of other environments. Omitted if the credential was bound to none.',
      }),
    deadlineAt: shownTime().meta({
      description:
        'A job that has not ended by this time fails. It is later by the time of a suspension of the organisation.',
    }),
  })
  .meta({ id: 'Job', description: 'Background work, such as re-indexing.' });

export type Job = z.infer<typeof Job>;
