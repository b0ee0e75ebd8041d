/** DOCX files that try to take too much time or memory, or that are broken, made by code. */

import { strToU8, zipSync } from 'fflate';
import { cell, docxWith, par, row, run, table } from './docx-parts.ts';
import type { HostileFile } from './hostile-file.ts';
import { documentXml, docxFile, docxOf, paragraph } from './sample-files.ts';

const words = paragraph('some words');
const nested = (open: string, close: string, depth: number) =>
  docxOf(documentXml(open.repeat(depth) + words + close.repeat(depth)));

/** The list of the archive says that its largest file is small. */
function lying(): Uint8Array {
  const file = Buffer.from(docxOf(documentXml(words.repeat(2_000_000))));
  const entry = file.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  file.writeUInt32LE(1000, entry + 24);
  return file;
}

/** Ten entities, each of which is ten times the one before. */
const entities = Array.from({ length: 9 }, (_, at) => {
  const [one, before] = [String.fromCharCode(98 + at), String.fromCharCode(97 + at)];
  return `<!ENTITY ${one} "${`&${before};`.repeat(10)}">`;
}).join('');

const withDeclaration = (declaration: string, text: string) =>
  documentXml(paragraph(text)).replace('?>', `?><!DOCTYPE w [${declaration}]>`);

const attributes = () => {
  const many = Array.from({ length: 300_000 }, (_, at) => `a${at}="1"`).join(' ');
  return docxOf(documentXml(`<w:p ${many}><w:r><w:t>x y</w:t></w:r></w:p>`));
};

const manyFiles = () =>
  docxOf(
    documentXml(words),
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`word/f${at}.xml`, strToU8('x')])),
  );

/** Roman numbers of nine levels. */
const numbering =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/>' +
  `<w:lvlText w:val="${'%1'.repeat(50)}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;

const depth = 100_000;

/** Each document is small, and unpacks to almost as much as all of them may. */
function documentsInDocument(): Uint8Array {
  const bytes = docxOf(documentXml(words.repeat(900_000)));
  const names = Array.from({ length: 50 }, (_, at) => `${at}.docx`);
  return docxWith(names.map((name) => `<w:altChunk r:id="${name}"/>`).join(''), {
    files: Object.fromEntries(names.map((name) => [name, { kind: 'aFChunk', bytes }])),
  });
}

export const hostileDocuments: readonly HostileFile[] = [
  {
    name: '140 MB of XML, packed',
    ends: ['document_too_complex'],
    isSlow: true,
    make: () => docxOf(documentXml(words.repeat(2_000_000))),
  },
  {
    name: '90 MB of XML, packed',
    ends: ['document_too_complex', 'document_too_large'],
    isSlow: true,
    make: () => docxOf(documentXml(words.repeat(1_250_000))),
  },
  {
    name: '140 MB of XML that say they are 1 KB',
    ends: ['unreadable_file'],
    isSlow: true,
    make: lying,
  },
  {
    name: '300,000 nested controls',
    ends: ['done'],
    isSlow: true,
    make: () => nested('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>', 300_000),
  },
  {
    name: '20,000 nested tables',
    ends: ['done'],
    make: () => nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000),
  },
  {
    name: 'entities that grow to ten billion characters',
    ends: ['unreadable_file'],
    make: () => docxOf(withDeclaration(`<!ENTITY a "aaaaaaaaaa">${entities}`, '&j;')),
  },
  {
    name: 'an entity that is a file of the machine',
    ends: ['unreadable_file'],
    make: () => docxOf(withDeclaration('<!ENTITY x SYSTEM "file:///etc/passwd">', 'x &x;')),
  },
  {
    name: 'a path out of the archive',
    ends: ['done'],
    make: () => docxOf(documentXml(words), { '../../../../tmp/evil': strToU8('x') }),
  },
  { name: '20,000 files', ends: ['done'], isSlow: true, make: manyFiles },
  {
    name: 'a million items of a list',
    ends: ['document_too_large'],
    isSlow: true,
    make: () =>
      docxWith(
        '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'.repeat(
          1_000_000,
        ),
        { numbering },
      ),
  },
  {
    name: '100,000 cells',
    ends: ['done'],
    make: () => docxWith(table(row(cell('x y').repeat(10)).repeat(10_000))),
  },
  {
    name: 'a row of 100,000 cells above 100,000 rows of one',
    ends: ['done'],
    make: () => docxWith(table(row(cell('x').repeat(100_000)) + row(cell('y')).repeat(100_000))),
  },
  {
    name: 'a cell that covers a billion columns',
    ends: ['done'],
    make: () => docxWith(table(row(cell('x y', '<w:gridSpan w:val="1000000000"/>'), cell('z')))),
  },
  {
    name: 'a long text in 100,000 rows',
    ends: ['done', 'document_too_large'],
    make: () => {
      const first = row(cell('x'.repeat(1_000_000), '<w:vMerge w:val="restart"/>'), cell('y'));
      return docxWith(table(first + row(cell('', '<w:vMerge/>'), cell('y')).repeat(100_000)));
    },
  },
  {
    name: '100,000 nested frames',
    ends: ['done'],
    make: () => nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', depth),
  },
  {
    name: '100,000 nested tables, each of which covers ten columns',
    ends: ['done'],
    make: () =>
      nested(
        `<w:tbl><w:tr>${cell('a')}<w:tc><w:tcPr><w:gridSpan w:val="10"/></w:tcPr>`,
        '</w:tc></w:tr></w:tbl>',
        depth,
      ),
  },
  {
    name: '100,000 nested text boxes',
    ends: ['done'],
    make: () => nested('<w:p><w:r><w:pict><w:txbxContent>', '</w:txbxContent></w:pict></w:r></w:p>', depth),
  },
  {
    name: '100,000 nested fractions',
    ends: ['done'],
    make: () => {
      const [open, close] = ['<m:f><m:num>', '</m:num></m:f>'].map((part) => part.repeat(depth));
      return docxWith(par(`${run('with ')}<m:oMath>${open}<m:r><m:t>x</m:t></m:r>${close}</m:oMath>`));
    },
  },
  {
    name: 'a million fields that do not end',
    ends: ['done'],
    isSlow: true,
    make: () => docxWith(par('<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(1_000_000)) + words),
  },
  {
    name: 'a long note to which a text refers 500,000 times',
    ends: ['done'],
    isSlow: true,
    make: () =>
      docxWith(par(`${run('text')}${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(500_000)}`), {
        footnotes: `<w:footnote w:id="1">${par('x'.repeat(100_000))}</w:footnote>`,
      }),
  },
  {
    name: 'documents in a document',
    ends: ['document_too_complex', 'document_too_large'],
    isSlow: true,
    make: documentsInDocument,
  },
  { name: 'no XML', ends: ['unreadable_file'], make: () => docxOf(Buffer.from('\0\x01\x02<<<>>>')) },
  {
    name: 'the first half of a DOCX',
    ends: ['unreadable_file'],
    make: () => docxFile(Array.from({ length: 1000 }, () => ['text'] as const)).subarray(0, 600),
  },
  {
    name: '300,000 attributes',
    ends: ['done'],
    isSlow: true,
    make: attributes,
  },
  {
    name: 'a spreadsheet',
    ends: ['unsupported_type'],
    make: () => zipSync({ '[Content_Types].xml': strToU8('x'), 'xl/workbook.xml': strToU8('x') }),
  },
];
