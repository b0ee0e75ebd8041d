import { exportParts } from '../../lib/exports/parts/store.ts';
import { exportPlaces, exportRequests } from '../../lib/exports/store.ts';
import { importRequests } from '../../lib/imports/store.ts';
import { uploadPlaces, uploads } from '../../lib/imports/uploads/store.ts';
import { erasureSubjects, jobs, latestJobs } from '../../lib/jobs/store.ts';
import { exampleTime, indexVersion, kind, ulid } from './kind.ts';

const id = `job_${ulid}`;
const finding = { documentId: `kdoc_${ulid}`, code: 'no_text', message: 'The document contains no text.' };

export const jobKinds = [
  kind(jobs, {
    parents: [],
    through: 'worker:knowledge-indexer',
    removed: '30 days after it was queued',
    optional: ['erasing', 'tally', 'position', 'exportedBytes', 'imported'],
    item: {
      id,
      type: 'knowledge.expunge',
      status: 'running',
      progress: { total: 3, done: 1, failed: 0 },
      failures: [finding],
      warnings: [{ ...finding, code: 'text_left_out', message: 'Not indexed: the text in 1 <nav>.' }],
      result: null,
      error: null,
      createdAt: exampleTime,
      createdBy: `key_${ulid}`,
      startedAt: exampleTime,
      finishedAt: null,
      deadlineAt: exampleTime,
      attempt: `call_${ulid}`,
      attempts: 1,
      blocks: 0,
      after: `job_${ulid}`,
      erasing: [],
      tally: { expunged: 2, replacedVersions: 1, environments: ['production'] },
      position: indexVersion,
      exportedBytes: 48_213,
      imported: { created: 12, unchanged: 3 },
      ttl: 1_774_949_400,
    },
  }),
  kind(erasureSubjects, {
    parents: [],
    about: 'whose conversations it erases',
    removed: 'when the job has ended, or after its deadline',
    item: { id, externalUserId: 'user-42', ttl: 1_772_443_800 },
  }),
  kind(exportRequests, {
    parents: [],
    about: 'what an export has to contain',
    removed: 'a day after the deadline of its job; the filters when the job has ended',
    optional: ['request', 'ttl'],
    item: {
      id,
      request: { what: 'documents', filters: { tag: 'returns' }, format: 'jsonl' },
      removeAt: exampleTime,
      ttl: 1_772_443_800,
    },
  }),
  kind(exportPlaces, {
    parents: [],
    about: 'the last export that has taken this place among those of the project',
    idText: '<00 to 49>',
    varies: ['07'],
    removed: 'when the files of the export are removed',
    item: { id: '07', jobId: id, ttl: 1_772_443_800 },
  }),
  kind(importRequests, {
    parents: [],
    about: 'what an import has to read, and the lines that failed',
    removed: 'when the job has ended, or a day after its deadline',
    optional: ['version'],
    item: {
      id,
      uploadId: `upl_${ulid}`,
      quotas: { messages: 100_000 },
      version: '"9a0364b9e99bb480dd25e1f0284c8555"',
      problems: [{ line: 17, code: 'conversation_mismatch', message: 'It is stored with other messages.' }],
      ttl: 1_772_443_800,
    },
  }),
  kind(uploads, {
    parents: [],
    through: 'conversations.import-file',
    about: 'a file that a caller uploads',
    removed: 'when its import has ended, or after a day',
    optional: ['jobId'],
    item: {
      id: `upl_${ulid}`,
      bytes: 48_213,
      createdAt: exampleTime,
      createdBy: `key_${ulid}`,
      jobId: id,
      ttl: 1_772_443_800,
    },
  }),
  kind(uploadPlaces, {
    parents: [],
    about: 'the last upload that has taken this place among those of the project',
    idText: '<00 to 99>',
    varies: ['07'],
    removed: 'a day after the upload',
    item: { id: '07', uploadId: `upl_${ulid}`, ttl: 1_772_443_800 },
  }),
  kind(exportParts, {
    parents: [],
    about: 'a file of an export',
    idText: '<job>#<number>#<call>',
    writer: 'worker:exporter',
    removed: 'with its file, a day after the deadline of its job',
    optional: ['removedBecause'],
    item: {
      id: `${id}#000001#call_${ulid}`,
      what: 'documents',
      status: 'removed',
      first: `kdoc_${ulid}`,
      last: `kdoc_${ulid}`,
      records: 120,
      bytes: 48_213,
      expiresAt: exampleTime,
      removedBecause: 'document_deleted',
      ttl: 1_772_443_800,
    },
  }),
  kind(latestJobs, {
    parents: [],
    about: 'the latest job of a queue',
    idText: '<queue>',
    varies: ['knowledge'],
    item: { id: 'knowledge', jobId: id },
  }),
];
