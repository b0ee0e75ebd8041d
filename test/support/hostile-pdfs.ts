/** PDFs that try to take too much time or memory, or that are broken, made by code. */

import { deflateSync } from 'node:zlib';
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

/** As many words as 24 MB have room for, each at a place of its own. */
const manyWords = (placeOf: (at: number) => string) =>
  onePage(
    Array.from({ length: 700_000 }, (_, at) => `BT /F1 5 Tf ${placeOf(at)} Td (w${at % 9}) Tj ET`).join('\n'),
  );

/** A form with fields beside and below each other. */
function manyFields(count: number): Uint8Array {
  const fields = Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % 10) * 50, (at / 10) % 800];
    return `<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /V (v${at}) /Rect [${x} ${y} ${x + 40} ${y + 9}] >>`;
  });
  const kid = page.replace('/MediaBox', `/Annots [${fields.join(' ')}] /MediaBox`);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>',
    oneKid,
    font,
    kid,
    shown('A form'),
  ]);
}

const layers = '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >> >>';
/** A page of which every other word is on a layer that is off. */
const manyHidden = () =>
  pdfOf([
    layers,
    oneKid,
    font,
    pageWith('/Font << /F1 3 0 R >> /Properties << /L 6 0 R >>'),
    stream(
      Array.from({ length: 200_000 }, (_, at) =>
        at % 2 === 0
          ? '/OC /L BDC BT /F1 5 Tf (hidden) Tj ET EMC'
          : `BT /F1 5 Tf ${at % 500} ${at % 799} Td (seen) Tj ET`,
      ).join('\n'),
    ),
    '<< /Type /OCG /Name (L) >>',
  ]);

/** A file without its end, in which each object looks like a stream of objects. */
const manyPacked = () => {
  const packed = deflateSync(Buffer.alloc(1_000_000, '7 0 '));
  const object = Buffer.concat([
    Buffer.from('9 0 obj\n<< /Type /ObjStm /N 9 /First 900000 /Filter /FlateDecode >>\nstream\n'),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...Array.from({ length: 15_000 }, () => object)]);
};

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
  {
    name: '700,000 words on one line',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => manyWords((at) => `${(at * 7919) % 59_500} 700`.replace(/(\d\d) 700/, '.$1 700')),
  },
  {
    name: '700,000 words all over a page',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => manyWords((at) => `${(at * 7919) % 590} ${(at * 104_729) % 840}`),
  },
  {
    name: '700,000 words in two columns of half a line',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => manyWords((at) => `${50 + 300 * (at % 2)} ${(840 - at / 900).toFixed(3)}`),
  },
  {
    name: 'a form with 100,000 fields',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => manyFields(100_000),
  },
  {
    name: '10,000 pages',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: () => pdfFile(Array.from({ length: 10_000 }, (_, at) => [`Page ${at}.`, 'A line of it.'])),
  },
  {
    name: '100,000 words on a layer that is off',
    ends: [read, 'document_too_complex'],
    isSlow: true,
    make: manyHidden,
  },
  {
    name: '15,000 packed bombs without an end',
    ends: ['unreadable_file', 'no_text', 'document_too_complex'],
    isSlow: true,
    make: manyPacked,
  },
  { name: 'a PDF with a password', ends: ['encrypted'], make: () => encryptedPdf },
  { name: 'a scan without text', ends: ['no_text'], make: () => pdfFile([[]]) },
];

/** A PDF that needs a password to be read: made with pypdf, which encrypts with RC4 and 128 bits. */
export const encryptedPdf = Buffer.from(
  'JVBERi0xLjMKJeLjz9MKMSAwIG9iago8PAovUGFnZU1vZGUgL1VzZU5vbmUKL1BhZ2VzIDIgMCBSCi9UeXBlIC9DYXRhbG9nCj4+CmVuZG9iagoyIDAg' +
    'b2JqCjw8Ci9Db3VudCAxCi9LaWRzIFsgMyAwIFIgXQovVHlwZSAvUGFnZXMKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0NvbnRlbnRzIDQgMCBSCi9NZWRp' +
    'YUJveCBbIDAgMCA1OTUuMjc1NiA4NDEuODg5OCBdCi9QYXJlbnQgMiAwIFIKL1Jlc291cmNlcyA8PAovRm9udCA1IDAgUgovUHJvY1NldCBbIC9QREYg' +
    'L1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PgovUm90YXRlIDAKL1RyYW5zIDw8Cj4+Ci9UeXBlIC9QYWdlCj4+CmVuZG9iago0IDAgb2Jq' +
    'Cjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXQovTGVuZ3RoIDEwNQo+PgpzdHJlYW0KFw7+npu1UOFx4ZEPWVZemoUBVJMx' +
    'cbRDT8W4BJMVgn4OHzgrLQpIwqFCy4d2ctNz9o8JHRcRJHBFjKZ38juyZZskVhsUaMc8Zwx6OTUZENLKN21u+b/Ct9OpcdIOYo7onhe5Uda5QSzuCmVu' +
    'ZHN0cmVhbQplbmRvYmoKNSAwIG9iago8PAovRjEgNiAwIFIKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0Jhc2VGb250IC9IZWx2ZXRpY2EKL0VuY29kaW5n' +
    'IC9XaW5BbnNpRW5jb2RpbmcKL05hbWUgL0YxCi9TdWJ0eXBlIC9UeXBlMQovVHlwZSAvRm9udAo+PgplbmRvYmoKNyAwIG9iago8PAovQXV0aG9yIDw3' +
    'MDk2Y2Q4NGQ4MmI4ZmM4ZjQ+Ci9DcmVhdGlvbkRhdGUgPDU1YzI5MGRhOTM3MGQxOGNiNTZlZjdmMTUxODYzNjJiODJlOTQ3MDcwZDRmZmE+Ci9DcmVh' +
    'dG9yIDw3MDk2Y2Q4NGQ4MmI4ZmM4ZjQ+Ci9LZXl3b3JkcyA8PgovTW9kRGF0ZSA8NTVjMjkwZGE5MzcwZDE4Y2I1NmVmN2YxNTE4NjM2MmI4MmU5NDcw' +
    'NzBkNGZmYT4KL1Byb2R1Y2VyIDw0MzlkZDI4NWQzMzJhY2RjZTU3YTk2ODYyNDk1NGI3YmNiYWIxNjUyNDQ1ZmYwMGU0MGVmMTFlOTdkNWYyNzYyZTli' +
    'YzExODE+Ci9TdWJqZWN0IDw2NDk2ZDE5YWM0MjU4OWRiZWUzZmEyPgovVGl0bGUgPDY0OTZkNjgzZDUyYTg1ZDk+Ci9UcmFwcGVkIC9GYWxzZQo+Pgpl' +
    'bmRvYmoKOCAwIG9iago8PAovViAyCi9SIDMKL0xlbmd0aCAxMjgKL1AgNDI5NDk2NzI5MgovRmlsdGVyIC9TdGFuZGFyZAovTyA8OWQ4ZWRkYjgwMmNh' +
    'ZjZkODRhY2QzMzk3ZDlkYzVhOTM2NWUzYTBmM2U2MzA0ZDliMDdlOGIyOTdlOTBiNWM5ND4KL1UgPGQ5MzllOGNjZDcyMWU4ZGQwZjllYWI1MWRkY2Uz' +
    'ZDgxMjhiZjRlNWU0ZTc1OGE0MTY0MDA0ZTU2ZmZmYTAxMDg+Cj4+CmVuZG9iagp4cmVmCjAgOQowMDAwMDAwMDAwIDY1NTM1IGYgCjAwMDAwMDAwMTUg' +
    'MDAwMDAgbiAKMDAwMDAwMDA4MyAwMDAwMCBuIAowMDAwMDAwMTQyIDAwMDAwIG4gCjAwMDAwMDAzNDEgMDAwMDAgbiAKMDAwMDAwMDUzNyAwMDAwMCBu' +
    'IAowMDAwMDAwNTY4IDAwMDAwIG4gCjAwMDAwMDA2NzUgMDAwMDAgbiAKMDAwMDAwMTA1MCAwMDAwMCBuIAp0cmFpbGVyCjw8Ci9TaXplIDkKL1Jvb3Qg' +
    'MSAwIFIKL0luZm8gNyAwIFIKL0lEIFsgPDI0YWU5M2E1ZWQyZjhlNTFkYmQ3YTJmM2RlN2QxNDNhPiA8OWI5MjcxNDBkZGYxNmJkZjY1ZWEyMjJhOTMy' +
    'NmYyYmM+IF0KL0VuY3J5cHQgOCAwIFIKPj4Kc3RhcnR4cmVmCjEyNjUKJSVFT0YK',
  'base64',
);
