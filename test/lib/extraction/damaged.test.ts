/** A damaged file has a text or a reason why it has none, soon and in little memory, and no reader fails in another way. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { damagedFiles } from '../../support/damage.ts';
import type { ReadOutcome, ReadTask } from '../../support/damage-thread.ts';
import { cell, complexField, docxFiles, item, par, row, run, table } from '../../support/docx-parts.ts';
import { encryptedPdf } from '../../support/hostile-pdfs.ts';
import { japanesePdf, pdfFile } from '../../support/sample-files.ts';

const timeLimitMs = 20_000;
/** Above what the process had before. */
const memoryLimitBytes = 700 * 1024 * 1024;

const numbering =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="§ %1"/>' +
  '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
const page =
  '<h1 id=a>Fees &amp; more</h1><ol start=3><li>third<li>fourth<ul><li>x</ul></ol><table><caption>c</caption>' +
  '<tr><th colspan=2>a<th rowspan=2>b<tr><td>1<td><table><tr><td>n</table></table><pre>code</pre><ruby>語<rt>go</ruby><!-- c --><svg><p>';
const word = docxFiles(
  `${par('Fees', '<w:pStyle w:val="Heading1"/>')}${item('one', 1)}${item('two', 1)}` +
    table(
      row(cell('a', '<w:gridSpan w:val="2"/>'), cell('b', '<w:vMerge w:val="restart"/>')),
      row(cell('c'), cell(table(row(cell('d'), cell('e')))), cell('', '<w:vMerge/>')),
    ) +
    par(run('x') + complexField('MERGEFIELD a', run('Robin'))) +
    par(
      '<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>',
    ) +
    par('<w:r><w:footnoteReference w:id="1"/></w:r>') +
    '<w:altChunk r:id="a.html"/>',
  {
    numbering,
    footnotes: `<w:footnote w:id="1">${par('note')}</w:footnote>`,
    files: { 'a.html': { kind: 'aFChunk', bytes: Buffer.from(page) } },
  },
);
const mail = [
  'From: =?UTF-8?Q?R=C3=B6bin?= <robin@acme.example>',
  'Subject: =?iso-2022-jp?B?GyRCJVclaRsoQg==?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=c',
  '',
  '--c',
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '> Gr=C3=BC=C3=9Fe =',
  'und ',
  '--c',
  'Content-Type: text/html; charset=windows-1251',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<p>\xcf\xf0\xe8</p>', 'latin1').toString('base64'),
  '--c--',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  'Date: today',
  '',
  'text',
  '--b--',
].join('\r\n');
const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset128 M;}{\f1\fcharset2 Symbol;}}{\stylesheet{\s1 heading 1;}}{\info{\title T}}
\pard\s1 Fees\par\trowd\cellx1000\clvmgf\cellx2000\pard\intbl a\cell\'e4 b\cell\row{\listtext 1.\tab}\ls1\ilvl1\u8364? one\par{\footnote n}
{\field{\*\fldinst X}{\fldrslt y}}{\upr{a}{\*\ud{b}}}{\pict\bin3 abc}{\f0\'93\'fa}\par}`;
const rows = 'Tariff;Monthly;"End ""x"""\r\n"T;1";11,00;\r\nT2;12,00;104\r\nT3;13,00;111\r\nT4;1;2\r\n';
const japanese = Buffer.from('834b8381835b83580a8376838983938376838983938376838983930a', 'hex');

type Sample = readonly [string, Uint8Array, contentType?: string | undefined];

const samples: readonly Sample[] = [
  ['PDF', pdfFile([['Returns', 'Within 30 days.'], ['Page two']])],
  ['PDF with a character map', japanesePdf('返品できます')],
  ['encrypted PDF', encryptedPdf],
  ['DOCX', zipSync(word)],
  ['DOCX, not compressed', zipSync(word, { level: 0 })],
  ['HTML', Buffer.from(`<!doctype html><meta charset=utf-8>${page}`)],
  [
    'XHTML',
    Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?><html xmlns="x"><body>${page}<![CDATA[a]]></body></html>`,
    ),
  ],
  ['mail', Buffer.from(mail)],
  ['RTF', Buffer.from(rtf)],
  ['CSV', Buffer.from(rows)],
  ['CSV that is stated', Buffer.from(rows), 'text/csv'],
  ['TSV in UTF-16', Buffer.from(`\ufeff${rows.replaceAll(';', '\t')}`, 'utf16le')],
  ['Markdown', Buffer.from('# A\n\n* one\n  1. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n')],
  ['UTF-16 without a mark', Buffer.from('Das Gerät kostet fünf €. Привет', 'utf16le')],
  ...[
    'shift_jis',
    'big5',
    'gb18030',
    'euc-kr',
    'iso-2022-jp',
    'koi8-u',
    'windows-1251',
    'utf-8',
    'utf-16',
  ].map((label) => [label, japanese, `text/plain; charset=${label}`] as const),
];

describe.each([
  ['some times', 5, ['long']],
  ['very often', 300, ['nightly']],
] as const)('damaged %s', (_, times, tags) => {
  test.each(samples.map(([name, ...sample]) => ({ name, sample })))(
    '$name',
    { tags: [...tags] },
    async ({ sample: [file, contentType] }) => {
      const before = process.memoryUsage.rss();
      const reader = openReader();
      const faults: string[] = [];
      let [count, most] = [0, 0];
      try {
        for (const { name, bytes } of damagedFiles(file, times)) {
          const { fault, residentBytes } = await reader.read({ bytes, contentType });
          if (fault !== undefined) faults.push(`${name}: ${fault}`);
          most = Math.max(most, residentBytes - before);
          count += 1;
        }
      } finally {
        await reader.close();
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(count).toBe(6 * times);
      expect(most).toBeLessThan(memoryLimitBytes);
    },
  );
});

/** A thread, because nothing else could end an endless loop. */
function openReader() {
  const open = () => new Worker(new URL('../../support/damage-thread.ts', import.meta.url));
  let worker = open();
  return {
    async read(task: ReadTask): Promise<ReadOutcome> {
      const ended = new AbortController();
      const options = { signal: ended.signal };
      worker.postMessage(task);
      try {
        return await Promise.race([
          once(worker, 'message', options).then(([outcome]): ReadOutcome => outcome),
          sleep(timeLimitMs, undefined, options).then(() => {
            throw new Error(`takes more than ${timeLimitMs} ms`);
          }),
        ]);
      } catch (error) {
        await worker.terminate();
        worker = open();
        return { fault: `${error}`, residentBytes: 0 };
      } finally {
        ended.abort();
      }
    },
    close: () => worker.terminate(),
  };
}
