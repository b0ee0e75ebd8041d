/** Mails and saved pages as blocks. */

import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../lib/readers/blocks.ts';
import { TooComplex } from '../../../../lib/readers/html/parse.ts';
import { isMail } from '../../../../lib/readers/mail/header.ts';
import { readMail } from '../../../../lib/readers/mail/read.ts';
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

const base64 = 'Content-Transfer-Encoding: base64';
const encoded = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('the texts of parts', () => {
  test.each([
    [
      'in Shift_JIS with a wrong byte',
      'text/plain; charset=shift_jis',
      '8376838983768389fc0a61',
      'プラプラ\ufffd\na',
    ],
    [
      'in Big5 with a byte that Node takes as a control character',
      'text/plain; charset=big5',
      'a4a4a4e5a4a4a4e580',
      '中文中文\ufffd',
    ],
    ['in a code page of Windows', 'text/plain; charset=cp949', 'b0a1', '가'],
    ['in KOI8-U', 'text/plain; charset="koi8-u"', 'f0d2c9d7a6d4', 'Привіт'],
    [
      'of HTML that states its encoding',
      'text/html',
      '3c6d65746120636861727365743d77696e646f77732d313235313ecff0e8',
      'При',
    ],
    ['in UTF-8 that are stated as ASCII', 'text/plain; charset=us-ascii', 'c3bc', 'ü'],
  ])('%s', async (_, type, hex, text) => {
    const mail = await read(multipart('mixed', part(type, encoded(hex), base64)));
    expect(mail.text).toBe(text);
  });

  test('are noted if bytes are wrong, or nothing states an encoding', async () => {
    const wrong = part('text/plain; charset=utf-8', encoded('d0bfd180d0b8d0b2d0b5d182ff'), base64);
    const assumed = part('text/plain', encoded('e4'), base64);
    expect((await read(multipart('mixed', wrong, assumed))).notes).toEqual([
      { code: 'characters_replaced', count: 1 },
      { code: 'encoding_assumed', count: 1 },
    ]);
  });

  test('whose lines a program has divided are joined, also quotations', async () => {
    const lines = ['> Is it ', '> open?', '>> Yes ', 'Nine ', 'to five. ', '-- ', 'Robin'];
    const flowed = ['Content-Type: text/plain; Format=Flowed', '', ...lines];
    expect((await read(flowed)).text).toBe('> Is it open?\n>> Yes\nNine to five.\n\\--\nRobin');
    const type = 'Content-Type: text/plain; format=flowed; delsp=yes';
    expect((await read([type, '', 'manu ', 'facture', '  two'])).text).toBe('manufacture\ntwo');
  });

  test('come in their order, and the best alternative is read', async () => {
    const inner = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      'Content-Type: text/html',
      '',
      '<p>html',
      '--c',
    ];
    const named = [
      ...inner,
      'Content-Type: application/pdf; name=a.pdf',
      'Content-ID: <x>',
      '',
      '%PDF',
      '--c--',
    ];
    const mail = multipart('alternative', part('text/plain', 'plain'), named, part('text/calendar', 'BEGIN'));
    expect(await read(mail)).toMatchObject({
      text: 'html',
      notes: [{ code: 'attachments_left_out', count: 1 }],
    });
    const texts = multipart(
      'mixed',
      part('text/plain', 'one'),
      part('text/html', '<b>two'),
      part('', 'three'),
    );
    expect((await read(texts)).text).toBe('one\n\n**two**\n\nthree'.replaceAll('**', ''));
    expect((await read(['Content-Type: multipart/mixed', '', 'without a boundary'])).text).toBe(
      'without a boundary',
    );
  });
});

test('a mail in a mail is read below its subject, unless it is attached', async () => {
  const inner = ['Subject: inner', 'From: <a@b.example>', '', 'text'].join('\r\n');
  const mail = multipart('mixed', part('text/plain', 'See below.'), part('message/rfc822', inner));
  expect((await read(['Subject: outer', ...mail])).text).toBe(
    '# outer\n\nSee below.\n\n## inner\n\nFrom: a@b.example\n\ntext',
  );
  const attached = multipart('mixed', part('message/rfc822', inner, 'Content-Disposition: attachment'));
  expect((await read(attached)).notes).toEqual([{ code: 'attachments_left_out', count: 1 }]);
  const nested = 'Content-Type: message/rfc822\r\n\r\n'.repeat(30);
  expect(await read([`${nested}text`])).toMatchObject({
    notes: [{ code: 'attachments_left_out', count: 1 }],
  });
});

test('signatures are no attachments, and an encrypted mail is refused', async () => {
  const signed = multipart(
    'signed',
    part('text/plain', 'text'),
    part('application/pkcs7-signature; name=smime.p7s', 'MII', base64),
  );
  expect(await read(signed)).toMatchObject({ text: 'text', notes: [] });
  for (const type of [
    'application/pkcs7-mime; smime-type=enveloped-data',
    'multipart/encrypted; boundary=b',
  ]) {
    const mail = ['Subject: x', `Content-Type: ${type}`, base64, '', 'MII'];
    await expect(read(mail)).rejects.toMatchObject({ code: 'encrypted' });
  }
});

test.each([
  ['=?iso-2022-jp?B?GyRCJVc=?= =?ISO-2022-JP?b?JWkbKEI=?= =?utf-8?q?=C3=BC_a?=', 'プラü a'],
  ['=?utf-8*de?Q?=C3?=\r\n =?utf-8?Q?=BC?= b =?utf-8?Q?c?=', 'ü b c'],
  ['=?unknown?q?a?= ?= =?', 'a ?= =?'],
  ['Ger\xe4t', 'Gerät'],
  [Buffer.from('Gerät').toString('latin1'), 'Gerät'],
])('the subject %j', async (subject, text) => {
  expect((await read([`Subject: ${subject}`, '', 'x'], 'latin1')).text).toBe(`# ${text}\n\nx`);
});

test('other letters in a header are in the encoding of the text', async () => {
  const mail = ['Subject: \xcf\xf0\xe8', 'Content-Type: text/plain; charset=windows-1251', '', '\xe2'];
  expect((await read(mail, 'latin1')).text).toBe('# При\n\nв');
});

test.each([
  ['"Lake, Robin" <robin@acme.example>', 'Lake, Robin <robin@acme.example>'],
  ['<robin@acme.example>', 'robin@acme.example'],
  ['Robin', 'Robin'],
])('the sender %s', async (from, text) => {
  expect((await read(['', '', `From: ${from}`, '', 'x'])).text).toBe(`From: ${text}\n\nx`);
});

test('HTML that is too complex, and parts that are nested too deeply, are refused', async () => {
  await expect(read(['Content-Type: text/html', '', '<p>'.repeat(100_001)])).rejects.toThrow(TooComplex);
  const parts = Array.from({ length: 300 }, (_, at) => [
    `--b${at}`,
    `Content-Type: multipart/mixed; boundary=b${at + 1}`,
    '',
  ]);
  const nested = ['Content-Type: multipart/mixed; boundary=b0', '', ...parts.flat()];
  await expect(read(nested)).rejects.toMatchObject({ code: 'unreadable_file' });
});

describe('the header of a mail', () => {
  test.each([
    'MIME-Version: 1.0\nSubject: x\n\ntext',
    'Received: from a\n by b\n\tfor c\r\nFrom: a\r\n\r\ntext: 1',
    'Message-ID: <x>\nDate: today',
    'From robin@acme.example Fri Nov 27 10:00:00 2026\nFrom: a\nMessage-ID: <x>',
    'From: a\nContent-Type: text/html\n\n<p>',
    'Content-Type: multipart/mixed;\n\tboundary=b\n\n--b',
  ])('is in %j', (text) => expect(isMail(text)).toBe(true));

  test.each([
    '',
    'Subject: x\nFrom: y\nDate: z\n\ntext',
    'MIME-Version: 1.0\n\nSubject: x',
    'Content-Type: text/html',
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
