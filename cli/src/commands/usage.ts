/** Limits and quotas. */

import type { Command } from 'commander';
import type { Usage } from '../../../client/src/index.ts';
import type { Define } from '../command.ts';

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
  define(program, {
    name: 'usage',
    summary: 'Shows your limits, and what is used',
    details:
      'What is stored in a day is counted also where there is no quota, within seconds. A key that is bound to projects sees ' +
      'the quotas, but not what is used.',
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
}
