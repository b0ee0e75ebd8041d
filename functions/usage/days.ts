import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { holds } from '../../lib/base/scopes.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { DailyUsage } from '../../lib/limits/schema/days.ts';
import { getDays, getDaysOfProjects } from '../../lib/limits/store/daily-usage.ts';
import { entryPattern, pageOfCounted } from '../../lib/limits/store/day-sums.ts';
import { projects } from '../../lib/projects/store.ts';
import { dayRange, daysOf, defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'usage.days',
  method: 'GET',
  path: '/usage/days',
  summary: 'List usage by day',
  description:
    'Returns what the organisation has used on each day (UTC), in the mode of the credential, oldest day ' +
    'first. The range is extended to whole days. Days on which nothing was used are left out. Days are kept for ' +
    '400 days.\n\nStored data is counted in the background, usually within seconds. The cost of models and exported records are ' +
    'counted by the transaction that settles or exports them. All are counted with and without quotas. Deletions ' +
    'and erasures do not lower the counts. Searches and other reads write nothing, so they are not counted: the access ' +
    'log has them.\n\n' +
    'With `groupBy=project`, `projects` has the days of each project, page by page. The sums of all projects are the sums ' +
    'of the organisation, for the days after the upgrade that has introduced them.\n\n' +
    'Requires no scope, and `groupBy` requires `projects:read`. A credential that is bound to projects is refused, ' +
    'because the usage includes other projects: use `GET /projects/{project_id}/usage/days`.',
  auth: 'any',
  request: {
    query: z.strictObject({
      ...dayRange(),
      groupBy: z
        .enum(['project'])
        .optional()
        .meta({ description: '`project` also returns the days of each project.' }),
      limit: pageQuery.limit.meta({ description: 'The maximum number of projects in the page.' }),
      cursor: pageQuery.cursor.meta({
        description:
          'The `projects.nextCursor` of the previous page. Send it with the same `groupBy`, `from` and `to`.',
      }),
    }),
  },
  responses: { 200: DailyUsage },
  errors: ['insufficient_scope'],
  access: { limits: ['Query'], projects: ['BatchGetItem'] },

  async handle({ query, caller, store, cursor, nowMs }) {
    if (caller.projectIds !== null) {
      const message = 'A credential that is bound to projects cannot read the usage of the organisation.';
      return fail('insufficient_scope', message);
    }
    const { from, to, groupBy } = query;
    const range = daysOf({ from, to }, nowMs);
    if (groupBy === undefined) {
      for (const name of ['limit', 'cursor'] as const)
        if (query[name] !== undefined) throw invalidField(name, 'needs groupBy=project');
      return { status: 200, data: { ...(await getDays(store, null, range, nowMs)), projects: null } };
    }
    if (!holds(caller.scopes, 'projects:read')) {
      return fail('insufficient_scope', 'groupBy=project requires the scope projects:read.');
    }
    const list = { after: cursor.position(query.cursor, entryPattern), limit: query.limit ?? defaultLimit };
    const [days, counted] = await Promise.all([
      getDays(store, null, range, nowMs),
      pageOfCounted(store, list, nowMs),
    ]);
    const ids = counted.items.flatMap(({ projectId }) => projectId ?? []);
    const [page, named] = await Promise.all([
      getDaysOfProjects(store, range, counted, nowMs),
      projects.at(store).getMany(ids),
    ]);
    const names = new Map(named.map(({ id, name }) => [id, name]));
    const items = page.items.map(({ projectId, items, totals }) => ({
      projectId,
      name: (projectId && names.get(projectId)) || null,
      items,
      totals,
    }));
    return { status: 200, data: { ...days, projects: { items, nextCursor: cursor.next(page.next) } } };
  },
});
