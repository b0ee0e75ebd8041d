/** docs/runbook.md covers every alarm and worker, docs/restore.md and docs/security.md every table, and their commands work on AWS. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableNames, tables } from '../../lib/dynamodb/tables.ts';
import { stacksOf } from '../../measures/stacks.ts';
import { root } from '../../scripts/shared/root.ts';
import { shellBlocks } from '../docs/blocks.ts';

const text = readFileSync(resolve(root, 'docs/runbook.md'), 'utf8');
const section = (title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

test('every alarm has a row that says where to look first', () => {
  const names = stacksOf('prod')
    .ofType('AWS::CloudWatch::Alarm')
    .map(({ logicalId }) => logicalId.replace(/^Monitoring/, '').replace(/[0-9A-F]{8}$/, ''));
  const rows = [...section('Alarms').matchAll(/^\| (…?)(\w+)[ ,]/gm)].slice(1);
  const without = names.filter(
    (name) => !rows.some(([, any, row = '']) => (any ? name.endsWith(row) : name === row)),
  );
  expect(without).toEqual([]);
});

describe('docs/restore.md', () => {
  const restore = readFileSync(resolve(root, 'docs/restore.md'), 'utf8');
  test('has every table in one of its groups', () => {
    const rows = restore.matchAll(/^\| [a-z, ]+ \| (`[^|]+) \|$/gm);
    const named = [...rows].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual([...tableNames].sort());
  });

  test('gives a replaced table its stream, if it has one', () => {
    const without = /case \$1 in\s+([\w |]+)\)/.exec(restore)?.[1]?.split(' | ').sort();
    expect(without).toEqual(tableNames.filter((name) => !tables[name].stream).sort());
  });
});

test('no command uses describe-stack-resources, which returns only 100 resources', () => {
  for (const { code } of shellBlocks(text)) expect(code).not.toContain('describe-stack-resources');
});

test.each(['runbook', 'costs', 'capacity', 'restore'])(
  'docs/%s.md says why CI does not run a block',
  (name) => {
    const left = shellBlocks(readFileSync(resolve(root, `docs/${name}.md`), 'utf8')).filter(
      ({ runs }) => runs === 'nowhere',
    );
    const known = /^Needs a real AWS account: |^Not run by CI: it runs npm run check/;
    expect(left.filter(({ reason }) => !known.test(`${reason}`))).toEqual([]);
  },
);

test('the data map in docs/security.md says what each table has, for how long, and how it is removed', () => {
  const security = readFileSync(resolve(root, 'docs/security.md'), 'utf8');
  const [, map = ''] = security.split('\n## Data map\n');
  const [table = ''] = map.slice(map.indexOf('\n|---')).split('\n\n');
  const rows = table.split('\n').filter((row) => row.startsWith('| '));
  const cells = rows.map((row) => row.split('|').slice(1, -1));
  expect(cells.map(([name = '']) => name.replace(/[` ]/g, '')).toSorted()).toEqual(tableNames.toSorted());
  for (const row of cells) expect(row.filter((cell) => /\w/.test(cell))).toHaveLength(4);
});
