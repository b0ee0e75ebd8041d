import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Job, jobStatus } from '../../lib/jobs/schema.ts';
import { listJobs } from '../../lib/jobs/store.ts';
import { describeScopes, jobTypeNames, maySee, scopesOfJobs } from '../../lib/jobs/types.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'jobs.list',
  method: 'GET',
  path: '/projects/{project_id}/jobs',
  summary: 'List jobs',
  description:
    'Returns jobs, newest first. Jobs are kept for 30 days.\n\nThe list has the jobs whose types the caller may ' +
    `read, so a page may be short. Each scope shows these jobs:\n\n${describeScopes('read')}`,
  auth: anyOf(...scopesOfJobs('read')),
  project: 'existing',
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      status: jobStatus.optional().meta({ description: 'Only jobs with this status.' }),
      type: z.enum(jobTypeNames).optional().meta({ description: 'Only jobs of this type.' }),
    }),
  },
  responses: { 200: listOf(Job).meta({ id: 'JobList' }) },
  access: { jobs: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const { status, type } = query;
    const list = {
      wants: (job: Job) =>
        (status ?? job.status) === job.status && (type ?? job.type) === job.type && maySee(caller, job),
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listJobs(store, list, { nowMs, caller });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
