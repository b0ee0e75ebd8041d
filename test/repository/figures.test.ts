/** Every figure in the documents comes from a benchmark, or a test compares it with the code. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { figures } from '../support/figures.ts';

const read = (document: string) => readFileSync(resolve(root, document), 'utf8');
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** What benchmarks write, between its marks. */
const generated = /<!-- ([\w-]+) -->[\s\S]*?<!-- \/\1 -->/g;

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

test('a middleware has about 100 lines at most', () => {
  expect(read('CONTRIBUTING.md')).toContain('A middleware is one file, about 100 lines');
  for (const file of globSync('lib/http/middleware/*.ts', { cwd: root })) {
    expect(read(file).split('\n').length, file).toBeLessThan(110);
  }
});
