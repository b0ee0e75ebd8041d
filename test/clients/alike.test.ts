/** Both clients have the same scenarios. */

import { expect, test } from 'vitest';
import { titlesIn } from '../support/client/python-suite.ts';
import { interpreters } from '../support/client/pythons.ts';
import { absent, scenarios } from '../support/client/scenarios/index.ts';

const [interpreter] = interpreters();

test('each scenario is in both clients, or says why not', ({ skip }) => {
  if (!interpreter) return skip('Python is missing');
  const python = titlesIn(interpreter);
  const all = (here: readonly string[], missing: Readonly<Record<string, string>>) =>
    [...here, ...Object.keys(missing)].sort();
  expect(all(python.titles, python.absent)).toEqual(all(Object.keys(scenarios), absent));
  expect(python.titles).toEqual(expect.arrayContaining(Object.keys(python.absentInSync)));
  expect(python.titles.filter((title) => title in python.absent)).toEqual([]);
});
