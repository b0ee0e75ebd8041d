/** What documents repeat: tables of the workers and of who can read which events, and a job that another document has. */

import { table } from '../../bench/statistics.ts';
import { scopesOfEvent } from '../../lib/events/scopes.ts';
import { eventTypeNames, familyOf } from '../../lib/events/types.ts';
import { jobTypeNames } from '../../lib/jobs/types.ts';
import { workers } from '../../workers/index.ts';
import { nightlyJob } from '../shared/nightly-job.ts';
import { withTables } from './marks.ts';
import type { Files } from './parts.ts';

const code = (names: readonly string[], between: string) => names.map((name) => `\`${name}\``).join(between);

const workerTable = () =>
  table(
    ['worker', 'table', 'what it does', 'if it gives up'],
    workers.map(({ id, sources, summary, impact, remedy }) => [
      code([id], ''),
      code(sources, ', '),
      `${summary}.`,
      [impact, remedy].filter(Boolean).join(' '),
    ]),
  );

const readerTable = () =>
  table(
    ['events', 'who can read them'],
    [...new Set(eventTypeNames.map(familyOf))].flatMap((family) =>
      (family === 'job' ? jobTypeNames : ['']).map((type) => [
        type === '' ? `\`${family}.*\`` : `\`${family}.*\` of \`${type}\``,
        `keys with \`events:read\` and ${code(scopesOfEvent(`${family}.created`, { type }), ' and ')}`,
      ]),
    ),
  );

/** The README is in the package, where links to docs/ lead nowhere. */
const pythonJob = () => `\`\`\`python\n${nightlyJob('nightly.py')}\`\`\``;

export const generate = (): Files => ({
  ...withTables('docs/runbook.md', { workers: workerTable() }),
  ...withTables('docs/security.md', { 'event-readers': readerTable() }),
  ...withTables('clients/python/README.md', { 'nightly-job': pythonJob() }),
});
