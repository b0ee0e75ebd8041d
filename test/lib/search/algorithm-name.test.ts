/**
 * Two versions of an index with the same contents have the same name, so what makes pieces of a content may only change together with
 * the name of the algorithm (lib/search/index/algorithms.ts). Deployments keep the versions of the earlier name.
 */

import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { currentAlgorithm } from '../../../lib/search/index/algorithms.ts';
import { readDocument } from '../../../lib/search/pieces/read-document.ts';

const cell = (text: string, spans = '') => `<td ${spans}>${text}</td>`;

const html = [
  '<h1>Fees</h1><p>A # and a * and <b>bold</b> text.</p><pre>let a = 1\n\n# no heading</pre>',
  `<table><caption>Plans</caption><tr>${cell('Home', 'rowspan=2')}${cell('9', 'colspan=2')}</tr><tr>${cell('')}${cell('a|b')}</tr></table>`,
  `<table><tr>${cell('Title', 'colspan=2')}</tr><tr>${cell('a')}${cell('b')}</tr><tr>${cell('1')}${cell('2')}</tr></table>`,
  `<table><tr>${cell('One column')}</tr><tr>${cell('a')}</tr><tr>${cell('b')}</tr></table>`,
  '<ol start=3><li>three<ul><li>inner</ul><li value=9>nine</ol><dl><dt>term<dd>meaning</dl><nav>menu</nav><p hidden>hidden</p>',
  '<p>500<sup>1</sup> for 10 m<sub>2</sub> <img alt="in red"><input type=checkbox checked><input value=typed></p>',
  `<table>${`<tr>${cell('Wide '.repeat(100), 'colspan=5')}${cell('x')}</tr>`.repeat(9)}</table>`,
  `<p>${'A sentence of a long paragraph. '.repeat(100)}</p>`,
].join('\n');

const markdown = [
  '# Fees\n\nA paragraph.\n\n```\n# code\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n',
  `## Long\n\n${'A sentence of a long paragraph. '.repeat(100)}\n\n* one\n* two\n\f\nAnother page`,
].join('\n');

const csv = `name;'price; in all'\n${Array.from({ length: 200 }, (_, row) => `book ${row};'1;\n${row}'`).join('\n')}`;

test('the pieces of a content change only together with the name of the algorithm', () => {
  const pieces = (
    [
      ['text/html', html],
      ['text/markdown', markdown],
      ['text/plain', csv],
    ] as const
  ).map(([mimeType, content]) => readDocument({ title: 'Title', content, mimeType }).chunks);
  expect([currentAlgorithm, hash('sha256', JSON.stringify(pieces)).slice(0, 16)]).toEqual([
    'bm25f-1/postings-1/html-3/chunks-1200-6/terms-3',
    '3f2323b15fb5cb34',
  ]);
});
