/**
 * The scenarios of the Python client, the same as those of the TypeScript client: in the newest version of Python that is there,
 * and nightly in Python 3.10. The synchronous client runs at each change. It is made from the asynchronous one, which runs nightly. With `WRITE_TABLE=1`, the run writes the table of both clients into docs/clients.md.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { replaceMarked } from '../../../scripts/shared/markdown.ts';
import { root } from '../../../scripts/shared/root.ts';
import { installClient } from '../../support/client/installed.ts';
import { type Kind, runInPython, titlesIn } from '../../support/client/python-suite.ts';
import { testedInterpreters } from '../../support/client/pythons.ts';
import { absent, scenarios } from '../../support/client/scenarios/index.ts';
import { runInProcess } from '../../support/client/suite.ts';
import { type Results, tableOf } from '../../support/client/table.ts';

const tested = testedInterpreters();
const shown = tested.at(-1)?.version;
const any = tested.find(({ interpreter }) => interpreter)?.interpreter;
const titles = any ? titlesIn(any) : { titles: [], absent: {}, absentInSync: {} };
const titlesOf = (kind: Kind) =>
  titles.titles.filter((title) => kind === 'async' || !(title in titles.absentInSync));

/** By version and kind. */
const runs = new Map<string, Results>();

describe.each(tested.flatMap((one) => (['sync', 'async'] as const).map((kind) => ({ ...one, kind }))))(
  'Python $version, $kind',
  ({ version, interpreter, kind }) => {
    let results: Results = new Map();

    beforeAll(async () => {
      if (interpreter) results = await runInPython(interpreter, kind);
      runs.set(`${version} ${kind}`, results);
    }, 1_800_000);

    const tags = [version === shown && kind === 'sync' ? 'long' : 'nightly'];
    test.for(titlesOf(kind))('%s', { tags }, (title, context) => {
      if (!interpreter) return context.skip(`Python ${version} is missing`);
      expect(results.get(title) ?? null).toBeNull();
      expect(results.has(title), results.get('') ?? 'it did not run').toBe(true);
    });
  },
);

test('docs/clients.md has the table of this run', { tags: ['nightly'] }, async ({ skip }) => {
  const [sync, async] = [runs.get(`${shown} sync`), runs.get(`${shown} async`)];
  if (!sync?.size || !async?.size) return skip(`Python ${shown} is missing`);
  const { user, remove } = installClient();
  const typescript = await runInProcess(process.execPath, user).finally(remove);
  const file = resolve(root, 'docs/clients.md');
  const text = readFileSync(file, 'utf8');
  const all = [...new Set([...Object.keys(scenarios), ...titles.titles])];
  const table = tableOf({ all, typescript, absent, python: { sync, async, titles } });
  const expected = replaceMarked(text, 'scenarios', table);
  if (process.env.WRITE_TABLE) writeFileSync(file, expected);
  expect(readFileSync(file, 'utf8')).toBe(expected);
});
