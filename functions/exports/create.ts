import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { ExportRequest } from '../../lib/bulk/exports/schema.ts';
import {
  exportJobTypes,
  exportScopes,
  fileLifetimeMs,
  queueExport,
  takeExportPlace,
} from '../../lib/bulk/exports/store.ts';
import { readScoreFilters } from '../../lib/evaluations/score-filters.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { newJob } from '../../lib/jobs/job.ts';
import { jobHeaders } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { jobTypes, scopeOf } from '../../lib/jobs/types.ts';
import { id } from '../../lib/schema/common.ts';

const auditOfAll = 'The audit log has all environments, and your credential is bound to some.';

export default defineEndpoint({
  id: 'exports.create',
  method: 'POST',
  path: '/projects/{project_id}/exports',
  summary: 'Export data',
  description:
    "Queues a job that writes conversations with their messages, documents with their contents, or the project's " +
    'audit events into files: JSON lines, compressed with gzip. The filters are the filters of the lists. The ' +
    'request requires the scope that reads the content: `conversations:read`, `knowledge:read` or ' +
    '`audit:read`.\n\n`GET …/exports/{job_id}` has the links. Data that is stored while the job runs may be ' +
    'missing.\n\nA line is a conversation with its first messages. A long conversation has further lines, with ' +
    'only its `id` and the next `messages`.\n\nA credential that is bound to environments gets only the conversations of these ' +
    'environments and those without a deployment. It cannot export the audit log.',
  auth: anyOf(...exportScopes),
  scopesFor: ({ body: { what } }) => scopeOf({ type: exportJobTypes[what] }, 'read'),
  project: 'existing',
  environments: 'left_out',
  request: { params: z.strictObject({ project_id: id('project') }), body: ExportRequest },
  causes: ['job.created'],
  responses: { 202: Job },
  headers: jobHeaders,
  errors: ['insufficient_scope', 'too_many_exports'],
  access: { conversations: ['BatchGetItem'], jobs: ['PutItem', 'Query', 'BatchGetItem'] },

  async handle({ body, caller, store, nowMs, newId }) {
    const type = exportJobTypes[body.what];
    const { environments } = caller;
    if (environments && jobTypes[type].environments === 'all') return fail('insufficient_scope', auditOfAll);
    // An unknown evaluator is an error of the request.
    if (body.what === 'conversations') {
      await readScoreFilters(store, body.filters.scores, 'filters.scores');
    }
    const job = newJob(newId('job'), type, caller.principal, nowMs, { environments });
    const removeAtMs = Date.parse(job.deadlineAt) + fileLifetimeMs;
    const place = await takeExportPlace(store, job.id, { nowMs, removeAtMs });
    if (!place) return fail('too_many_exports');
    return { status: 202, data: job, writes: [...queueExport(store, job, body, removeAtMs), place] };
  },
});
