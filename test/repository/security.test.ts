/** docs/security.md: the data map has every table, and the tests that the OWASP list names exist. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import { root } from '../../scripts/shared/root.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const text = read('docs/security.md');

/** @returns the rows of the first table in a section, without its head */
function rowsOf(heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [rows = ''] = section.slice(section.indexOf('\n|---')).split('\n\n');
  return rows.split('\n').filter((row) => row.startsWith('| '));
}

test('the data map says what each table has, for how long, and how it is removed', () => {
  const rows = rowsOf('Data map').map((row) => row.split(' | '));
  const named = rows.map(([table = '']) => table.replace(/[|` ]/g, ''));
  expect(named.toSorted()).toEqual(tableNames.toSorted());
  for (const cells of rows) {
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell).toMatch(/\w/);
  }
});

describe('the OWASP API Top 10', () => {
  const rows = rowsOf('OWASP API Top 10');

  test('is complete', () => {
    const risks = rows.map((row) => /^\| (API\d+:2023) /.exec(row)?.[1]);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}:2023`));
  });

  test.each(rows)('names a test that exists: %s', (row) => {
    const tests = [...row.matchAll(/\["([^\]]+)"\]\(\.\.\/(test\/[^)]+)\)/g)];
    expect(tests).not.toEqual([]);
    for (const [, title = '', file = ''] of tests) {
      const source = read(file);
      expect(
        [`'${title}'`, `"${title}"`].some((quoted) => source.includes(quoted)),
        `${file}: ${title}`,
      ).toBe(true);
    }
  });
});
