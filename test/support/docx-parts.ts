/** DOCX files of the parts that a test needs, made from the XML inside of their root elements. */

import { strToU8, type Zippable, zipSync } from 'fflate';
import { type DocxOptions, readDocx } from '../../lib/extraction/docx/read-docx.ts';
import type { Block } from '../../lib/readers/blocks.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';

const namespaces = {
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: `${office}/relationships`,
  m: `${office}/math`,
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  a: `${drawing}/main`,
  pic: `${drawing}/picture`,
  wp: `${drawing}/wordprocessingDrawing`,
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
  v: 'urn:schemas-microsoft-com:vml',
};
const declared = Object.entries(namespaces)
  .map(([prefix, namespace]) => `xmlns:${prefix}="${namespace}"`)
  .join(' ');

/** The root elements of the parts that a document has at most once, by the kinds of their relationships. */
const roots = {
  comments: 'w:comments',
  endnotes: 'w:endnotes',
  footnotes: 'w:footnotes',
  numbering: 'w:numbering',
  settings: 'w:settings',
  styles: 'w:styles',
} as const;

export type DocxParts = Partial<Record<keyof typeof roots, string>> & {
  /** Headers and footers by the ids of their relationships, such as `header1`. */
  pages?: Readonly<Record<string, string>>;
  /** Further files of the package by their names, with the kinds of their relationships. */
  files?: Readonly<Record<string, { kind: string; bytes: Uint8Array; external?: true }>>;
  /** By default, that of the usual DOCX. */
  mainType?: string;
};

export const rooted = (root: string, xml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} ${declared}>${xml}</${root}>`;

export const body = (xml: string): string => rooted('w:document', `<w:body>${xml}</w:body>`);

export const relationship = (id: string, kind: string, target: string, more = ''): string =>
  `<Relationship Id="${id}" Type="${office}/relationships/${kind}" Target="${target}" ${more}/>`;

export const relationships = (xml: string): Uint8Array =>
  strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${xml}</Relationships>`,
  );

const types = (mainType: string): Uint8Array =>
  strToU8(
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="html" ContentType="text/html"/>' +
      `<Override PartName="/word/document.xml" ContentType="${mainType}"/></Types>`,
  );

const usualType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** @param xml of the body */
export function docxFiles(
  xml: string,
  { pages = {}, files = {}, mainType = usualType, ...once }: DocxParts = {},
): Zippable {
  const zipped: Zippable = {
    '[Content_Types].xml': types(mainType),
    '_rels/.rels': relationships(relationship('main', 'officeDocument', 'word/document.xml')),
    'word/document.xml': strToU8(body(xml)),
  };
  let links = '';
  for (const [kind, root] of Object.entries(roots)) {
    const part = once[kind as keyof typeof roots];
    if (part === undefined) continue;
    links += relationship(kind, kind, `${kind}.xml`);
    zipped[`word/${kind}.xml`] = strToU8(rooted(root, part));
  }
  for (const [id, part] of Object.entries(pages)) {
    const kind = id.replace(/\d+$/, '');
    links += relationship(id, kind, `${id}.xml`);
    zipped[`word/${id}.xml`] = strToU8(rooted(kind === 'header' ? 'w:hdr' : 'w:ftr', part));
  }
  for (const [name, { kind, bytes, external }] of Object.entries(files)) {
    links += relationship(name, kind, name, external ? 'TargetMode="External"' : '');
    if (!external) zipped[`word/${name}`] = bytes;
  }
  return { ...zipped, 'word/_rels/document.xml.rels': relationships(links) };
}

export const docxWith = (xml: string, parts: DocxParts = {}): Uint8Array => zipSync(docxFiles(xml, parts));

const noChunks: DocxOptions['readAltChunk'] = async () => undefined;

export const read = (file: Uint8Array, readAltChunk = noChunks) => readDocx(file, { readAltChunk });

/** @returns the blocks of a document with this body */
export const blocksIn = async (xml: string, parts: DocxParts = {}): Promise<Block[]> =>
  (await read(docxWith(xml, parts))).blocks;

/** @returns the blocks as lines that show what they are */
export const linesIn = async (xml: string, parts: DocxParts = {}): Promise<string[]> =>
  (await blocksIn(xml, parts)).map(lineOf);

export function lineOf(block: Block): string {
  if (block.type === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  if (block.type === 'listItem') return `${'  '.repeat(block.depth)}${block.marker} ${block.text}`;
  if (block.type === 'table') return block.rows.map((row) => row.join(' | ')).join('\n');
  if (block.type === 'note') return `${block.marker} = ${block.text}`;
  if (block.type === 'paragraph') return block.text;
  return 'text' in block ? `${block.type}: ${block.text}` : block.type;
}

/** A run. */
export const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** @param inside the elements of the paragraph, or its text */
export const par = (inside: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inside.startsWith('<') ? inside : run(inside)}</w:p>`;

export const styled = (style: string, text: string): string => par(text, `<w:pStyle w:val="${style}"/>`);

export const item = (text: string, numId: number, level = 0): string =>
  par(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`);

/** @param inside the elements of the cell, or its text */
export const cell = (inside: string, properties = ''): string =>
  `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${inside.startsWith('<') ? inside : par(run(inside))}</w:tc>`;

export const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
export const table = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`;

export const style = (id: string, name: string, inside = '', type = 'paragraph'): string =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${inside}</w:style>`;

/** Runs of a complex field. */
export const fieldChar = (type: 'begin' | 'separate' | 'end', inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`;
export const complexField = (code: string, result: string): string =>
  `${fieldChar('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${fieldChar('separate')}${result}${fieldChar('end')}`;
