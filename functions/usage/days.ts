import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { DailyUsage } from '../../lib/limits/schema/days.ts';
import { getDays } from '../../lib/limits/store/day-uses.ts';
import { dayRange, daysOf } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'usage.days',
  method: 'GET',
  path: '/usage/days',
  summary: 'List usage by day',
  description:
    'Returns how much the organisation has stored on each day (UTC), in the mode of the credential, oldest day ' +
    'first. The range is extended to whole days. Days on which nothing was stored are left out. Days are kept for ' +
    '400 days.\n\nChanges are counted in the background, usually within seconds, with and without quotas. Deletions ' +
    'and erasures do not lower the counts. Requires no scope. A credential that is bound to projects is refused, ' +
    'because the usage includes other projects.',
  auth: 'any',
  request: { query: z.strictObject(dayRange()) },
  responses: { 200: DailyUsage },
  errors: ['insufficient_scope'],
  access: { limits: ['Query'] },

  async handle({ query, caller, store, nowMs }) {
    if (caller.projectIds !== null) {
      const message = 'A credential that is bound to projects cannot read the usage of the organisation.';
      return fail('insufficient_scope', message);
    }
    const { from, to } = query;
    return { status: 200, data: await getDays(store, daysOf({ from, to }, nowMs), nowMs) };
  },
});
