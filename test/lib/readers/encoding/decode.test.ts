import { expect, test } from 'vitest';
import { decode } from '../../../../lib/readers/encoding/decode.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const wrong = Buffer.of(0xe4);

/** Windows-1251: "Привет". */
const cyrillic = Buffer.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
/** Shift_JIS: "プラ". */
const japanese = Buffer.of(0x83, 0x76, 0x83, 0x89);

type Case = [string, Uint8Array, 'markup' | 'text', string | undefined, string];

test.each<Case>([
  ['UTF-8', Buffer.from('Gerät – 5 €'), 'text', undefined, 'Gerät – 5 €'],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGerät'), 'text', undefined, 'Gerät'],
  ['UTF-16 with a byte order mark', utf16('\ufeffGerät'), 'text', undefined, 'Gerät'],
  ['big-endian UTF-16 with a mark', utf16('\ufeffGerät').swap16(), 'text', undefined, 'Gerät'],
  ['a mark before the header', utf16('\ufeffGerät'), 'text', 'text/plain; charset=utf-8', 'Gerät'],
  ['UTF-16 without a mark', utf16('Das Gerät'), 'text', undefined, 'Das Gerät'],
  ['big-endian UTF-16 without a mark', utf16('Das Gerät').swap16(), 'text', undefined, 'Das Gerät'],
  ['Russian UTF-16 without a mark', utf16('Привет, мир'), 'text', undefined, 'Привет, мир'],
  [
    'Chinese UTF-16 without a mark',
    utf16('营业时间：九点 到五点。\n'),
    'text',
    undefined,
    '营业时间：九点 到五点。\n',
  ],
  [
    'UTF-8 with a null character',
    Buffer.from('Öffnungszeiten:\0 neun bis fünf'),
    'text',
    undefined,
    'Öffnungszeiten:\0 neun bis fünf',
  ],
  ['Windows-1252', latin1('Das Ger\xe4t kostet 5 \x80.'), 'text', undefined, 'Das Gerät kostet 5 €.'],
  ['Windows-1251 with a header', cyrillic, 'text', 'text/csv; charset="windows-1251"', 'Привет'],
  ['Windows-1251 without one', cyrillic, 'text', undefined, 'Ïðèâåò'],
  [
    'the header before the markup',
    latin1('<meta charset="utf-8">\xe9'),
    'markup',
    'text/html; charset=iso-8859-1',
    '<meta charset="utf-8">é',
  ],
  [
    'a header that is wrong',
    latin1('<meta charset=windows-1252>\xe9'),
    'markup',
    'text/html; charset=utf-8',
    '<meta charset=windows-1252>é',
  ],
  [
    'a header that says UTF-16 and is wrong',
    Buffer.from('Nine to five, é'),
    'text',
    'text/plain; charset=utf-16',
    'Nine to five, é',
  ],
  ['an unknown encoding', Buffer.from('é'), 'markup', 'text/html; charset=nonsense', 'é'],
  [
    'UTF-8 with a wrong byte',
    Buffer.concat([Buffer.from('Приветик'), wrong]),
    'text',
    undefined,
    'Приветик\ufffd',
  ],
  [
    'UTF-8 with a wrong byte between letters',
    Buffer.concat([Buffer.from('Приве'), wrong, Buffer.from('тик')]),
    'text',
    undefined,
    'Приве\ufffdтик',
  ],
  [
    'UTF-8 that says so, with a wrong byte',
    Buffer.concat([Buffer.from('Приветик'), wrong]),
    'text',
    'text/plain; charset=utf-8',
    'Приветик\ufffd',
  ],
  [
    'UTF-8 with a letter that is cut',
    Buffer.concat([Buffer.from('Приветик'), Buffer.of(0xe2, 0x82)]),
    'text',
    undefined,
    'Приветик\ufffd',
  ],
  [
    'Shift_JIS with a wrong byte',
    Buffer.concat([japanese, japanese, Buffer.of(0xff)]),
    'text',
    'text/plain; charset=shift_jis',
    'プラプラ\ufffd',
  ],
  [
    'Shift_JIS with a wrong byte before ASCII',
    Buffer.concat([japanese, japanese, Buffer.of(0x85), latin1('<a')]),
    'text',
    'text/plain; charset=shift_jis',
    'プラプラ\ufffd<a',
  ],
  [
    'Big5 with a byte that Node takes as a control character',
    Buffer.concat([Buffer.from('a4a4a4e5a4a4a4e5', 'hex'), Buffer.of(0x80), latin1('\n')]),
    'text',
    'text/plain; charset=big5',
    '中文中文\ufffd\n',
  ],
  ['ISO-2022-JP', Buffer.from('a \x1b$B%W%i\x1b(B b'), 'text', undefined, 'a プラ b'],
  ['colours of a terminal', Buffer.from('\x1b[1ma'), 'text', undefined, '\x1b[1ma'],
  ['UTF-8 with sequences of ISO-2022-JP', Buffer.from('é \x1b$B%W'), 'text', undefined, 'é \x1b$B%W'],
  ['a code page of Windows', japanese, 'text', 'text/plain; charset=cp932', 'プラ'],
  ['another code page', Buffer.of(0xb0, 0xa1), 'text', 'text/plain; charset=MS949', '가'],
  ['a code page that no standard has', Buffer.from('é'), 'text', 'text/plain; charset=cp437', 'é'],
  ['UTF-8 that is stated as ASCII', Buffer.from('é'), 'text', 'text/plain; charset=us-ascii', 'é'],
  ['an encoding without letters', Buffer.from('é'), 'text', 'text/plain; charset=x-user-defined', 'é'],
  ['nothing', Buffer.of(), 'text', undefined, ''],
])('decodes %s', (_, bytes, kind, contentType, text) => {
  expect(decode(bytes, { isMarkup: kind === 'markup', contentType }).text).toBe(text);
});

test.each<[string, string, string]>([
  ['a meta', '<meta charset=windows-1251>', 'Привет'],
  [
    'a meta with http-equiv',
    `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">`,
    'Привет',
  ],
  ['a meta with content and no http-equiv', '<meta content="text/html; charset=windows-1251">', 'Ïðèâåò'],
  ['a meta in a comment', '<!-- <meta charset=windows-1251> -->', 'Ïðèâåò'],
  ['a meta in a script', `<script>'<meta charset=windows-1251>'</script>`, 'Ïðèâåò'],
  ['a meta after a comment with a script', '<!-- <script> --><meta charset=windows-1251>', 'Привет'],
  ['a meta that ends in its middle', '<meta http-equiv=content-type content="text/html; charset">', 'Ïðèâåò'],
  ['a meta that says UTF-8', '<meta charset=utf-8>', 'Ïðèâåò'],
  ['an XML declaration', '<?xml version="1.0" encoding="windows-1251"?>', 'Привет'],
  ['a meta after 1024 bytes', `${' '.repeat(1024)}<meta charset=windows-1251>`, 'Ïðèâåò'],
])('reads %s', (_, start, text) => {
  const bytes = Buffer.concat([latin1(start), cyrillic]);
  expect(decode(bytes, { isMarkup: true }).text).toBe(start + text);
});

test('a meta in a text is no statement', () => {
  const text = 'Write `<meta charset=windows-1251>`, then “Привет”.';
  expect(decode(Buffer.from(text), { isMarkup: false }).text).toBe(text);
});

test('a meta that says UTF-16 means UTF-8', () => {
  const text = '<meta charset="utf-16">é';
  expect(decode(Buffer.from(text), { isMarkup: true })).toMatchObject({ text, encoding: 'utf-8' });
});

test.each<[string, Uint8Array, string, number, boolean]>([
  ['wrong bytes', Buffer.concat([Buffer.from('Приветик'), wrong]), 'utf-8', 1, false],
  ['a U+FFFD of the text', Buffer.from('Приветик\ufffd'), 'utf-8', 0, false],
  ['a U+FFFD of a text in UTF-16', utf16('\ufeffGerät \ufffd'), 'utf-16le', 0, false],
  ['four valid letters for a wrong byte', Buffer.concat([Buffer.from('Прив'), wrong]), 'utf-8', 1, false],
  ['three valid letters', Buffer.concat([Buffer.from('При'), wrong]), 'windows-1252', 0, true],
  ['half of a surrogate pair', utf16('\ufeffGerät \ud83d'), 'utf-16le', 1, false],
  ['an encoding that nothing shows', latin1('Ger\xe4t'), 'windows-1252', 0, true],
])('counts %s', (_, bytes, encoding, replaced, isAssumed) => {
  expect(decode(bytes, { isMarkup: false })).toMatchObject({ encoding, replaced, isAssumed });
});

test('an XML declaration states the encoding of XML that is no HTML, and a meta element does not', () => {
  const xml = Buffer.concat([latin1('<?xml version="1.0" encoding="windows-1251"?><a>'), cyrillic]);
  expect(decode(xml, { isMarkup: false })).toMatchObject({ encoding: 'windows-1251', isAssumed: false });
  const text = Buffer.concat([latin1('<meta charset="windows-1251">'), cyrillic]);
  expect(decode(text, { isMarkup: false })).toMatchObject({ encoding: 'windows-1252', isAssumed: true });
});

test('5 MB with a single é are in Windows-1252', () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024, 'Nine to five. ');
  bytes[bytes.length / 2] = 0xe9;
  const { text, encoding } = decode(bytes, { isMarkup: false });
  expect(encoding).toBe('windows-1252');
  expect(text.replace('é', '')).not.toMatch(/[^ -~]/);
});

test('no invalid sequence takes a valid character with it', () => {
  // The Encoding Standard gives a trail byte back if it is ASCII (sections 10 to 13).
  for (const label of ['shift_jis', 'big5', 'euc-kr', 'euc-jp', 'gb18030', 'windows-1251', 'utf-8']) {
    for (let lead = 0x80; lead < 0x100; lead += 1) {
      const bytes = Buffer.concat([Buffer.of(lead), latin1('\n')]);
      const options = { isMarkup: false, contentType: `text/plain; charset=${label}` };
      expect(decode(bytes, options).text, `${label} ${lead}`).toMatch(/\n$/);
    }
  }
});

test.each(['shift_jis', 'gb18030', 'utf-16', 'utf-8', 'iso-2022-jp'])(
  '%s: the work is linear in the bytes',
  (label) => {
    const bytes = Buffer.alloc(25 * 1024 * 1024);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 7919 + (at >> 8)) & 0xff;
    const start = process.cpuUsage();
    decode(bytes, { isMarkup: true, contentType: `text/html; charset=${label}` });
    // Other processes do not count.
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  },
);
