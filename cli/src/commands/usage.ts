/** Limits and quotas. */

import type { Command } from 'commander';
import type { Usage } from '../../../client/src/index.ts';
import type { Define } from '../command.ts';

/** @returns a row for each limit and quota, of what is used and when it resets */
export const usageRows = ({ rateLimits, quotas }: Usage) => [
  ...Object.entries(rateLimits).map(([name, limit]) => ({
    name: `requests (${name})`,
    limit: limit && `${limit.requests} per ${limit.per}`,
    used: null,
    resetsAt: null,
  })),
  ...Object.entries(quotas).map(([name, quota]) => ({ name, ...quota })),
];

export function addUsage(program: Command, define: Define): void {
  define(program, {
    name: 'usage',
    summary: 'Shows your limits, and what is used of each quota',
    details: 'A key that is bound to projects sees the quotas, but not what is used.',
    examples: ['usage', 'usage --json | jq .quotas.messages'],
    async run({ platform, out }) {
      const usage = await platform.usage.get();
      if (out.json) return out.item(usage);
      await out.rows(usageRows(usage), {
        what: ({ name }) => name,
        limit: ({ limit }) => limit ?? 'none',
        used: ({ used }) => used ?? '',
        resets: ({ resetsAt }) => resetsAt ?? '',
      });
    },
  });
}
