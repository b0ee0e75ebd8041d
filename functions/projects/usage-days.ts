import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { ProjectDailyUsage } from '../../lib/limits/schema/days.ts';
import { getDays } from '../../lib/limits/store/daily-usage.ts';
import { digestOf } from '../../lib/limits/store/day-sums.ts';
import { projectInPath } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';
import { dayRange, daysOf } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'projects.usage-days',
  method: 'GET',
  path: '/projects/{project_id}/usage/days',
  summary: 'List the usage of a project by day',
  description:
    'Returns what the project has used on each day (UTC), oldest day first. The range is extended to whole days. Days on ' +
    'which nothing was used are left out. Days are kept for 400 days.\n\nWhatever counts for the project counts for the ' +
    'organisation in the same transaction, so the days are as exact as those of `GET /usage/days`, which says how they are counted. ' +
    'The days of a project begin with the upgrade of the service that has introduced them.',
  auth: 'projects:read',
  // The sums have no content, so a credential that is bound to environments may read those of a whole project.
  environments: 'none',
  loads: { project: projectInPath },
  request: { params: z.strictObject({ project_id: id('project') }), query: z.strictObject(dayRange()) },
  responses: { 200: ProjectDailyUsage },
  access: { limits: ['Query'] },

  async handle({ params, query: { from, to }, store, nowMs }) {
    const range = daysOf({ from, to }, nowMs);
    return { status: 200, data: await getDays(store, digestOf(params.project_id), range, nowMs) };
  },
});
