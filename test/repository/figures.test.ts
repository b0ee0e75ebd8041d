/** Every figure in the documents comes from a benchmark, or a test compares it with the code. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stackTable } from '../../bench/synth.ts';
import { readUnitRows } from '../../bench/units.ts';
import { endpoints } from '../../functions/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { figures } from '../support/figures.ts';

const read = (document: string) => readFileSync(resolve(root, document), 'utf8');
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** What benchmarks write, between its marks. */
const generated = /<!-- ([\w-]+) -->[\s\S]*?<!-- \/\1 -->/g;

/** @returns what a benchmark has written into a document */
function written(document: string, name: string): string {
  const text = read(document);
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  expect(text).toContain(start);
  return text.slice(text.indexOf(start) + start.length, text.indexOf(end)).trim();
}

/** @returns a document's text without code, addresses and names, in which digits are no figures */
const prose = (text: string) =>
  flat(
    text
      .replace(generated, '')
      .replace(/^( *)```[\s\S]*?^\1```/gm, '')
      // The rows of docs/storage.md that test/promises/capacity.test.ts and test/promises/worker-capacity.test.ts are about.
      .replace(/^\|[^|]+\|([^|\d]*\|)?( \d+ \|)+$/gm, '')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/`[^`]*`/g, '`')
      .replace(/^( *\d+\.) /gm, ''),
  ).replace(
    /\b(SHA-256|AES-256-GCM|UTF-8|UTF-16|BM25|CRC-32|UAX #29|FTS5|base 62|Base62|Apache-2\.0|Node 24|HTTP\/\d|TLS 1)\b/g,
    '',
  );

/** A status of HTTP, and no quantity of something. */
const status =
  /\b(20[0-2]|304|4(0[0-9]|1[0-9]|2[29])|50[0-4])\b(?! ?(KB|MB|characters|documents|pieces|messages|th|users))/g;

describe.each(Object.entries(figures))('%s', (document, sentences) => {
  const text = flat(read(document));

  test('states the figures of the code', () => {
    const missing = sentences.map((one) => one.replace(/^fact:/, '')).filter((one) => !text.includes(one));
    expect(missing).toEqual([]);
  });

  test('states no other figure', () => {
    let left = prose(read(document));
    const longestFirst = sentences
      .map((one) => prose(one.replace(/^fact:/, '')).trim())
      .sort((a, b) => b.length - a.length);
    for (const one of longestFirst) left = left.replaceAll(one, '');
    const others = [...left.replace(status, '').matchAll(/.{0,40}\d.{0,40}/g)].map(([found]) => found);
    expect(others).toEqual([]);
  });
});

const command = (name: string) => `npm run bench -- ${name} --write`;

test(`the sizes of the stacks are those of the code: ${command('stacks')}`, () => {
  expect(written('docs/capacity.md', 'stacks')).toBe(stackTable());
});

test.each(['functions', 'requests'])('the table of %s has every endpoint', (name) => {
  const rows = written('docs/performance.md', name).matchAll(/^\| `([\w.-]+)/gm);
  const ids = new Set([...rows].map(([, id]) => id));
  expect([...ids].sort(), command(name)).toEqual(endpoints.map(({ id }) => id).sort());
});

test('who adds an endpoint, a table or a worker is told to write all tables that tests compare', () => {
  const commands = ['CONTRIBUTING.md', 'scripts/new.ts']
    .flatMap((file) => [...read(file).matchAll(/npm run bench -- ([a-z ]+) --write/g)])
    .map(([, parts]) => parts);
  const compared = 'stacks costs limits';
  const endpoint = `functions requests ${compared}`;
  expect(commands).toEqual([endpoint, compared, compared, endpoint]);
});

test(`the requests were measured with the round trips and units of docs/storage.md: ${command('requests')}`, () => {
  // In the benchmark, a list has more items to read than in the tests of docs/storage.md.
  const shown = (id: string, readUnits: number) =>
    id.endsWith('.list') ? 'those of a longer list' : readUnits;
  const variants: Readonly<Record<string, string>> = { '': '', 'with key': 'new', replayed: 'replayed' };
  const rows = written('docs/performance.md', 'requests').matchAll(
    /^\| `([\w.-]+)(?:, ([\w ]+))?` \| (\d+) \| (\d+) \| (\d+) \|/gm,
  );
  const measured = [...rows].map(([, id = '', variant = '', roundTrips, readUnits, writeUnits]) => ({
    id,
    variant: variants[variant],
    roundTrips: Number(roundTrips),
    readUnits: shown(id, Number(readUnits)),
    writeUnits: Number(writeUnits),
  }));
  const stated = readUnitRows().map((row) => ({ ...row, readUnits: shown(row.id, row.readUnits) }));
  const sorted = (all: readonly { id: string; variant: string | undefined }[]) =>
    all.toSorted((one, other) => (`${one.id} ${one.variant}` < `${other.id} ${other.variant}` ? -1 : 1));
  expect(sorted(measured)).toEqual(sorted(stated));
});

test('a middleware has about 100 lines at most', () => {
  expect(read('CONTRIBUTING.md')).toContain('A middleware is one file, about 100 lines');
  for (const file of globSync('lib/http/middleware/*.ts', { cwd: root })) {
    expect(read(file).split('\n').length, file).toBeLessThan(110);
  }
});
