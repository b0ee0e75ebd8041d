import { expect, test } from 'vitest';
import { decodeText } from '../../../lib/readers/decode-text.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = Buffer.from('\ufeffGerät', 'utf16le');

test.each<[string, Uint8Array, 'html' | 'text', string | undefined, string]>([
  ['UTF-8', Buffer.from('Gerät – 5 €'), 'text', undefined, 'Gerät – 5 €'],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffGerät'), 'text', undefined, 'Gerät'],
  ['UTF-16 with a byte order mark', utf16, 'text', undefined, 'Gerät'],
  ['a byte order mark before the header', utf16, 'text', 'text/plain; charset=utf-8', 'Gerät'],
  [
    'no statement and not UTF-8',
    latin1('Das Ger\xe4t kostet 5 \x80.'),
    'text',
    undefined,
    'Das Gerät kostet 5 €.',
  ],
  ['the header', Buffer.from([0xef, 0xf0, 0xe8]), 'text', 'text/plain; charset="windows-1251"', 'при'],
  [
    'the header before HTML',
    latin1('<meta charset="utf-8">\xe9'),
    'html',
    'text/html; charset=iso-8859-1',
    '<meta charset="utf-8">é',
  ],
  [
    'HTML',
    latin1('<meta charset="windows-1252">\xe9'),
    'html',
    'text/html',
    '<meta charset="windows-1252">é',
  ],
  [
    'a header that is wrong',
    latin1('<meta charset=windows-1252>\xe9'),
    'html',
    'text/html; charset=utf-8',
    '<meta charset=windows-1252>é',
  ],
  ['an unknown encoding', Buffer.from('é'), 'html', 'text/html; charset=nonsense', 'é'],
  [
    'HTML that says UTF-16 and is not',
    Buffer.from('<meta charset="utf-16">é'),
    'html',
    undefined,
    '<meta charset="utf-16">é',
  ],
  [
    'UTF-8 with one wrong byte',
    Buffer.concat([Buffer.from('Привет'), Buffer.of(0xe4)]),
    'text',
    undefined,
    'Привет\ufffd',
  ],
  [
    'a stated encoding with a wrong byte',
    Buffer.of(0x83, 0x76, 0x83, 0x89, 0xff),
    'text',
    'text/plain; charset=shift_jis',
    'プラ\ufffd',
  ],
  ['nothing', Buffer.of(), 'text', undefined, ''],
])('by %s', (_, bytes, type, contentType, text) => {
  expect(decodeText(bytes, type, contentType)).toBe(text);
});
