/** The parts of a package of Office (ECMA-376 part 2): files of a ZIP archive, and the relationships between them. */

import { posix } from 'node:path';
import { unzipSync } from 'fflate';
import { NotExtractable } from '../../readers/types.ts';
import { readXml } from './xml.ts';

/** `kind` is the last part of the type: `styles`, `header`. Relationships with a target outside of the package are left out. */
export type Relationship = { id: string; kind: string; target: string };

/** How many bytes of parts may still be unpacked. A document in a document takes from the same budget. */
export type UnpackedBudget = { bytes: number };

const maxFiles = 100_000;
const maxTypesBytes = 10 * 1024 * 1024;

const typesName = '[Content_Types].xml';

/** The names of parts ignore case, and some programs write `\` or begin with `/`. */
export const partName = (name: string): string =>
  posix.normalize(`/${name.replaceAll('\\', '/')}`).toLowerCase();

/**
 * @param bytes an archive
 * @param wanted whether a file of the archive is unpacked
 * @returns the unpacked files by their part names
 * @throws NotExtractable if the archive is broken, or states more bytes than the budget has. It cannot unpack to more bytes than it states
 */
export function unpack(
  bytes: Uint8Array,
  wanted: (part: string) => boolean,
  budget: UnpackedBudget,
): Map<string, Uint8Array> {
  const parts = new Map<string, string>();
  let files = 0;
  try {
    const unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        files += 1;
        if (files > maxFiles) throw tooComplex(`more than ${maxFiles} files`);
        const part = partName(name);
        if (parts.has(part) || !wanted(part)) return false;
        budget.bytes -= originalSize;
        if (budget.bytes < 0) throw tooComplex('more than 100 MB of XML');
        parts.set(part, name);
        return true;
      },
    });
    return new Map([...parts].map(([part, name]) => [part, unpacked[name] ?? new Uint8Array()]));
  } catch (error) {
    if (error instanceof NotExtractable) throw error;
    throw new NotExtractable('unreadable_file', 'The file is a broken ZIP archive.');
  }
}

const tooComplex = (what: string) => new NotExtractable('document_too_complex', `The DOCX has ${what}.`);

/** @returns whether an archive is a document of Word, and the names of its parts without the first `/` @throws NotExtractable if it is broken */
export function packageOf(bytes: Uint8Array): { isDocx: boolean; names: string[] } {
  const names: string[] = [];
  const budget = { bytes: maxTypesBytes };
  unpack(bytes, (name) => names.push(name.slice(1)) < 0, budget);
  return { isDocx: isDocx(bytes, names, budget), names };
}

function isDocx(bytes: Uint8Array, names: readonly string[], budget: UnpackedBudget): boolean {
  if (!names.includes(typesName.toLowerCase())) return false;
  const isIn = (folder: string) => names.some((name) => name.startsWith(folder));
  if (isIn('word/')) return true;
  if (isIn('xl/') || isIn('ppt/')) return false;
  try {
    const types = openPackage(bytes, budget).contentTypes();
    return [...types.values()].some((type) => /wordprocessingml|ms-word/.test(type));
  } catch {
    return false;
  }
}

/** @throws NotExtractable */
export function openPackage(bytes: Uint8Array, budget: UnpackedBudget) {
  const read = (wanted: readonly string[]): Map<string, Uint8Array> => {
    const names = new Set(wanted.map(partName));
    return unpack(bytes, (part) => names.has(part), budget);
  };
  return {
    read,
    /** @param part the name of a part; `/` is the package */
    relationshipsOf(part: string): Relationship[] {
      const { dir, base } = posix.parse(part);
      const name = partName(`${dir}/_rels/${base}.rels`);
      return relationshipsIn(read([name]).get(name), dir);
    },
    contentTypes: () => contentTypesIn(read([typesName]).get(partName(typesName))),
  };
}

function relationshipsIn(xml: Uint8Array | undefined, folder: string): Relationship[] {
  const relationships: Relationship[] = [];
  readXml(xml, {
    open(name, attribute) {
      const [id, type, target] = [attribute('Id'), attribute('Type'), attribute('Target')];
      if (name !== 'rel:Relationship' || attribute('TargetMode') === 'External') return;
      if (id === undefined || type === undefined || target === undefined) return;
      const path = target.replaceAll('\\', '/');
      relationships.push({
        id,
        kind: posix.basename(type),
        target: partName(path.startsWith('/') ? path : `${folder}/${path}`),
      });
    },
  });
  return relationships;
}

/** The content types of parts by their names, and by the endings of their names. */
function contentTypesIn(xml: Uint8Array | undefined): Map<string, string> {
  const types = new Map<string, string>();
  readXml(xml, {
    open(name, attribute) {
      const type = attribute('ContentType') ?? '';
      if (name === 'ct:Override') types.set(partName(attribute('PartName') ?? ''), type);
      if (name === 'ct:Default') types.set(`.${attribute('Extension')}`.toLowerCase(), type);
    },
  });
  return types;
}
