/** PDFs that try to take too much time or memory, or that are broken, made by code. */

import { deflateSync } from 'node:zlib';
import { encryptedPdf } from './encrypted-pdf.ts';
import type { HostileFile } from './hostile-file.ts';
import { pdfFile, pdfOf } from './sample-files.ts';

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const oneKid = '<< /Type /Pages /Kids [4 0 R] /Count 1 >>';
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const page = pageWith('/Font << /F1 3 0 R >>');
const stream = (text: string, dictionary = '') => ({ dictionary, stream: Buffer.from(text) });
const shown = (text: string) => stream(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`);

function pageWith(resources: string): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << ${resources} >> >>`;
}

const onePage = (content: string) => pdfOf([catalog, oneKid, font, page, stream(content)]);

/** Data that unpack to so many bytes, packed so many times. */
function bomb(bytes: number, times: number): Uint8Array {
  let packed: Uint8Array = Buffer.alloc(bytes, ' ');
  for (let time = 0; time < times; time += 1) packed = deflateSync(packed);
  const filters = '/FlateDecode '.repeat(times);
  return pdfOf([catalog, oneKid, font, page, { dictionary: `/Filter [${filters}]`, stream: packed }]);
}

const form = (next: number) =>
  `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> /XObject << /X ${next} 0 R >> >>`;

/** Forms that each draw the next one twice. */
function doublingForms(depth: number): Uint8Array {
  const forms = Array.from({ length: depth }, (_, at) =>
    at === depth - 1 ? stream('BT /F1 9 Tf (end) Tj ET', form(6)) : stream('/X Do /X Do', form(7 + at)),
  );
  return pdfOf([catalog, oneKid, font, pageWith('/XObject << /X 6 0 R >>'), stream('/X Do'), ...forms]);
}

const hugeRanges =
  '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ' +
  `${'1 beginbfrange <0000> <FFFFFFFF> <0041> endbfrange '.repeat(1000)}endcmap`;

/** The same bytes at each run, which do not compress. */
function noise(bytes: number): Uint8Array {
  const made = Buffer.alloc(bytes);
  let state = 1;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    made[at] = state >>> 24;
  }
  return made;
}

const longBook = () => pdfFile(Array.from({ length: 200 }, (_, at) => [`Page ${at} of a long book.`]));

/** Changes every hundredth byte behind the header. */
function damaged(): Uint8Array {
  const file = Buffer.from(longBook());
  for (let at = 100; at < file.length; at += 100) file[at] = (at * 7) % 256;
  return file;
}

const read = 'done' as const;

export const hostilePdfs: readonly HostileFile[] = [
  {
    name: 'a tree of pages that contains itself',
    ends: ['no_text', 'unreadable_file'],
    make: () => pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 9 >>']),
  },
  {
    name: 'one page that says it is two billion',
    ends: [read, 'document_too_large', 'unreadable_file'],
    make: () =>
      pdfOf([catalog, '<< /Type /Pages /Kids [4 0 R] /Count 2000000000 >>', font, page, shown('hi')]),
  },
  {
    name: 'one page that says it is 9000',
    ends: [read, 'document_too_complex', 'unreadable_file'],
    isSlow: true,
    make: () =>
      pdfOf([catalog, '<< /Type /Pages /Kids [4 0 R] /Count 9000 >>', font, page, shown('hi there')]),
  },
  {
    name: 'a form that draws itself',
    ends: [read, 'no_text'],
    make: () =>
      pdfOf([
        catalog,
        oneKid,
        font,
        pageWith('/XObject << /X 6 0 R >>'),
        stream('/X Do'),
        stream('/X Do BT /F1 9 Tf (x) Tj ET', form(6)),
      ]),
  },
  {
    name: 'thirty forms that double',
    ends: ['document_too_complex', 'document_too_large', read],
    isSlow: true,
    make: () => doublingForms(30),
  },
  {
    name: 'a list of tables that loops',
    ends: [read],
    make: () =>
      Buffer.from(
        Buffer.from(onePage('BT /F1 12 Tf 72 700 Td (loop text) Tj ET'))
          .toString('latin1')
          .replace('/Root 1 0 R', '/Root 1 0 R /Prev 9'),
        'latin1',
      ),
  },
  {
    name: 'an array of depth two million',
    ends: ['unreadable_file', 'document_too_complex'],
    make: () =>
      pdfOf([
        catalog,
        `<< /Type /Pages /Kids [4 0 R] /Count 1 /X ${'['.repeat(2_000_000)}${']'.repeat(2_000_000)} >>`,
        font,
        page,
        shown('deep'),
      ]),
  },
  {
    name: 'a page with five million open arrays',
    ends: ['no_text', 'unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: () => onePage('['.repeat(5_000_000)),
  },
  {
    name: 'a page with six million operators',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => onePage(`${'q '.repeat(6_000_000)}BT /F1 12 Tf (x) Tj ET`),
  },
  {
    name: '400,000 objects',
    ends: ['no_text'],
    isSlow: true,
    make: () =>
      pdfOf([
        catalog,
        '<< /Type /Pages /Kids [] /Count 0 >>',
        ...Array.from({ length: 400_000 }, () => '<< /A 1 >>'),
      ]),
  },
  {
    name: '20 MB of noise',
    ends: ['unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(20_000_000)]),
  },
  {
    name: 'the first half of a book',
    ends: [read, 'unreadable_file', 'no_text'],
    make: () => longBook().subarray(0, 30_000),
  },
  { name: 'a book with damaged bytes', ends: [read, 'unreadable_file', 'no_text'], make: damaged },
  {
    name: 'a font whose map has ranges of four billion',
    ends: [read, 'document_too_complex', 'document_too_large'],
    isSlow: true,
    make: () =>
      pdfOf([
        catalog,
        oneKid,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
        page,
        shown('x'),
        stream(hugeRanges),
      ]),
  },
  {
    name: 'a script that does not end',
    ends: [read],
    make: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while(1){}) >> >>',
        oneKid,
        font,
        page,
        shown('a script'),
      ]),
  },
  {
    name: 'one gigabyte of white space, packed',
    ends: ['no_text', 'unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: () => bomb(1024 ** 3, 1),
  },
  {
    name: '300 MB, packed three times',
    ends: ['no_text', 'unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: () => bomb(300_000_000, 3),
  },
  { name: 'a PDF with a password', ends: ['encrypted'], make: () => encryptedPdf },
  { name: 'a scan without text', ends: ['no_text'], make: () => pdfFile([[]]) },
];
