/** The results of reading a file. */

import type { ExtractionNote } from './blocks.ts';

/**
 * The version of the readers of files and pages. Each document stores the version that has read it. Raise it when a reader gives
 * another text or other notes for a file that it has read before: then callers find the documents that are worth reading again.
 */
export const readerVersion = 2;

/** The limit of the text of a file or a page. */
export const maxTextBytes = 5 * 1024 * 1024;

/** A type that the content of a file shows. Its name and its stated type do not count. */
export type FileType = 'pdf' | 'docx' | 'html' | 'mail' | 'rtf' | 'csv' | 'text';

export type ExtractionError = { code: ExtractionCode; message: string };

export type ExtractionCode =
  | 'document_too_complex'
  | 'document_too_large'
  | 'encrypted'
  | 'file_missing'
  | 'no_text'
  | 'quota_exceeded'
  | 'reading_failed'
  | 'unreadable_file'
  | 'unsupported_type';

/** The text of a file, and what was left out or changed. In a text of a PDF, a form feed ends each page. */
export type ExtractedText = {
  text: string;
  mimeType: 'text/plain' | 'text/markdown';
  notes: readonly ExtractionNote[];
  /** In the properties of a PDF or DOCX, if its author has written a title. */
  title?: string | undefined;
};

/** A file that has no text for an index. The message is for the caller. */
export class NotExtractable extends Error {
  readonly code: ExtractionCode;

  constructor(code: ExtractionCode, message: string) {
    super(message);
    this.code = code;
  }
}
