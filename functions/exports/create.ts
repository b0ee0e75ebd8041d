import * as z from 'zod';
import { exportJobTypes } from '../../lib/exports/content.ts';
import { ExportRequest } from '../../lib/exports/schema.ts';
import { fileLifetimeMs, hasMaxExports, queueExport } from '../../lib/exports/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { jobHeaders } from '../../lib/jobs/headers.ts';
import { newJob, scopeOf } from '../../lib/jobs/job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'exports.create',
  method: 'POST',
  path: '/projects/{project_id}/exports',
  summary: 'Export data',
  description:
    'Queues a job that writes conversations with their messages, documents with their contents, or the ' +
    "project's audit events into files: JSON lines, compressed with gzip. The filters are those of the lists. " +
    'It requires the scope that reads the content: `conversations:read`, `knowledge:read` or `audit:read`.\n\n' +
    '`GET …/exports/{job_id}` has the links. What is stored while the job runs may be missing.\n\nA line is a ' +
    'conversation with its first messages. A long conversation has further lines, with only its `id` and ' +
    'the next `messages`.',
  auth: 'conversations:read',
  alsoFor: ['knowledge:read', 'audit:read'],
  scopeFor: ({ what }) => scopeOf({ type: exportJobTypes[what] }, 'read'),
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project') }), body: ExportRequest },
  responses: { 202: Job },
  headers: jobHeaders,
  errors: ['too_many_exports'],
  access: { jobs: ['PutItem', 'Query'] },

  async handle({ body, caller, store, nowMs, newId }) {
    if (await hasMaxExports(store, nowMs)) return fail('too_many_exports');
    const job = newJob(newId('job'), exportJobTypes[body.what], caller.id, nowMs);
    const removeAtMs = Date.parse(job.deadlineAt) + fileLifetimeMs;
    return { status: 202, data: job, writes: queueExport(store, job, body, removeAtMs) };
  },
});
