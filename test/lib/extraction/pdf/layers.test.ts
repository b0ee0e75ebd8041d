/** What is drawn on a layer that is off is not read, and neither are soft hyphens that are not shown. */

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '../../../../lib/extraction/pdf/read-pdf.ts';
import { drawnPdf, put, putLines } from '../../../support/drawn-pdf.ts';

const layer = (name: string) => `<< /Type /OCG /Name (${name}) >>`;
const onLayer = (name: string, drawn: string) => `/OC /${name} BDC\n${drawn}EMC\n`;
const form = (drawn: string, entries = '') => ({
  dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> ${entries}`,
  stream: Buffer.from(drawn),
});
const layered = (drawn: string, objects: Parameters<typeof drawnPdf>[1] = {}) =>
  drawnPdf([drawn], {
    catalog: '/OCProperties << /OCGs [4 0 R 5 0 R] /D << /Order [4 0 R 5 0 R] /OFF [5 0 R] >> >>',
    resources: '/Properties << /English 4 0 R /German 5 0 R >> /XObject << /X1 6 0 R /X2 7 0 R >>',
    ...objects,
    objects: [layer('English'), layer('German'), ...(objects.objects ?? [])],
  });
const textOf = async (file: Uint8Array) => (await readPdf(file)).text.replace(/\n\f\n$/, '');

test('a layer that is off, also if it has the same place', async () => {
  const drawn =
    onLayer('English', put(50, 700, 'Side A, and page 1')) +
    onLayer('German', put(50, 700, 'Seite A, and page 1')) +
    onLayer('German', put(50, 688, 'Nur auf Deutsch') + putLines(50, 676, ['und', 'weiter'])) +
    put(50, 640, 'For all');
  expect(await textOf(layered(drawn))).toBe('Side A, and page 1\n\nFor all');
});

test('a text that is on both layers is read once', async () => {
  const drawn = onLayer('German', put(50, 700, 'Email')) + onLayer('English', put(50, 700, 'Email'));
  expect(await textOf(layered(drawn))).toBe('Email');
});

test('a form on a layer that is off', async () => {
  const drawn = `q 1 0 0 1 20 -50 cm /X1 Do Q /X2 Do ${put(50, 600, 'End')}`;
  const objects = [
    form(put(50, 700, 'hidden form'), '/OC 5 0 R /Matrix [1 0 0 1 5 5]'),
    form(put(50, 612, 'shown form'), '/OC 4 0 R'),
  ];
  expect(await textOf(layered(drawn, { objects }))).toBe('shown form\nEnd');
});

test('operators of text keep the place of what is hidden', async () => {
  const hidden =
    'BT /F1 10 Tf 12 TL 2 Tc 3 Tw 90 Tz 1 Ts 1 0 0 1 50 700 Tm (first one) Tj T* [(sec) -2000 (ond)] TJ (third) \' 0 0 (fourth) " 10 -12 TD (fifth) Tj T* (sixth) Tj ET\n';
  expect(await textOf(layered(onLayer('German', hidden) + put(50, 600, 'End')))).toBe('End');
});

test('a soft hyphen at the end of a line joins the word, and is nowhere else', async () => {
  const map =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
    '2 beginbfrange <20> <7e> <0020> <a0> <ff> <00a0> endbfrange endcmap end end';
  const exact = map.replace('<a0> <ff> <00a0>', '<ad> <ad> <00AD>');
  const file = drawnPdf(
    [putLines(50, 700, ['It is manu\u00ad', 'facturing of cup\u00adboards here']), put(50, 700, 'A page.')],
    {
      font: '/Encoding /WinAnsiEncoding /ToUnicode 4 0 R',
      objects: [{ dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.from(exact)) }],
    },
  );
  expect(await textOf(file)).toBe('It is manufacturing\nof cupboards here\n\f\nA page.');
});
