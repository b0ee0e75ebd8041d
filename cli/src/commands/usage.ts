/** The command `usage`: limits, quotas, and what was used on each day, by the organisation or by its projects. */

import type { Command } from 'commander';
import type {
  DailyUsage,
  Platform,
  Usage,
  UsageDaysTotals,
  UsageOfProject,
} from '../../../clients/typescript/src/index.ts';
import type { Define, OptionSpec } from '../command.ts';
import { usageError } from '../errors.ts';
import { csvRows } from '../export/csv.ts';
import type { Output } from '../output/output.ts';
import type { Columns } from '../output/table.ts';
import { type PeriodOptions, periodFrom, periodOptions } from '../period.ts';

type UsageOptions = { project?: string; groupBy?: 'project'; csv?: boolean; json?: boolean };

const options: readonly OptionSpec[] = [
  ['--project <project>', 'the usage of this project'],
  ['--group-by <group>', 'the usage of each project', { choices: ['project'] }],
  ['--csv', 'comma-separated values instead of a table'],
];

function check({ project, groupBy, csv, json }: UsageOptions): void {
  if (project !== undefined && groupBy !== undefined)
    throw usageError('--group-by project shows every project: leave out --project.');
  if (csv && json) throw usageError('--csv and --json are two forms of the same: choose one.');
}

async function print<Row extends object>(
  out: Output,
  { csv }: UsageOptions,
  rows: readonly Row[],
  columns: Columns<Row>,
): Promise<void> {
  if (!csv) return out.rows(rows, columns);
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  // Anybody who may change a project has chosen its name.
  await out.write(csvRows([Object.keys(columns), ...cells], true));
}

const sums = {
  documents: ({ documents }: UsageDaysTotals) => documents,
  bytes: ({ bytes }: UsageDaysTotals) => bytes,
  conversations: ({ conversations }: UsageDaysTotals) => conversations,
  messages: ({ messages }: UsageDaysTotals) => messages,
  'exported records': ({ exportedRecords }: UsageDaysTotals) => exportedRecords,
  'model cost USD': ({ modelCostUsd }: UsageDaysTotals) => modelCostUsd,
};

const dayColumn = { day: ({ day }: { day: string }) => day };

type Project = Pick<UsageOfProject, 'projectId' | 'name'>;

const projectColumns = {
  project: ({ projectId }: Project) => projectId ?? 'removed',
  name: ({ name }: Project) => name ?? '',
};

const limitRow = (whose: string, limit: Usage['rateLimits']['key']) => ({
  name: `requests (${whose})`,
  limit: limit && `${limit.requests} per ${limit.per}`,
  used: null,
  countedThrough: null,
  resetsAt: null,
});

/** @returns a row for each limit and quota: what is used, up to when it is counted, and when it resets */
export const usageRows = ({ rateLimits: { key, parents, organisation }, quotas }: Usage) => [
  limitRow('key', key),
  ...parents.map(({ keyId, rateLimit }) => limitRow(keyId, rateLimit)),
  limitRow('organisation', organisation),
  ...Object.entries(quotas).map(([name, quota]) => ({ name, ...quota })),
];

type Range = { from: string | undefined; to: string | undefined };

/** @returns the usage with all projects, not only those of the first page */
async function allProjects(platform: Platform, range: Range): Promise<DailyUsage> {
  const query = { ...range, groupBy: 'project', limit: 100 } as const;
  const usage = await platform.usage.days(query);
  const items = [...(usage.projects?.items ?? [])];
  for (let cursor = usage.projects?.nextCursor ?? null; cursor !== null; ) {
    const { projects } = await platform.usage.days({ ...query, cursor });
    items.push(...(projects?.items ?? []));
    cursor = projects?.nextCursor ?? null;
  }
  return { ...usage, projects: { items, nextCursor: null } };
}

export function addUsage(program: Command, define: Define): void {
  const parent = define<UsageOptions>(program, {
    name: 'usage',
    summary: 'Shows your limits and your usage',
    details:
      'The data that is stored in a day is counted within seconds, even without a quota. A key that is bound to ' +
      'projects sees the quotas, but not the usage of the organisation: --project shows that of one of its projects. --project and ' +
      '--group-by show what was used today.',
    options,
    examples: [
      'usage',
      'usage --json | jq .quotas.messages',
      'usage --project Support',
      'usage --group-by project',
    ],
    async run({ platform, shell, out }, chosen) {
      check(chosen);
      if (chosen.project !== undefined) {
        const usage = await platform.projects.usage(chosen.project);
        if (out.json) return out.jsonLine(usage);
        return print(out, chosen, [usage], { ...dayColumn, ...sums });
      }
      if (chosen.groupBy !== undefined) {
        const from = `${new Date(shell.nowMs()).toISOString().slice(0, 10)}T00:00:00Z`;
        const { projects } = await allProjects(platform, { from, to: undefined });
        const items = projects?.items ?? [];
        if (out.json) return out.rows(items, {});
        return print(
          out,
          chosen,
          items.map(({ totals, ...one }) => ({ ...one, ...totals })),
          {
            ...projectColumns,
            ...sums,
          },
        );
      }
      const usage = await platform.usage.get();
      if (out.json) return out.item(usage);
      await print(out, chosen, usageRows(usage), {
        what: ({ name }) => name,
        limit: ({ limit }) => limit ?? 'none',
        used: ({ used }) => used ?? '',
        'counted through': ({ countedThrough }) => countedThrough ?? '',
        resets: ({ resetsAt }) => resetsAt ?? '',
      });
    },
  });

  define<PeriodOptions & UsageOptions>(parent, {
    name: 'days',
    summary: 'Shows what was used on each day',
    details:
      'A period consists of whole days in UTC. The default is the last 30 days. Days are kept for 400 days. A removed project keeps ' +
      'its days, without its id.',
    options: [
      ['--from <time>', 'the first day: today, yesterday, 7d or 2026-03-01'],
      ['--to <time>', 'the end of the last day, or a time in it'],
      periodOptions[2],
      ...options,
    ],
    examples: [
      'usage days --from 90d --to now',
      'usage days --project Support',
      'usage days --from 30d --to now --group-by project --csv > usage.csv',
    ],
    async run({ platform, shell, out }, chosen) {
      check(chosen);
      const { project, groupBy, csv, ...period } = chosen;
      const { startedFrom: from, startedBefore: to } = periodFrom(period, shell.nowMs());
      const range = { from, to };
      if (groupBy !== undefined) {
        const usage = await allProjects(platform, range);
        if (out.json) return out.jsonLine(usage);
        const rows = (usage.projects?.items ?? []).flatMap(({ items, ...one }) =>
          items.map((day) => ({ ...one, ...day })),
        );
        const all = { projectId: 'all', name: null, totals: usage.totals, day: 'all', ...usage.totals };
        // A spreadsheet makes its own sums.
        return print(out, chosen, csv ? rows : [...rows, all], { ...projectColumns, ...dayColumn, ...sums });
      }
      const usage =
        project === undefined
          ? await platform.usage.days(range)
          : await platform.projects.usageDays(project, range);
      if (out.json) return out.jsonLine(usage);
      const all = { day: 'all', ...usage.totals };
      await print(out, chosen, csv ? usage.items : [...usage.items, all], { ...dayColumn, ...sums });
    },
  });
}
