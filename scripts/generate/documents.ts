/**
 * The parts of documents that are generated: tables of the stored items, of the workers, of who can read which events, of the
 * conditions of rules and of what agents may not remove, and a job that another document has.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { tables } from '../../lib/dynamodb/tables.ts';
import { type Rule, rule } from '../../lib/evaluations/rules/schema.ts';
import { scopesOfEvent } from '../../lib/events/scopes.ts';
import { eventTypeNames, familyOf } from '../../lib/events/types.ts';
import { jobTypeNames } from '../../lib/jobs/types.ts';
import type { Tool } from '../../lib/mcp/tools.ts';
import { workers } from '../../workers/index.ts';
import { kinds } from '../items/kinds.ts';
import { toolsFile } from '../openapi/tools.ts';
import { type Files, table, withTables } from '../shared/markdown.ts';
import { nightlyJob } from '../shared/nightly-job.ts';
import { root } from '../shared/root.ts';

const code = (names: readonly string[], between: string) => names.map((name) => `\`${name}\``).join(between);

const itemTable = () =>
  table(
    ['table', '`tenant`', '`id`', 'removed by TTL', 'stream'],
    kinds.map((kind) => [
      kind.table,
      `\`${kind.tenant}\``,
      `\`${kind.id}\`: ${kind.about}`,
      kind.removed,
      tables[kind.table].stream ? 'yes' : 'no',
    ]),
  );

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

/** An example of each condition. */
const conditions: readonly Rule[] = [
  { contains: { text: 'sorry', role: 'avatar' } },
  { matches: '(?i)order [0-9]{6}' },
  { messages: { lte: 4 } },
  { durationSeconds: { lt: 600 } },
  { firstAnswerSeconds: { lte: 5 } },
  { longestGapSeconds: { lte: 60 } },
  { unansweredQuestion: true },
  { citations: true },
  { repeatedAnswer: true },
  { language: 'de' },
];
const combinations = ['all', 'any', 'not'];

const ruleTable = () => {
  const properties = z.toJSONSchema(rule, { io: 'input' }).$defs?.EvaluatorRule?.properties ?? {};
  const names = Object.keys(properties).filter((name) => !combinations.includes(name));
  const missing = names.filter((name) => !conditions.some((one) => name in one));
  if (missing.length > 0) throw new Error(`scripts/generate/documents.ts has no example of ${missing}`);
  return table(
    ['condition', 'meaning'],
    conditions.map((one) => {
      const [name = ''] = Object.keys(rule.parse(one));
      return [`\`${JSON.stringify(one)}\``, String(Object(properties[name]).description)];
    }),
  );
};

/** The tools follow from openapi.json as it is now. Those that lib/mcp has loaded may be older. */
const writtenTools = () =>
  JSON.parse(toolsFile(JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')))) as Partial<Tool>[];

const removalTable = () =>
  table(
    ['tool', 'argument', 'why'],
    writtenTools().flatMap(({ name = '', method, removes, destructiveArguments = {} }) => [
      ...(removes !== undefined && method !== 'DELETE' ? [[code([name], ''), 'all', removes]] : []),
      ...Object.entries(destructiveArguments).map(([argument, removal]) => [
        code([name], ''),
        code(['if' in removal ? `${argument}: ${JSON.stringify(removal.if)}` : argument], ''),
        removal.why,
      ]),
    ]),
  );

/** The README is in the package, where links to docs/ lead nowhere. */
const pythonJob = () => `\`\`\`python\n${nightlyJob('nightly.py')}\`\`\``;

/** The table of the keys of items. */
export const items = (): Files => withTables('docs/storage.md', { items: itemTable() });

export const documents = (): Files => ({
  ...withTables('docs/runbook.md', { workers: workerTable() }),
  ...withTables('docs/mcp.md', { removals: removalTable() }),
  ...withTables('docs/quality.md', { rules: ruleTable() }),
  ...withTables('docs/security.md', { 'event-readers': readerTable() }),
  ...withTables('clients/python/README.md', { 'nightly-job': pythonJob() }),
});
