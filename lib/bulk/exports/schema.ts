import * as z from 'zod';
import { sentFilters } from '../../conversations/schema/filters.ts';
import { documentStatus, source } from '../../documents/schema/document.ts';
import { tag } from '../../documents/schema/tag.ts';
import { jobStatus } from '../../jobs/schema.ts';
import { id, sentTime, shownCount, shownTime } from '../../schema/common.ts';
import { failure } from '../../schema/failure.ts';
import { text } from '../../schema/text.ts';
import { exportContents, removalReasons } from './files/store.ts';

const from = (what: string) =>
  sentTime()
    .optional()
    .meta({ description: `Only ${what} at this time or later.` });
const before = (what: string) =>
  sentTime()
    .optional()
    .meta({ description: `Only ${what} before this time.` });
const auditText = (what: string, example: string) =>
  text(300)
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: `Only ${what}.`, example });

const conversationExportFilters = z
  .strictObject(sentFilters)
  .meta({ id: 'ConversationExportFilters', description: 'Which conversations to export.' });

const documentExportFilters = z
  .strictObject({
    status: documentStatus.optional().meta({ description: 'Only documents with this status.' }),
    tag: tag.optional().meta({ description: 'Only documents with this tag.' }),
    source: source.optional().meta({ description: 'Only documents with exactly this source.' }),
    updatedFrom: from('documents changed'),
  })
  .meta({ id: 'DocumentExportFilters', description: 'Which documents to export.' });

const auditExportFilters = z
  .strictObject({
    actor: auditText('events of this actor', 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'),
    action: auditText('events of this action', 'projects.update'),
    resourceId: auditText('events of this resource', 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'),
    from: from('events'),
    to: before('events'),
  })
  .meta({ id: 'AuditExportFilters', description: 'Which audit events to export.' });

const format = z
  .literal('jsonl')
  .default('jsonl')
  .meta({ description: 'JSON lines, compressed with gzip. There is no other format yet.' });

const requestOf = <const What extends string, Filters extends z.ZodType>(
  what: What,
  id: string,
  filters: Filters,
) =>
  z
    .strictObject({
      what: z.literal(what).meta({ description: 'The content to export.' }),
      filters: filters.meta({ description: 'As in the list. Default: everything.' }),
      format,
    })
    .meta({ id, description: `A request to export \`${what}\`.` });

export const ExportRequest = z
  .discriminatedUnion(
    'what',
    [
      requestOf('conversations', 'ConversationExportRequest', conversationExportFilters.default({})),
      requestOf('documents', 'DocumentExportRequest', documentExportFilters.default({})),
      requestOf('audit', 'AuditExportRequest', auditExportFilters.default({})),
    ],
    {
      error: ({ code }) =>
        code === 'invalid_union' ? `must be one of ${exportContents.join(', ')}` : undefined,
    },
  )
  .meta({ id: 'ExportRequest', description: 'The content to export, with its filters.' });

export type ExportRequest = z.infer<typeof ExportRequest>;

export const Export = z
  .object({
    id: id('job').meta({ description: 'The id of the export. It is also the id of its job.' }),
    what: z
      .enum(exportContents)
      .meta({ id: 'ExportContent', description: 'The content of the export.', example: 'conversations' }),
    format: z.literal('jsonl').meta({ description: 'JSON lines.' }),
    status: jobStatus.meta({ description: 'The status of its job.', example: 'succeeded' }),
    counts: z
      .object({
        records: shownCount().meta({
          description:
            'The number of conversations, documents or events in its parts, also in those that were removed.',
          example: 120,
        }),
        parts: shownCount().meta({ description: 'The number of complete files.', example: 1 }),
        bytes: shownCount().meta({ description: 'The size of the compressed files.', example: 48_213 }),
      })
      .meta({ id: 'ExportCounts', description: 'The number of exported items so far.' }),
    parts: z
      .array(
        z
          .object({
            number: shownCount().meta({
              description: 'The number of the part: 1, 2, 3, without gaps.',
              example: 1,
            }),
            status: z.enum(['ready', 'removed', 'expired']).meta({
              description:
                'Whether the file can be downloaded. `removed`: it was deleted before its time, see `removedBecause`.',
              example: 'ready',
            }),
            removedBecause: z
              .enum(removalReasons)
              .nullable()
              .meta({
                description:
                  'Why the file is gone: data in it was erased or deleted, or the project keeps conversations for a shorter ' +
                  'time. Export again to get the remaining data. Null unless `status` is `removed`.',
                example: null,
              }),
            url: z
              .string()
              .nullable()
              .meta({
                description:
                  'Where to download the file, without a credential. Null unless `status` is `ready`. Each request ' +
                  'for the export returns new links.',
                example: null,
              }),
            linkExpiresAt: shownTime()
              .nullable()
              .meta({ description: 'Until when `url` works: 15 minutes. Null without a `url`.' }),
            records: shownCount().meta({
              description: 'The number of conversations, documents or events that begin in this part.',
              example: 120,
            }),
            bytes: shownCount().meta({ description: 'The size of the compressed file.', example: 48_213 }),
            expiresAt: shownTime().meta({ description: 'When the file is deleted: within a day.' }),
          })
          .meta({ id: 'ExportPart', description: 'A file of an export.' }),
      )
      .meta({
        description:
          'The complete files, in order, also while the job runs. Each is JSON lines, compressed with gzip; together ' +
          'they have each record once.',
      }),
    error: failure.nullable().meta({ description: 'Why it failed. Null unless `status` is `failed`.' }),
    createdAt: shownTime().meta({ description: 'When the export was requested.' }),
    expiresAt: shownTime()
      .nullable()
      .meta({ description: 'The time at which the first file is deleted. Null while there is no file.' }),
  })
  .meta({ id: 'Export', description: 'An export with links to its files.' });

export type Export = z.infer<typeof Export>;
