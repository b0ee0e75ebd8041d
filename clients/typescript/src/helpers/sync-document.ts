/** The documents of the caller that a synchronisation sends. */

import type { FileSource } from '../core/upload.ts';
import type { KnowledgeDocumentPutRequest, MimeType } from '../generated/types.ts';

type Description = Pick<KnowledgeDocumentPutRequest, 'title' | 'tags' | 'metadata'> & {
  /** An id that is unique within the source, such as the path of a file. */
  externalId: string;
};

/** A document with its text. */
export type SyncText = Description & { content: string; mimeType?: MimeType | undefined; file?: undefined };

/**
 * A document whose text the API extracts: from PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV, at most 25 MB.
 * Its `mimeType` is a hint, such as `text/csv; charset=windows-1251`.
 */
export type SyncFile = Description &
  Pick<KnowledgeDocumentPutRequest, 'mimeType'> & { file: FileSource; content?: undefined };

/**
 * A document of the caller. A field that it leaves out, such as `tags`, stays as it is. In a new document, the field gets the
 * API's default.
 */
export type SyncDocument = SyncText | SyncFile;
