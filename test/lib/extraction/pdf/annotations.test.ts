/** What a person has filled in stands beside its label, and what is left out is noted. */

import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../../lib/extraction/pdf/read-pdf.ts';
import { drawnPdf, put } from '../../../support/drawn-pdf.ts';

const catalog = '/AcroForm << /Fields [] >>';
const widget = (rect: string, entries: string) =>
  `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] ${entries} >>`;
const textField = (rect: string, value: string, more = '') => widget(rect, `/FT /Tx /V (${value}) ${more}`);
const box = (rect: string, state: string, more = '') =>
  widget(rect, `/FT /Btn /V /${state} /AS /${state} /AP << /N << /Yes 4 0 R /Off 4 0 R >> >> ${more}`);
const appearance = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', stream: Buffer.from('') };

async function read(drawn: string, annotations: readonly string[]) {
  const { text, notes } = await readPdf(
    drawnPdf([{ drawn, annotations }], { catalog, objects: [appearance] }),
  );
  return { text: text.replace(/\n\f\n$/, ''), notes };
}

describe('the value of a field', () => {
  test('stands beside its label', async () => {
    const { text } = await read(
      put(50, 700, 'Name:') + put(300, 700, 'Date:') + put(50, 660, 'Kind:') + put(50, 620, 'Remarks:'),
      [
        textField('100 690 280 712', 'Robin'),
        textField('350 690 480 712', '1 May'),
        widget('100 650 280 672', '/FT /Ch /Ff 131072 /Opt [[(c) (Cat)] [(d) (Dog)]] /V (d)'),
        textField('120 560 400 632', 'First line\\nSecond line', '/Ff 4096'),
      ],
    );
    expect(text).toBe('Name: Robin Date: 1 May\n\nKind: Dog\n\nRemarks: First line\nSecond line');
  });

  test('may be a box, checked or not', async () => {
    const { text } = await read(put(70, 700, 'Cat') + put(170, 700, 'Dog') + put(70, 660, 'Bird'), [
      box('50 698 62 710', 'Off'),
      box('150 698 162 710', 'Yes'),
      box('50 658 62 670', 'Yes', '/Ff 32768'),
      box('150 658 162 670', 'Off').replace('/V /Off', ''),
    ]);
    expect(text).toBe('☐ Cat ☒ Dog\n\n☒ Bird ☐');
  });

  test('is read in a form without other text', async () => {
    const { text } = await read('', [
      textField('100 690 280 712', 'Robin', '/TU (Full name)'),
      textField('100 650 280 672', 'Lake'),
      box('50 598 62 610', 'Yes'),
    ]);
    expect(text).toBe('Full name: Robin\n\nLake\n\n☒ Yes');
  });

  test('is read in the cells of a table', async () => {
    const { text } = await read(
      [
        put(50, 700, 'Item'),
        put(200, 700, 'Pieces'),
        put(350, 700, 'Price'),
        put(50, 680, 'Bolts'),
        put(50, 660, 'Nuts'),
      ].join(''),
      [
        textField('200 675 260 690', '12'),
        textField('350 675 400 690', '3.00'),
        textField('200 655 260 670', '40'),
        textField('350 655 400 670', '9.00'),
      ],
    );
    expect(text).toBe(
      '| Item | Pieces | Price |\n|---|---|---|\n| Bolts | 12 | 3.00 |\n| Nuts | 40 | 9.00 |',
    );
  });

  test('is not read if it is a password, or is not shown', async () => {
    const { text } = await read(put(50, 700, 'Password:'), [
      textField('120 690 280 712', 'secret', '/Ff 8192'),
      textField('120 660 280 680', 'hidden').replace('/F 4', '/F 2'),
      textField('120 630 280 650', 'no view').replace('/F 4', '/F 32'),
      textField('700 630 780 650', 'outside'),
    ]);
    expect(text).toBe('Password:');
  });
});

test('a text that was typed on the page is read in its place', async () => {
  const { text, notes } = await read(put(50, 700, 'Price:') + put(50, 686, 'Weight: 3 kg'), [
    '<< /Type /Annot /Subtype /FreeText /F 4 /Rect [90 696 200 712] /Contents (12 euros) /DA (/F1 10 Tf) >>',
  ]);
  expect(text).toBe('Price: 12 euros\nWeight: 3 kg');
  expect(notes).toEqual([]);
});

test('comments and attached files are counted', async () => {
  const comment = (type: string) =>
    `<< /Type /Annot /Subtype /${type} /Rect [9 9 20 20] /Contents (Really?) >>`;
  const file = '<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS << /F (a.txt) >> >>';
  const link = '<< /Type /Annot /Subtype /Link /Rect [9 9 20 20] /Contents (A link) >>';
  const { text, notes } = await read(put(50, 700, 'Text'), [
    comment('Text'),
    comment('Highlight'),
    file,
    link,
  ]);
  expect(text).toBe('Text');
  expect(notes).toEqual([
    { code: 'comments_left_out', count: 2 },
    { code: 'attachments_left_out', count: 1 },
  ]);
});

test('files of the document are counted', async () => {
  const names = '/Names << /EmbeddedFiles << /Names [(a) << /F (a.txt) >> (b) << /F (b.txt) >>] >> >>';
  const { notes } = await readPdf(drawnPdf([put(50, 700, 'Text')], { catalog: names }));
  expect(notes).toEqual([{ code: 'attachments_left_out', count: 2 }]);
});

test('pages without text are noted, at most twenty', async () => {
  const pages = [put(50, 700, 'Text'), ...Array.from({ length: 25 }, () => '')];
  const { notes } = await readPdf(drawnPdf(pages));
  const numbers = Array.from({ length: 20 }, (_, at) => at + 2);
  expect(notes).toEqual([{ code: 'pages_without_text', count: 25, pages: numbers }]);
});
