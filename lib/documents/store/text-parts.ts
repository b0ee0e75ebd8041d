/**
 * The parts of a long text. The first part is in the item of the content, as every short text is. The further parts are items of
 * their own, written before the content names them. Each write of a text has its own id, so the parts of an older text can be
 * removed at any time.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { pagesOf } from '../../base/pages.ts';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { maxContentBytes } from '../schema/document.ts';

type StoredTextPart = Stored<{ id: string; gzip: Uint8Array }>;

export const textParts = projectCollection<StoredTextPart>('knowledge', () => ['text']);

/** The further parts of a text: the id of its write, and how many they are. */
export type FurtherParts = { textId: string; count: number };

/** The id begins with that of the document, so that a restore finds the tombstone of a deleted document. */
const partId = (documentId: string, textId: string, number: number) =>
  `${documentId}#${textId}#${String(number).padStart(4, '0')}`;

/** @returns the text in parts of at most 200 KB in UTF-8. No part ends within a character */
export function cutText(text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxContentBytes) return [text];
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + maxContentBytes, bytes.length);
    while (isWithinCharacter(bytes[to])) to -= 1;
    parts.push(bytes.toString('utf8', from, to));
    from = to;
  }
  return parts;
}

/** Whether a byte of UTF-8 continues a character. */
const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The text is compressed, because DynamoDB bills one write unit per kilobyte. */
export const packText = (text: string): Uint8Array => gzipSync(text);

/** @throws Error if the bytes are damaged */
export const unpackText = (gzip: Uint8Array): string =>
  gunzipSync(gzip, { maxOutputLength: maxContentBytes }).toString();

/**
 * @param textId an id that no other write of a text has
 * @returns a write for each further part. Together they may be more than one transaction can have
 */
export const putTextParts = (
  store: ProjectStore,
  documentId: string,
  textId: string,
  content: string,
): Write<never>[] =>
  cutText(content)
    .slice(1)
    .map((part, index) =>
      textParts
        .at(store)
        .put(
          { id: partId(documentId, textId, index + 1), gzip: packText(part) },
          { condition: { kind: 'any' } },
        ),
    );

/** @param number from 1: the first part is in the content @returns undefined if it is not stored any more */
export async function getTextPart(
  store: ProjectStore,
  documentId: string,
  { textId }: FurtherParts,
  number: number,
): Promise<string | undefined> {
  const part = await textParts.at(store).get(partId(documentId, textId, number));
  return part && unpackText(part.gzip);
}

/** @returns the further parts, joined; undefined if one is not stored any more */
export async function getTextParts(
  store: ProjectStore,
  documentId: string,
  { textId, count }: FurtherParts,
): Promise<string | undefined> {
  const ids = Array.from({ length: count }, (_, index) => partId(documentId, textId, index + 1));
  const parts = await textParts.at(store).getMany(ids);
  if (parts.length < ids.length) return undefined;
  return parts
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ gzip }) => unpackText(gzip))
    .join('');
}

/**
 * @param textId the text; by default, all texts of the document
 * @returns page by page, writes that remove the parts
 */
export async function* removeTextParts(
  store: ProjectStore,
  documentId: string,
  textId?: string,
): AsyncGenerator<Write<never>[]> {
  const items = textParts.at(store);
  const from = textId === undefined ? `${documentId}#` : `${documentId}#${textId}#`;
  const pages = pagesOf((after) => items.page({ from, to: `${from}~`, after, order: 'oldest', limit: 100 }));
  for await (const page of pages)
    yield page.map(({ id }) => items.remove(id, { condition: { kind: 'any' } }));
}
