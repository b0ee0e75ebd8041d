/** A page is read as a person reads it: columns one after the other, the rows of a table together. */

import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../../lib/extraction/pdf/read-pdf.ts';
import { drawnPdf, put, putLines } from '../../../support/drawn-pdf.ts';

const textOf = async (...args: Parameters<typeof drawnPdf>) =>
  (await readPdf(drawnPdf(...args))).text.replace(/\n\f\n$/, '');

const left = [
  'The parcels leave our house every',
  'morning at seven. A driver brings',
  'them to the hub, where they wait',
  'for the train to the coast. Each',
  'of them has a number, by which',
  'you can see where it is.',
];
const right = [
  'Returns are free within the first',
  'thirty days. Print the label that',
  'came with your order, and bring',
  'the parcel to any shop. We send',
  'the money as soon as it has come',
  'back to our house.',
];
const rowByRow = (pitch = 12) =>
  left
    .map((line, at) => put(50, 700 - pitch * at, line) + put(320, 700 - pitch * at, right[at] ?? ''))
    .join('');

describe('columns of text', () => {
  test('that are drawn line by line are read one after the other', async () => {
    expect(await textOf([rowByRow()])).toBe([...left, ...right].join('\n'));
  });

  test('whose lines are at different heights', async () => {
    const drawn = left.map(
      (line, at) => put(50, 700 - 12 * at, line) + put(320, 695 - 12 * at, right[at] ?? ''),
    );
    expect(await textOf([drawn.join('')])).toBe([...left, ...right].join('\n'));
  });

  test('under a title and above a line that go over both', async () => {
    const title = put(
      50,
      730,
      'The conditions for all parcels that we send, in the version of this year',
      14,
    );
    const foot = put(50, 600, 'These conditions are valid from the first of May until the end of the year');
    expect(await textOf([title + rowByRow() + foot])).toBe(
      [
        'The conditions for all parcels that we send, in the version of this year',
        '',
        ...left,
        ...right,
        '',
        'These conditions are valid from the first of May until the end of the year',
      ].join('\n'),
    );
  });

  test('three of them', async () => {
    const lines = [
      'All the words of a column',
      'that is rather narrow are',
      'below each other, and none',
      'of them is read as a part',
      'of the next column.',
    ];
    const drawn = lines.map((line, at) => [50, 230, 410].map((x) => put(x, 700 - 12 * at, line)).join(''));
    expect(await textOf([drawn.join('')])).toBe([...lines, ...lines, ...lines].join('\n'));
  });
});

const prices = [
  ['Plan', 'Setup', 'Month', 'Leaving'],
  ['Home', '9.00', '', '80.00'],
  ['Office', '19.00', '49.00', '120.00'],
  ['Farm', '', '39.00', '90.00'],
];
const places = [50, 200, 320, 440];
const cellAt = (row: number, column: number) =>
  put(places[column] ?? 0, 700 - 16 * row, prices[row]?.[column] ?? '');
const pricesRead =
  '| Plan | Setup | Month | Leaving |\n|---|---|---|---|\n| Home | 9.00 |  | 80.00 |\n| Office | 19.00 | 49.00 | 120.00 |\n| Farm |  | 39.00 | 90.00 |';

describe('the rows of a table', () => {
  test('are lines, and an empty cell stays', async () => {
    const drawn = prices.flatMap((row, at) => row.map((_, column) => cellAt(at, column)));
    expect(await textOf([drawn.join('')])).toBe(pricesRead);
  });

  test('also if the page draws column by column', async () => {
    const drawn = places.flatMap((_, column) => prices.map((_, at) => cellAt(at, column)));
    expect(await textOf([drawn.join('')])).toBe(pricesRead);
  });

  test('between texts', async () => {
    const drawn = prices.flatMap((row, at) => row.map((_, column) => cellAt(at, column))).join('');
    const above = putLines(50, 740, [
      'What the plans cost, without tax, is below, as of the first of May of the year.',
    ]);
    const below = putLines(50, 620, [
      'All prices are in euros. A month has thirty days, also if it is shorter.',
    ]);
    expect(await textOf([above + drawn + below])).toBe(
      'What the plans cost, without tax, is below, as of the first of May of the year.\n\n' +
        `${pricesRead}\n\nAll prices are in euros. A month has thirty days, also if it is shorter.`,
    );
  });

  test('whose cells have several lines', async () => {
    const rows = [
      ['Name', 'What it is for', 'Price'],
      ['Home', 'For a house with up to|four people who manu-|facture nothing', '9.00'],
      ['Office', 'For up to ten people in|one or two rooms', '19.00'],
      ['Farm', 'For machines', '39.00'],
    ];
    let y = 700;
    const drawn = rows.map(([name = '', text = '', price = '']) => {
      const lines = text.split('|');
      const row = put(50, y, name) + putLines(150, y, lines) + put(400, y, price);
      y -= 12 * lines.length + 8;
      return row;
    });
    expect(await textOf([drawn.join('')])).toBe(
      '| Name | What it is for | Price |\n|---|---|---|\n| Home | For a house with up to four people who manufacture nothing | 9.00 |\n' +
        '| Office | For up to ten people in one or two rooms | 19.00 |\n| Farm | For machines | 39.00 |',
    );
  });

  test('that have a pipe', async () => {
    const drawn = prices.flatMap((row, at) => row.map((_, column) => cellAt(at, column))).join('');
    expect(await textOf([drawn.replace('(Office)', '(Office|Shop)')])).toContain('| Office\\|Shop | 19.00 |');
  });
});

test('a list has no columns', async () => {
  const items = ['First the door,', 'then the windows,', 'then the roof.', 'The garden is last.'];
  const drawn = items.map((item, at) => put(50, 700 - 14 * at, `${at + 1}.`) + put(80, 700 - 14 * at, item));
  expect(await textOf([drawn.join('')])).toBe(items.map((item, at) => `${at + 1}. ${item}`).join('\n'));
});

test('numbers of lines are no column', async () => {
  const drawn = left.map((line, at) => put(30, 700 - 12 * at, `${at + 1}`) + put(50, 700 - 12 * at, line));
  expect(await textOf([drawn.join('')])).toBe(left.map((line, at) => `${at + 1} ${line}`).join('\n'));
});

test('a page that is turned is read in the direction of its text', async () => {
  const turned = rowByRow().replaceAll(/(\d+) (\d+) Td/g, (_, x, y) => `0 1 -1 0 ${800 - y} ${x} Tm`);
  expect(await textOf([{ drawn: turned, entries: '/Rotate 90' }])).toBe([...left, ...right].join('\n'));
});
