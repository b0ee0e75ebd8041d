import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { showPreview } from '../../lib/evaluations/store/runs.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { bindWait } from '../../lib/http/waiting.ts';
import { isOpen } from '../../lib/jobs/job.ts';
import { jobHeaders } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { jobInPath } from '../../lib/jobs/store.ts';
import { describeEndingWithCredential, describeScopes, scopeOf, scopesOfJobs } from '../../lib/jobs/types.ts';
import { id } from '../../lib/schema/common.ts';
import { waitLimits, waitSeconds } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'jobs.get',
  method: 'GET',
  path: '/projects/{project_id}/jobs/{job_id}',
  summary: 'Get a job',
  description:
    'Returns a job. While it is queued or running, poll it after `Retry-After` seconds. With ' +
    '`waitSeconds`, the response is sent when the job has ended, or when the time is up. Jobs are kept ' +
    'for 30 days.\n\nThe result of a preview has its scores for an hour: `result.preview`. Lists and events do not have them.' +
    '\n\nSome jobs fail with `credential_revoked` if the key or workload identity that requested them is revoked with its ' +
    `children: ${describeEndingWithCredential()}.` +
    `\n\nThe type of the job decides which scope the request requires:\n\n${describeScopes('read')}`,
  auth: anyOf(...scopesOfJobs('read')),
  project: 'existing',
  environments: 'left_out',
  loads: { job: jobInPath },
  scopesForLoaded: ({ job }) => scopeOf(job, 'read'),
  waits: bindWait,
  request: {
    params: z.strictObject({ project_id: id('project'), job_id: id('job') }),
    query: z.strictObject({
      waitSeconds: waitSeconds.meta({
        description: `How long to wait while the job is queued or running. ${waitLimits}`,
      }),
    }),
  },
  responses: { 200: Job },
  access: { jobs: ['BatchGetItem'], conversations: ['BatchGetItem'] },
  headers: { 'Retry-After': jobHeaders['Retry-After'] },

  async handle({ query, wait, store, nowMs }) {
    const job = await wait.until(
      (_, { job }) => job,
      (job) => !isOpen(job),
      query.waitSeconds ?? 0,
    );
    const { result, evaluation: { previewed, previewedBy = 0 } = {} } = job;
    if (!result || !previewed) return { status: 200, data: job };
    const preview = await showPreview(store, { id: job.id, previewed, previewedBy }, nowMs);
    return { status: 200, data: { ...job, result: { ...result, preview } } };
  },
});
