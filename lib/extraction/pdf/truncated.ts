/** PDFs without their end. The end of a PDF has the table of its objects, and often the list of its pages. */

import { inflated } from './inflate.ts';

/** A number of an object, and where the object begins. The length of numbers and spaces is limited, so that the search is linear. */
const objectStart = /(?<!\d)(\d{1,9})\s{1,9}(\d{1,5})\s{1,9}obj(?!\w)/g;
/** A page, or a stream of objects, says so at its beginning. */
const maxDictionary = 20_000;
const maxUnpacked = 100 * 1024 ** 2;

/** Behind the last object of a complete file, `startxref` says where the table of its objects is. */
export const isTruncated = (file: Buffer): boolean =>
  file.lastIndexOf('startxref') < file.lastIndexOf('endobj');

/** @returns a PDF with the pages that are in the file, in their order in it; undefined if there is none */
export function repaired(file: Buffer): Uint8Array | undefined {
  const source = file.toString('latin1');
  // The key of an encrypted file is at its end.
  if (source.includes('/Encrypt')) return undefined;
  const objects = new Map<number, { from: number; text: string }>();
  const starts = [...source.matchAll(objectStart)];
  const packed: string[] = [];
  let room = maxUnpacked;
  for (const [at, { 0: start, 1: number, index }] of starts.entries()) {
    const from = index + start.length;
    const end = starts[at + 1]?.index ?? source.length;
    const text = source.slice(from, Math.min(end, from + maxDictionary));
    objects.set(Number(number), { from: index, text });
    if (!/\/Type\s{0,9}\/ObjStm/.test(text)) continue;
    const stream = /stream\r?\n/.exec(text);
    if (!stream || room <= 0) continue;
    const bytes = file.subarray(from + stream.index + stream[0].length, end);
    const unpacked = inflated(bytes, { maxOutputLength: room });
    room -= unpacked.length;
    for (const object of objectsIn(text, unpacked)) {
      if (objects.has(object.number)) continue;
      objects.set(object.number, { from: index, text: object.text });
      packed.push(`${object.number} 0 obj\n${object.text}\nendobj\n`);
    }
  }
  const pages = [...objects].filter(([, { text }]) => /\/Type\s{0,9}\/Page(?!\w)/.test(text));
  if (pages.length === 0) return undefined;
  const kids = pages.sort(([, a], [, b]) => a.from - b.from).map(([number]) => `${number} 0 R`);
  const next = [...objects.keys()].reduce((most, number) => Math.max(most, number), 0) + 1;
  const end =
    `\nendstream\nendobj\n${packed.join('')}` +
    `${next} 0 obj\n<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>\nendobj\n` +
    `${next + 1} 0 obj\n<< /Type /Catalog /Pages ${next} 0 R >>\nendobj\n` +
    `trailer\n<< /Root ${next + 1} 0 R /Size ${next + 2} >>\n`;
  return Buffer.concat([file, Buffer.from(end, 'latin1')]);
}

/** A stream of objects begins with their numbers and places ("PDF Reference" 1.7, section 3.4.6). */
function objectsIn(dictionary: string, unpacked: string): { number: number; text: string }[] {
  const first = Number(/\/First\s{1,9}(\d{1,9})/.exec(dictionary)?.[1] ?? unpacked.length);
  const numbers = (unpacked.slice(0, first).match(/\d{1,9}/g) ?? []).map(Number);
  return numbers.flatMap((number, at) => {
    if (at % 2 === 1) return [];
    const from = first + (numbers[at + 1] ?? 0);
    return { number, text: unpacked.slice(from, first + (numbers[at + 3] ?? unpacked.length)) };
  });
}
