/** What an index version contains, and its id: a hash of that. */

import { hash } from 'node:crypto';
import { pagesOf } from '../../base/pages.ts';
import {
  type ProjectStore,
  pageDocuments,
  type StoredDocument,
  storedContent,
} from '../../documents/store/documents.ts';
import { fieldsMark, fieldsOf, tooLongFields } from '../../documents/store/search-fields.ts';
import type { Job } from '../../jobs/schema.ts';
import { currentAlgorithm } from '../../search/index/algorithms.ts';
import type { Finding } from '../../search/pieces/read-document.ts';

/** One index must fit into the memory of the functions that build and search it. */
export const maxDocuments = 20_000;
export const maxMegabytes = 100;

/** A document as the list returns it, without its content. */
export type ListedDocument = Pick<
  StoredDocument,
  | 'id'
  | 'status'
  | 'error'
  | 'changedIn'
  | 'title'
  | 'tags'
  | 'url'
  | 'extraction'
  | 'extractionNotes'
  | 'indexedFields'
> & {
  /** The build reads its markup, and says what it leaves out. */
  isHtml: boolean;
  /** The values by which a search can filter. */
  fields: Readonly<Record<string, string>> | undefined;
  /** The fields whose values are too long for that. */
  tooLong: readonly string[];
  /** What `indexedFields` is when the index has these values. */
  mark: string;
  bytes: number;
  contentSha256: string;
  fingerprint: string;
  /** A hash of the content and its type, without the title and the tags. */
  content: string;
};

/**
 * @param searchFields the fields of metadata by which a search can filter
 * @returns all documents that have a content and are not ignored, oldest first, each with a hash of everything that the index contains of it. A document
 *   whose new file is not read yet has the content that the file replaces
 */
export async function listDocuments(
  store: ProjectStore,
  searchFields: readonly string[],
): Promise<ListedDocument[]> {
  const documents: ListedDocument[] = [];
  for await (const items of pagesOf((after) => pageDocuments(store, { after, limit: 1000 }))) {
    for (const document of items) {
      const contentInfo = storedContent(document);
      // A document without a content has a first file that is not read yet, or that has no text.
      if (!contentInfo || document.ignored) continue;
      const { id, status, error, changedIn, title, tags, url, extraction, metadata, indexedFields } =
        document;
      const { extractionNotes } = document;
      const { bytes, contentSha256, mimeType } = contentInfo;
      const values = fieldsOf(metadata, searchFields);
      // A document without any has the fingerprint that it has always had.
      const further = url === undefined && !values ? [] : [{ url, fields: values }];
      const fingerprint = digest([contentSha256, mimeType, title, tags, ...further]);
      const content = digest([contentSha256, mimeType]);
      const fields = {
        id,
        status,
        error,
        changedIn,
        title,
        tags,
        extraction,
        extractionNotes,
        isHtml: mimeType === 'text/html',
        ...(url !== undefined && { url }),
        ...(indexedFields !== undefined && { indexedFields }),
        fields: values,
        tooLong: tooLongFields(metadata, searchFields),
        mark: fieldsMark(metadata, searchFields),
      };
      documents.push({ ...fields, bytes, contentSha256, fingerprint, content });
    }
    if (documents.length > maxDocuments) break;
  }
  return documents;
}

/** @returns the error of a job whose documents do not fit into one index; null if they fit */
export function tooLarge(documents: readonly ListedDocument[]): Job['error'] {
  if (documents.length > maxDocuments) {
    const message = `An index can have at most ${maxDocuments} documents.`;
    return { code: 'too_many_documents', message };
  }
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  if (bytes <= maxMegabytes * 1e6) return null;
  return { code: 'too_much_text', message: `An index can have at most ${maxMegabytes} MB of documents.` };
}

/**
 * @param model the model of the vectors; undefined for a version without vectors
 * @param searchFields the fields by which it can filter. They count although no document may have a value
 * @returns the id of the version with these documents. The same content under the same algorithm and model is the same
 *   version: it does not depend on the vectors, whose last bits may differ between processors. A
 *   document whose failure may be temporary changes the id, so that the next job tries the document again
 */
export const versionOf = (
  documents: readonly { id: string; fingerprint: string; error?: Finding | null }[],
  model: string | undefined,
  algorithm: string = currentAlgorithm,
  searchFields: readonly string[] = [],
): string =>
  digest([
    algorithm,
    ...(model === undefined ? [] : [model]),
    ...(searchFields.length === 0 ? [] : [searchFields.toSorted()]),
    ...documents
      .map(({ id, fingerprint, error }) => `${id}:${fingerprint}${isFinal(error) ? '' : `:${error?.code}`}`)
      .sort(),
  ]);

/** Whether reading the document again would have the same outcome. */
export const isFinal = (error: Finding | null | undefined): boolean => !error || error.code === 'no_text';

const digest = (value: unknown) => hash('sha256', JSON.stringify(value), 'hex').slice(0, 40);
