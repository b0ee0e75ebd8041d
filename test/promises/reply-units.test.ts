/** A reply costs little beside its two messages. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { besideMessages, budgetOf, measureReplyUnits, replyUnitTable } from '../../measures/reply-units.ts';
import { replaceMarked } from '../../scripts/shared/markdown.ts';
import { root } from '../../scripts/shared/root.ts';

test('a reply stays within its budget, and docs/storage.md has the figures', async () => {
  const rows = await measureReplyUnits();
  for (const row of rows) {
    const { readUnits, writeUnits } = besideMessages(row);
    const budget = budgetOf(row);
    expect(readUnits, `read for ${row.kilobytes} KB`).toBeLessThanOrEqual(budget.readUnits);
    expect(writeUnits, `written for ${row.kilobytes} KB`).toBeLessThanOrEqual(budget.writeUnits);
  }
  // The first text, and then a part for each 2 KB.
  expect(rows.map(({ parts }) => parts)).toEqual([2, 3, 9]);
  const text = readFileSync(resolve(root, 'docs/storage.md'), 'utf8');
  expect(text).toBe(replaceMarked(text, 'reply-units', replyUnitTable(rows)));
});
