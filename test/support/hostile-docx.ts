/** DOCX files that try to take too much time or memory, or that are broken, made by code. */

import { strToU8, zipSync } from 'fflate';
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
    ends: ['document_too_complex', 'document_too_large', 'unreadable_file'],
    isSlow: true,
    make: lying,
  },
  {
    name: '300,000 nested controls',
    ends: ['done', 'unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: () => nested('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>', 300_000),
  },
  {
    name: '20,000 nested tables',
    ends: ['done', 'unreadable_file', 'document_too_complex'],
    make: () => nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000),
  },
  {
    name: 'entities that grow to ten billion characters',
    ends: ['unreadable_file', 'no_text', 'done'],
    make: () => docxOf(withDeclaration(`<!ENTITY a "aaaaaaaaaa">${entities}`, '&j;')),
  },
  {
    name: 'an entity that is a file of the machine',
    ends: ['unreadable_file', 'done'],
    make: () => docxOf(withDeclaration('<!ENTITY x SYSTEM "file:///etc/passwd">', 'x &x;')),
  },
  {
    name: 'a path out of the archive',
    ends: ['done'],
    make: () => docxOf(documentXml(words), { '../../../../tmp/evil': strToU8('x') }),
  },
  { name: '20,000 files', ends: ['done'], isSlow: true, make: manyFiles },
  { name: 'no XML', ends: ['unreadable_file'], make: () => docxOf(Buffer.from('\0\x01\x02<<<>>>')) },
  {
    name: 'the first half of a DOCX',
    ends: ['unreadable_file'],
    make: () => docxFile(Array.from({ length: 1000 }, () => ['text'] as const)).subarray(0, 600),
  },
  {
    name: '300,000 attributes',
    ends: ['done', 'unreadable_file', 'document_too_complex'],
    isSlow: true,
    make: attributes,
  },
  {
    name: 'a spreadsheet',
    ends: ['unsupported_type'],
    make: () => zipSync({ '[Content_Types].xml': strToU8('x'), 'xl/workbook.xml': strToU8('x') }),
  },
];
