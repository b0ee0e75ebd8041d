/** Mails and saved pages as blocks. */

import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../lib/readers/blocks.ts';
import { TooComplex } from '../../../../lib/readers/html/parse.ts';
import { isMail, readMail } from '../../../../lib/readers/mail/read.ts';
import { markdownOf } from '../../../../lib/readers/markdown.ts';

const header = [
  'From: Robin Lake <robin@acme.example>',
  'Date: Fri, 27 Nov 2026 10:00:00 +0100',
  'MIME-Version: 1.0',
];

async function read(lines: readonly string[], encoding: BufferEncoding = 'utf8') {
  const blocks: Block[] = [];
  const bytes = Buffer.from(lines.join('\r\n'), encoding);
  const notes = await readMail(bytes, (block) => void blocks.push(block), 100_000);
  return { blocks, notes, text: markdownOf(blocks) };
}
const part = (type: string, body: string, ...more: string[]) => [
  '--b',
  `Content-Type: ${type}`,
  ...more,
  '',
  body,
];
const multipart = (kind: string, ...parts: string[][]) => [
  `Content-Type: multipart/${kind}; boundary=b`,
  '',
  ...parts.flat(),
  '--b--',
];

test('a mail of text', async () => {
  const subject = 'Subject: =?UTF-8?Q?Your_r=C3=BCckgabe?=';
  const { blocks, notes } = await read([
    ...header,
    subject,
    '',
    'Hello,',
    'dear team.',
    '',
    '- one',
    '2. two',
  ]);
  expect(blocks).toEqual([
    { type: 'heading', level: 1, text: 'Your rückgabe' },
    { type: 'field', label: 'From', value: 'Robin Lake <robin@acme.example>' },
    { type: 'field', label: 'Date', value: 'Fri, 27 Nov 2026 10:00:00 +0100' },
    { type: 'paragraph', text: 'Hello,\ndear team.' },
    { type: 'listItem', marker: '-', depth: 0, text: 'one' },
    { type: 'listItem', marker: '2.', depth: 0, text: 'two' },
  ]);
  expect(notes).toEqual([]);
});

test('HTML comes before text, and attachments are counted', async () => {
  const alternative = multipart(
    'mixed',
    part(
      'text/html; charset=iso-8859-2',
      '<h2>=B3</h2><p hidden>no<p>30 days',
      'Content-Transfer-Encoding: quoted-printable',
    ),
    part(
      'application/pdf; name=a.pdf',
      'JVBERi0=',
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
    ),
    part('image/png', 'iVBO', 'Content-ID: <logo>', 'Content-Transfer-Encoding: base64'),
    part('text/csv; name=b.csv', 'a,b'),
  );
  const { text, notes } = await read([...header, ...alternative]);
  expect(text.split('\n').slice(-3)).toEqual(['## ł', '', '30 days']);
  expect(notes).toEqual([{ code: 'attachments_left_out', count: 2 }]);
  const both = multipart('alternative', part('text/plain', 'plain'), part('text/html', '<p>html'));
  expect((await read([...header, ...both])).text).toMatch(/\n\nhtml$/);
});

test('a page that a browser has saved', async () => {
  const page = [
    'From: <Saved by Blink>',
    'Snapshot-Content-Location: https://acme.example/',
    'Subject: Shop',
    'MIME-Version: 1.0',
    ...multipart(
      'related',
      part(
        'text/html',
        '<html><body><h1>Opening =C3=BCber</h1></body></html>',
        'Content-Transfer-Encoding: quoted-printable',
      ),
      part('image/png', 'iVBO', 'Content-Location: https://acme.example/a.png'),
      part('text/css', 'p {}', 'Content-Location: https://acme.example/a.css'),
    ),
  ];
  expect(isMail(page.join('\r\n'))).toBe(true);
  expect(await read(page)).toMatchObject({ text: '# Shop\n\n# Opening über', notes: [] });
});

test('HTML that is too complex, and parts that are nested too deeply, are refused', async () => {
  await expect(read(['Content-Type: text/html', '', '<p>'.repeat(100_001)])).rejects.toThrow(TooComplex);
  const parts = Array.from({ length: 300 }, (_, at) => [
    `--b${at}`,
    `Content-Type: multipart/mixed; boundary=b${at + 1}`,
    '',
  ]);
  const nested = ['Content-Type: multipart/mixed; boundary=b0', '', ...parts.flat()];
  await expect(read(nested)).rejects.toThrow('nesting');
});

describe('the header of a mail', () => {
  test.each([
    'MIME-Version: 1.0\nSubject: x\n\ntext',
    'Received: from a\n by b\n\tfor c\r\nFrom: a\r\n\r\ntext: 1',
    'Message-ID: <x>\nDate: today',
  ])('is in %j', (text) => expect(isMail(text)).toBe(true));

  test.each([
    '',
    'Subject: x\nFrom: y\nDate: z\n\ntext',
    'MIME-Version: 1.0\n\nSubject: x',
    'MIME-Version: 1.0\nThe text\nSubject: x',
    '# Notes\nMIME-Version: 1.0\nSubject: x',
    'title: x\ndate: y\n---',
  ])('is not in %j', (text) => expect(isMail(text)).toBe(false));
});

/** Mails of the maximum size need the memory of the process that reads files (hostile-file.ts). */
describe('the worst mail takes linear time', { tags: ['long'] }, () => {
  const size = 1_000_000;
  const nested = (depth: number) =>
    Array.from(
      { length: depth },
      (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`,
    ).join('');
  const mails: readonly (readonly [string, () => string])[] = [
    ['lines', () => '\n'.repeat(size)],
    [
      'boundaries',
      () => `MIME-Version: 1\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n'.repeat(size / 4)}`,
    ],
    [
      'boundaries that do not match',
      () => `Content-Type: multipart/mixed; boundary=b0\n\n${nested(250)}${'--c\n'.repeat(size / 4)}`,
    ],
    ['nested parts', () => `Content-Type: multipart/mixed; boundary=b0\n\n${nested(100_000)}`],
    ['headers', () => 'A: b\n'.repeat(size / 5)],
    ['folded headers', () => `A: b\n${' c\n'.repeat(size / 3)}`],
    ['a subject of words', () => `Subject: ${'=?utf-8?q?a?= '.repeat(100_000)}\n\n`],
    ['addresses', () => `From: ${'a <a@b>, '.repeat(200_000)}\n\n`],
    ['a long line', () => `Content-Type: text/plain; format=flowed\n\n${'a '.repeat(size / 2)}`],
    ['quotations', () => `Content-Type: text/plain; format=flowed\n\n${'> \n'.repeat(size / 3)}`],
    ['base64', () => `Content-Transfer-Encoding: base64\n\n${'A'.repeat(size)}`],
    ['messages in messages', () => 'Content-Type: message/rfc822\n\n'.repeat(size / 31)],
  ];
  test.each(mails)('%s', async (_, mail) => {
    const begun = process.cpuUsage().user;
    await readMail(Buffer.from(mail()), () => {}, 3_000_000).catch(() => {});
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(20e6);
  });
});
