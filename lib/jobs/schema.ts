import * as z from 'zod';
import { id, shownCount, shownCredential, shownTime } from '../schema/common.ts';
import { environmentName } from '../schema/environment-name.ts';
import { failure } from '../schema/failure.ts';
import { EvaluateResult } from './evaluation.ts';
import { RefreshResult, RemoveSourceResult } from './refresh.ts';
import { type JobType, jobTypeNames } from './types.ts';

export const jobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({
  id: 'JobStatus',
  description: 'The state of a job. `succeeded`, `failed` and `cancelled` are final.',
  example: 'running',
});

const count = z.int().meta({ example: 40 });

const ReindexResult = z
  .object({
    indexVersion: z.string().meta({ description: 'The published version.' }),
    changed: z.boolean().meta({ description: 'False if this version was already published.' }),
    documents: count.meta({ description: 'The number of documents in it.' }),
    chunks: count.meta({ description: 'The number of pieces in it.' }),
    mode: z
      .enum(['hybrid', 'lexical'])
      .optional()
      .meta({
        isOpen: true,
        description:
          'How it can be searched. `lexical` if it has no meanings, because the model does not run on the machine that ' +
          'built it. The next re-index on another machine adds them. Omitted in jobs before the upgrade.',
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

/** The result of each type of job. Each result can be recognised by fields that no later result has. */
const results = {
  // It has the field of a re-index, too.
  'conversations.evaluate': EvaluateResult,
  'knowledge.reindex': ReindexResult,
  'knowledge.refresh': RefreshResult,
  'knowledge.remove-source': RemoveSourceResult,
  'knowledge.expunge': ExpungeResult,
  'conversations.erase': EraseResult,
  'conversations.reindex': ConversationsReindexResult,
  'conversations.export': ExportResult,
  'conversations.import': ImportResult,
  'knowledge.export': ExportResult,
  'audit.export': ExportResult,
} satisfies Record<JobType, z.ZodObject>;

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
              'For `knowledge.reindex`: the new pieces of documents whose meaning is computed after all documents are ' +
              'read. Omitted before, and if there are few.',
          }),
      })
      .meta({ id: 'JobProgress', description: 'How much of the work is done.' }),
    failures: z
      .array(documentProblem)
      .meta({ description: 'The documents that failed, and why. At most 100 are listed.' }),
    warnings: z.array(documentProblem).default([]).meta({
      description: 'The documents that were indexed without some of their text. At most 100 are listed.',
    }),
    result: z
      .union([...new Set(Object.values(results))])
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
    deadlineAt: shownTime().meta({
      description:
        'A job that has not ended by this time fails. It is later by the time of a suspension of the organisation.',
    }),
  })
  .meta({ id: 'Job', description: 'Background work, such as re-indexing.' });

export type Job = z.infer<typeof Job>;
