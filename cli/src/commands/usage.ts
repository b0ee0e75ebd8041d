/** The command `usage`: limits, quotas, and what was stored on each day. */

import type { Command } from 'commander';
import type { Usage } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { type PeriodOptions, periodFrom, periodOptions } from '../period.ts';

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

export function addUsage(program: Command, define: Define): void {
  const parent = define(program, {
    name: 'usage',
    summary: 'Shows your limits and your usage',
    details:
      'The data that is stored in a day is counted within seconds, even without a quota. A key that is bound to ' +
      'projects sees the quotas, but not the usage.',
    examples: ['usage', 'usage --json | jq .quotas.messages'],
    async run({ platform, out }) {
      const usage = await platform.usage.get();
      if (out.json) return out.item(usage);
      await out.rows(usageRows(usage), {
        what: ({ name }) => name,
        limit: ({ limit }) => limit ?? 'none',
        used: ({ used }) => used ?? '',
        'counted through': ({ countedThrough }) => countedThrough ?? '',
        resets: ({ resetsAt }) => resetsAt ?? '',
      });
    },
  });

  define<PeriodOptions>(parent, {
    name: 'days',
    summary: 'Shows how much was stored on each day',
    details:
      'A period consists of whole days in UTC. The default is the last 30 days. Days are kept for 400 days.',
    options: [
      ['--from <time>', 'the first day: today, yesterday, 7d or 2026-03-01'],
      ['--to <time>', 'the end of the last day, or a time in it'],
      periodOptions[2],
    ],
    examples: ['usage days --from 90d --to now'],
    async run({ platform, shell, out }, period) {
      const { startedFrom: from, startedBefore: to } = periodFrom(period, shell.nowMs());
      const { items, totals, ...rest } = await platform.usage.days({ from, to });
      if (out.json) return out.jsonLine({ items, totals, ...rest });
      await out.rows([...items, { day: 'all', ...totals }], {
        day: ({ day }) => day,
        documents: ({ documents }) => documents,
        bytes: ({ bytes }) => bytes,
        conversations: ({ conversations }) => conversations,
        messages: ({ messages }) => messages,
      });
    },
  });
}
