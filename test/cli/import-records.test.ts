/** The records of an export: JSON lines, an array, indented values; damaged and very large ones; in pieces of any size. */

import { expect, test } from 'vitest';
import { recordsOf, type SourceRecord } from '../../cli/src/import/records.ts';

const maxBytes = 1000;

async function read(bytes: string | Uint8Array, pieceBytes = 7, max = maxBytes): Promise<SourceRecord[]> {
  const all = Buffer.from(bytes as string);
  const pieces = async function* () {
    for (let at = 0; at < all.length; at += pieceBytes) yield all.subarray(at, at + pieceBytes);
  };
  const records: SourceRecord[] = [];
  for await (const record of recordsOf(pieces(), max)) records.push(record);
  return records;
}

const notJson = 'The record is not JSON.';
const tooLarge = 'The record has more than 1000 bytes.';
const long = JSON.stringify('x'.repeat(2000));

test.each<[string, string, SourceRecord[]]>([
  ['nothing', '', []],
  ['blank lines', '\n \r\n\t', []],
  ['one line', '{"a":1}', [{ line: 1, text: '{"a":1}' }]],
  [
    'lines',
    '{"a":1}\r\n\n{"a":"\\n[{"}\n3\n',
    [
      { line: 1, text: '{"a":1}\r' },
      { line: 3, text: '{"a":"\\n[{"}' },
      { line: 4, text: '3' },
    ],
  ],
  ['a byte order mark', '\ufeff{"a":1}\n', [{ line: 1, text: '{"a":1}' }]],
  [
    'damaged lines',
    '{"a":\n{"a":1}\noops\n{"a":2}',
    [
      { line: 1, problem: notJson },
      { line: 2, text: '{"a":1}' },
      { line: 3, problem: notJson },
      { line: 4, text: '{"a":2}' },
    ],
  ],
  [
    'a line that is too long',
    `{"a":1}\n${long}\n{"a":2}\n`,
    [
      { line: 1, text: '{"a":1}' },
      { line: 2, problem: tooLarge },
      { line: 3, text: '{"a":2}' },
    ],
  ],
  ['an empty array', ' [ ]\n', []],
  [
    'an array',
    '[{"a":[1,"]"]},\n "x\\"," , 3,null\n]\n',
    [
      { line: 1, text: '{"a":[1,"]"]}' },
      { line: 2, text: '"x\\","' },
      { line: 2, text: '3' },
      { line: 2, text: 'null' },
    ],
  ],
  [
    'an array with damaged and long items',
    `[oops,\n${long},\n{"a":},{"a":1}]`,
    [
      { line: 1, problem: notJson },
      { line: 2, problem: tooLarge },
      { line: 3, problem: notJson },
      { line: 3, text: '{"a":1}' },
    ],
  ],
  [
    'an array that is cut off',
    '[{"a":1},\n',
    [
      { line: 1, text: '{"a":1}' },
      { line: 2, problem: 'The file ends inside its array.' },
    ],
  ],
  [
    'an array that is cut off in an item',
    '[{"a":1},\n{"b":"',
    [
      { line: 1, text: '{"a":1}' },
      { line: 2, problem: notJson },
    ],
  ],
  [
    'indented objects',
    '{\n  "a": {\n    "b": "}"\n  }\n}\n{\n  "a": 2\n}\n',
    [
      { line: 1, text: '{\n  "a": {\n    "b": "}"\n  }\n}' },
      { line: 6, text: '{\n  "a": 2\n}' },
    ],
  ],
])('%s', async (_title, text, expected) => {
  for (const pieceBytes of [1, 7, 100_000]) expect(await read(text, pieceBytes)).toEqual(expected);
});

test('bytes that are not UTF-8 are a problem of their record', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":1}\n"'), Buffer.from([0xff]), Buffer.from('"\n{"a":2}')]);
  expect(await read(bytes)).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, problem: 'The record is not UTF-8 text.' },
    { line: 3, text: '{"a":2}' },
  ]);
});

test.each([
  ['brackets', '['.repeat(3_000_000)],
  ['one string', `["${'x'.repeat(3_000_000)}`],
  ['blanks', ' '.repeat(3_000_000)],
  ['one line', `{"a":"${'x'.repeat(3_000_000)}`],
])('a file that is only %s takes little time and memory', async (_title, text) => {
  const records = await read(text, 65_536);
  expect(records.length).toBeLessThanOrEqual(1);
  for (const record of records) expect(record).toMatchObject({ problem: expect.any(String) });
});
