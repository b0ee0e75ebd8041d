import * as z from 'zod';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { jobHeaders, jobsExceeded } from '../../../lib/jobs/request-job.ts';
import { Job } from '../../../lib/jobs/schema.ts';
import { putJob, takeJobPlace } from '../../../lib/jobs/store.ts';
import { id } from '../../../lib/schema/common.ts';
import { nextRefreshAt, openRefresh, refreshJob } from '../../../lib/sources/refresh/next-refresh.ts';
import { changeSource, knowledgeSourceInPath } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.refresh',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/sources/{source_id}/refresh',
  summary: 'Refresh a source',
  description:
    'Starts a job that requests the pages of the source, and stores what has changed. If such a job has not ended, the response ' +
    'is 200 with that job. Wait for the job at its `Location`.\n\nA page is gone if its server answers with 404 or 410, or if ' +
    'two refreshes find no link to it. Then its document is removed, as that of a page that now has the content of another ' +
    'page, or redirects to it. If more than half of the documents would be removed at ' +
    'once, they stay, and `unconfirmed` of the result has their number: send `confirm` to remove them. While a refresh without ' +
    '`confirm` runs, a request with `confirm` is 409 `refresh_running`.\n\nWith `reread`, pages that have not changed are read again, ' +
    'too: after an upgrade of the service, its readers may find more in them (`extractedBy` of their documents). While a refresh ' +
    'without `reread` runs, a request with `reread` is 409 `refresh_running`.',
  auth: 'knowledge:write',
  project: 'active',
  loads: { source: knowledgeSourceInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), source_id: id('knowledgeSource') }),
    body: z.strictObject({
      confirm: z.boolean().default(false).meta({
        description: 'Whether more than half of the documents may be removed.',
        example: false,
        removes: 'It lets the refresh remove more than half of the documents.',
        removesIf: true,
      }),
      reread: z.boolean().default(false).meta({
        description: 'Whether pages that have not changed are read again.',
        example: false,
      }),
    }),
  },
  causes: ['job.created', 'source.updated'],
  responses: { 200: Job, 202: Job },
  headers: jobHeaders,
  errors: ['source_paused', 'refresh_running', 'quota_exceeded'],
  access: {
    knowledge: ['UpdateItem'],
    jobs: ['GetItem', 'BatchGetItem', 'PutItem'],
    limits: ['PutItem', 'Query'],
  },

  async handle({ loaded: { source }, body, caller, limits, store, nowMs, newId }) {
    if (source.paused) return fail('source_paused');
    const openJob = await openRefresh(store, source, { nowMs, caller });
    // A refresh that runs may already have decided which documents stay.
    if (openJob && body.confirm && openJob.refresh?.isConfirmed !== true) return fail('refresh_running');
    // It may already have visited pages.
    if (openJob && body.reread && openJob.refresh?.isReread !== true) return fail('refresh_running');
    if (openJob) return { status: 200, data: openJob };
    const start = { id: newId('job'), createdBy: caller.principal, nowMs };
    const job = refreshJob(source, { ...start, isConfirmed: body.confirm, isReread: body.reread });
    const { jobs: quota } = limits.quotas;
    const place = quota === undefined ? undefined : await takeJobPlace(store, quota, job, { nowMs, caller });
    if (quota !== undefined && !place) return fail('quota_exceeded', jobsExceeded(quota));
    const changes = { jobId: job.id, nextRefreshAt: nextRefreshAt(source, nowMs), quotas: limits.quotas };
    return {
      status: 202,
      data: job,
      writes: [putJob(store, job), ...changeSource(store, source, changes), ...(place ? [place] : [])],
    };
  },
});
