import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Job, jobStatuses } from '../../lib/jobs/schema.ts';
import { listJobs } from '../../lib/jobs/store.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/page.ts';

export default defineEndpoint({
  id: 'jobs.list',
  method: 'GET',
  path: '/projects/{project_id}/jobs',
  summary: 'List jobs',
  description: 'Returns jobs, newest first. Jobs are kept for 30 days.',
  auth: 'knowledge:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(jobStatuses).optional().meta({ description: 'Only jobs with this status.' }),
    }),
  },
  responses: { 200: listOf(Job).meta({ id: 'JobList' }) },
  access: { jobs: ['Query'] },

  async handle({ query, store, nowMs, cursor }) {
    const list = {
      status: query.status,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listJobs(store, list, nowMs);
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
