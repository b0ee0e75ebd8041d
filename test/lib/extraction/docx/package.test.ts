/** DOCX files that other programs write: names, encodings, namespaces and archives. */

import { strFromU8, strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readDocx } from '../../../../lib/extraction/docx/read-docx.ts';
import { typeFile } from '../../../../lib/extraction/file-type.ts';
import {
  blocksIn,
  body,
  docxFiles,
  docxWith,
  lineOf,
  par,
  read,
  relationship,
  relationships,
  style,
  styled,
} from '../../../support/docx-parts.ts';

const heading = styled('a', 'Fees');
const styles = style('a', 'heading 1');
const files = docxFiles(heading, { styles });
const linesOf = async (file: Uint8Array) => (await read(file)).blocks.map(lineOf);
const renamed = (rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(files).map(([name, part]) => [rename(name), part]));
const document = body(heading);

describe('it is a DOCX and is read', () => {
  test.each([
    [
      'with macros',
      docxWith(heading, { styles, mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml' }),
    ],
    [
      'as a template',
      docxWith(heading, {
        styles,
        mainType: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
      }),
    ],
    ['with entries that are not compressed', zipSync(files, { level: 0 })],
    ['with names with backslashes', zipSync(renamed((name) => name.replaceAll('/', '\\')))],
    ['with names that begin with a slash', zipSync(renamed((name) => `/${name}`))],
    ['with names in other letters', zipSync(renamed((name) => name.replace('word/', 'Word/')))],
    [
      'in UTF-16',
      zipSync({
        ...files,
        'word/document.xml': Buffer.from(`\ufeff${document.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
      }),
    ],
    [
      'in UTF-16, big endian, without a mark',
      zipSync({ ...files, 'word/document.xml': Buffer.from(document, 'utf16le').swap16() }),
    ],
    ['in UTF-8 with a mark', zipSync({ ...files, 'word/document.xml': strToU8(`\ufeff${document}`) })],
    [
      'in UTF-8 with a mark and other prefixes',
      zipSync({
        ...files,
        'word/document.xml': strToU8(document.replaceAll('w:', 'ns0:').replaceAll('xmlns:w', 'xmlns:ns0')),
      }),
    ],
    ['in strict OOXML', zipSync(strict())],
    ['with a main part of another name', zipSync(otherMain('part/main.xml'))],
    ['with a main part at the root', zipSync(otherMain('main.xml'))],
    ['with sizes behind the entries', withDescriptors()],
    ['as ZIP64', zip64()],
  ])('%s', async (_, file) => {
    expect(typeFile(file).type).toBe('docx');
    expect(await linesOf(file)).toEqual(['# Fees']);
  });
});

function strict() {
  const changed = (part: Uint8Array) =>
    strToU8(
      strFromU8(part)
        .replaceAll(
          'http://schemas.openxmlformats.org/wordprocessingml/2006/',
          'http://purl.oclc.org/ooxml/wordprocessingml/',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/',
          'http://purl.oclc.org/ooxml/officeDocument/',
        ),
    );
  return Object.fromEntries(
    Object.entries(files).map(([name, part]) => [name, part instanceof Uint8Array ? changed(part) : part]),
  );
}

function otherMain(name: string) {
  const {
    'word/document.xml': main = new Uint8Array(),
    'word/styles.xml': styles = new Uint8Array(),
    'word/_rels/document.xml.rels': _,
    ...others
  } = files;
  const folder = name.includes('/') ? 'part/' : '';
  return {
    ...others,
    '_rels/.rels': relationships(relationship('x', 'officeDocument', name)),
    [name]: main,
    'look/styles.xml': styles,
    [`${folder}_rels/main.xml.rels`]: relationships(relationship('s', 'styles', '/look/styles.xml')),
    '[Content_Types].xml': strToU8(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${name}" ` +
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
  };
}

/** Programs that write to a stream learn the sizes behind the data, so the entries say 0, and only the list has the sizes. */
function withDescriptors(): Uint8Array {
  const file = Buffer.from(zipSync(files));
  for (
    let at = file.indexOf('PK\x03\x04', 0, 'latin1');
    at >= 0;
    at = file.indexOf('PK\x03\x04', at + 4, 'latin1')
  ) {
    file.writeUInt16LE(file.readUInt16LE(at + 6) | 8, at + 6);
    file.fill(0, at + 14, at + 26);
  }
  return file;
}

/** The end of the list refers to an end with larger numbers (APPNOTE 4.3.14). */
function zip64(): Uint8Array {
  const file = Buffer.from(zipSync(files));
  const at = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const [count, start] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 16)];
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  for (const offset of [24, 32]) end.writeBigUInt64LE(BigInt(count), offset);
  end.writeBigUInt64LE(BigInt(at - start), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  const old = Buffer.from(file.subarray(at));
  old.fill(0xff, 8, 20);
  return Buffer.concat([file.subarray(0, at), end, locator, old]);
}

describe('it is not read', () => {
  const codeOf = (file: Uint8Array) =>
    read(file).then(
      () => 'read',
      ({ code }) => code,
    );
  const withMain = (xml: string) => zipSync({ ...files, 'word/document.xml': strToU8(xml) });

  test.each([
    ['with a DTD', withMain(document.replace('<w:document', '<!DOCTYPE x [<!ENTITY y "z">]><w:document'))],
    ['with an entity that nothing declares', withMain(document.replace('Fees', '&y;'))],
    ['with a part that is not well-formed', withMain(document.slice(0, -20))],
    [
      'without a document',
      zipSync({ ...files, 'word/document.xml': strToU8(''), '_rels/.rels': relationships('') }),
    ],
    [
      'with a document outside of it',
      zipSync({
        ...files,
        '_rels/.rels': relationships(
          relationship('x', 'officeDocument', 'http://127.0.0.1/x', 'TargetMode="External"'),
        ),
        'word/document.xml': strToU8(''),
      }),
    ],
    ['cut', zipSync(files).subarray(0, 900)],
  ])('%s', async (_, file) => {
    expect(await codeOf(file)).toBe('unreadable_file');
  });

  test('with entries of a method that is not known', async () => {
    const file = Buffer.from(zipSync(files));
    for (
      let at = file.indexOf('PK\x01\x02', 0, 'latin1');
      at >= 0;
      at = file.indexOf('PK\x01\x02', at + 4, 'latin1')
    ) {
      file.writeUInt16LE(99, at + 10);
    }
    expect(await codeOf(file)).toBe('unreadable_file');
  });
});

test('what is unpacked is limited, together with what other documents have taken', async () => {
  const budget = { bytes: 20_000 };
  const readWithin = () => readDocx(zipSync(files), { readAltChunk: async () => undefined, budget });
  await readWithin();
  expect(budget.bytes).toBeLessThan(20_000);
  budget.bytes = 1000;
  await expect(readWithin()).rejects.toMatchObject({ code: 'document_too_complex' });
});

test('a part that a document names but does not have is left out', async () => {
  const bare = { ...files };
  delete bare['word/styles.xml'];
  expect(await linesOf(zipSync(bare))).toEqual(['Fees']);
});

test('targets outside of the file are never followed', async () => {
  const text = par('<w:hyperlink r:id="x"><w:r><w:t>text</w:t></w:r></w:hyperlink>');
  const outside = { kind: 'styles', bytes: strToU8(''), external: true as const };
  expect(await blocksIn(text, { files: { 'file:///etc/passwd': outside } })).toEqual([
    { type: 'paragraph', text: 'text' },
  ]);
});
