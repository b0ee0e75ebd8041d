import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { ProjectUsage } from '../../lib/limits/schema/days.ts';
import { getDays } from '../../lib/limits/store/daily-usage.ts';
import { dayOf, digestOf } from '../../lib/limits/store/day-sums.ts';
import { resetMs } from '../../lib/limits/store/quotas.ts';
import { projectInPath } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'projects.usage',
  method: 'GET',
  path: '/projects/{project_id}/usage',
  summary: 'Get the usage of a project',
  description:
    'Returns what the project has used on the current day (UTC). `GET /projects/{project_id}/usage/days` has other days, and ' +
    'says how they are counted. Quotas and limits are those of the organisation: `GET /usage`.',
  auth: 'projects:read',
  // The sums have no content, so a credential that is bound to environments may read those of a whole project.
  environments: 'none',
  loads: { project: projectInPath },
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: ProjectUsage },
  access: { limits: ['Query'] },

  async handle({ params: { project_id: projectId }, store, nowMs }) {
    const day = dayOf(timestamp(nowMs));
    const range = { first: day, last: day };
    const { totals, countedThrough } = await getDays(store, digestOf(projectId), range, nowMs);
    const resetsAt = timestamp(resetMs(nowMs));
    return { status: 200, data: { projectId, day, ...totals, countedThrough, resetsAt } };
  },
});
