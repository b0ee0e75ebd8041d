/** The stamp of folders that were made from files: when they are made again. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isStamped, type Made, removeStamp, writeStamp } from '../../scripts/shared/stamp.ts';

const begunMs = Date.UTC(2026, 0, 1);
let work: string;
let folder: string;
let source: string;
let made: Made;

/** Writes a file that is older than the folder's making. */
function writeEarlier(file: string, text: string): void {
  writeFileSync(file, text);
  utimesSync(file, (begunMs - 1000) / 1000, (begunMs - 1000) / 1000);
}

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'stamp-'));
  folder = join(work, 'out');
  mkdirSync(join(folder, 'links'), { recursive: true });
  source = join(work, 'source.ts');
  writeEarlier(source, 'one');
  writeFileSync(join(folder, 'index.mjs'), 'made of one');
  made = { folders: [folder], stampFile: join(work, 'stamp.json'), recipe: 'recipe', ignored: /\/links\// };
});
afterEach(() => rmSync(work, { recursive: true }));

test('a folder that was never stamped is not', () => {
  expect(isStamped(made)).toBe(false);
});

test('nothing has changed', () => {
  writeStamp(made, [source], begunMs);
  expect(isStamped(made)).toBe(true);
  // The contents matter, not the time: a checkout changes the time.
  writeFileSync(source, 'one');
  writeFileSync(join(folder, 'links/other'), 'ignored');
  expect(isStamped(made)).toBe(true);
});

test('its paths are relative, so another clone can take over the folder and the stamp', () => {
  writeStamp(made, [source], begunMs);
  const { sources, outputs } = JSON.parse(readFileSync(made.stampFile, 'utf8')) as Record<string, object>;
  const paths = Object.keys({ ...sources, ...outputs });
  expect(paths).toHaveLength(2);
  expect(paths.filter(isAbsolute)).toEqual([]);
});

test.each<[string, () => void]>([
  ['a source has other contents', () => writeFileSync(source, 'two')],
  ['a source is gone', () => rmSync(source)],
  ['a file in the folder was edited', () => writeFileSync(join(folder, 'index.mjs'), 'an edit')],
  ['a file in the folder is gone', () => rmSync(join(folder, 'index.mjs'))],
  ['a file in the folder is new', () => writeFileSync(join(folder, 'new.mjs'), '')],
  ['the folder is gone', () => rmSync(folder, { recursive: true })],
  ['the recipe is another', () => Object.assign(made, { recipe: 'another' })],
  ['the stamp is broken', () => writeFileSync(made.stampFile, '{')],
  ['the folder is being made', () => removeStamp(made)],
])('%s', (_, change) => {
  writeStamp(made, [source], begunMs);
  expect(isStamped(made)).toBe(true);
  change();
  expect(isStamped(made)).toBe(false);
});

test('a source that changed while the folder was made leaves no stamp', () => {
  writeFileSync(source, 'saved during the making');
  writeStamp(made, [source], begunMs);
  expect(isStamped(made)).toBe(false);
});
