/**
 * The fields of metadata that a search can filter by. A version of the index has the values of these fields only, so a document is
 * pending while the project names other fields, or has other values, than the version that contains it.
 */

import { hash } from 'node:crypto';
import type { KnowledgeDocument } from '../schema/document.ts';
import type { Hidden } from './contents.ts';
import { type Read, readerOf } from './reader-of.ts';

/** In characters, as the schemas count them. */
export const maxFieldLength = 100;

type Metadata = KnowledgeDocument['metadata'];

export const fitsIndex = (value: string): boolean =>
  value.length <= maxFieldLength || [...value].length <= maxFieldLength;

/** @returns the values that an index has, in the order of the names; undefined if it has none */
export function fieldsOf(metadata: Metadata, searchFields: readonly string[]): Metadata | undefined {
  const names = namesIn(metadata, searchFields).filter((name) => fitsIndex(metadata[name] ?? ''));
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map((name) => [name, metadata[name] ?? '']));
}

/** @returns the fields whose values are too long for an index */
export const tooLongFields = (metadata: Metadata, searchFields: readonly string[]): string[] =>
  namesIn(metadata, searchFields).filter((name) => !fitsIndex(metadata[name] ?? ''));

const namesIn = (metadata: Metadata, searchFields: readonly string[]): string[] =>
  searchFields.filter((name) => Object.hasOwn(metadata, name)).sort();

/** @returns a hash of the fields and of the values that an index has of a document; empty without fields */
export const fieldsMark = (metadata: Metadata, searchFields: readonly string[]): string =>
  searchFields.length === 0
    ? ''
    : hash(
        'sha256',
        JSON.stringify([searchFields.toSorted(), fieldsOf(metadata, searchFields)]),
        'base64url',
      ).slice(0, 16);

type Marked = Pick<KnowledgeDocument, 'status' | 'indexVersion' | 'ignored' | 'metadata'> &
  Pick<Hidden, 'indexedFields'> &
  Read;

/**
 * @param searchFields of the project
 * @returns the document as callers see it. It is stored as indexed, until its content, title or tags change
 */
export function shownDocument<Document extends Marked>(
  document: Document,
  searchFields: readonly string[],
): Document {
  const { status, ignored, metadata, indexedFields = '' } = document;
  const shown = { ...document, extractedBy: readerOf(document) };
  if (status !== 'indexed' || ignored || indexedFields === fieldsMark(metadata, searchFields)) return shown;
  return { ...shown, status: 'pending', indexVersion: null };
}
