/** Uploads the files of documents, and waits until their texts are extracted. */

import { named, PlatformError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import type { At } from '../core/resource.ts';
import { elapsedMs, pause, unlessAborted } from '../core/timing.ts';
import { type FileSource, upload } from '../core/upload.ts';
import { type KnowledgeDocumentsMethods, UploadsMethods } from '../generated/methods.ts';
import type { KnowledgeDocument } from '../generated/types.ts';

/** The API's limit of a file. */
export const maxFileBytes = 25 * 1024 * 1024;

/** An extraction takes seconds. It takes longer while many files are sent at once. */
export const textDeadlineMs = 600_000;

const firstPauseMs = 200;
const longestPauseMs = 3000;

/** A file has not become the content of its document: `code` and the message say why. */
export class DocumentFileError extends PlatformError {
  static {
    named(DocumentFileError, 'DocumentFileError');
  }

  /** `extractionError.code` of the document, or `file_too_large` or `not_extracted`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${message} (${code})`);
    this.code = code;
  }
}

export type TextWaitOptions = Omit<RequestOptions, 'deadlineMs'> & {
  /** The time limit of the whole wait. The extraction goes on. Default: 10 minutes. */
  deadlineMs?: number | undefined;
  /** Is called after each look at the document. */
  onProgress?: ((document: KnowledgeDocument) => void) | undefined;
};

/** @throws DocumentFileError before anything is sent, if the file is too large */
export function checkSize({ size }: Pick<FileSource, 'size'>): void {
  if (size <= maxFileBytes) return;
  const megabytes = (size / 1024 / 1024).toFixed(1);
  throw new DocumentFileError(
    'file_too_large',
    `The file has ${megabytes} MB, and a file has at most 25 MB.`,
  );
}

/** Reads a file. The signal ends the read, even if the file never comes. */
export async function bytesOf(file: FileSource, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
      chunks.push(value);
    }
  } finally {
    // The cancellation closes a file that is open.
    reader.cancel().catch(() => {});
  }
}

/** @returns the id of the upload */
export function uploadFile(at: At, file: FileSource, options: RequestOptions): Promise<string> {
  checkSize(file);
  const uploads = new UploadsMethods(...at);
  const create = () => uploads.create({ bytes: file.size, purpose: 'knowledge' }, options);
  return upload(create, file, at[0].settingsOf(options));
}

/** @returns the document when its file has been read, or as it is at the deadline */
export async function waitForText(
  documents: KnowledgeDocumentsMethods,
  document: KnowledgeDocument,
  { deadlineMs = textDeadlineMs, onProgress, ...options }: TextWaitOptions,
): Promise<KnowledgeDocument> {
  const endsMs = elapsedMs() + deadlineMs;
  let pauseMs = firstPauseMs;
  for (let current = document; ; current = await documents.get(document.id, options)) {
    onProgress?.(current);
    const leftMs = endsMs - elapsedMs();
    if (current.extraction !== 'pending' || leftMs <= 0) return current;
    await pause(Math.min(pauseMs, leftMs), options.signal);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
}

/** @throws DocumentFileError unless the file of the document has become its content */
export function requireText({ extraction, extractionError }: KnowledgeDocument): void {
  if (extraction === 'failed') {
    const { code = 'failed', message = 'The file could not be read.' } = extractionError ?? {};
    throw new DocumentFileError(code, message);
  }
  if (extraction === 'pending')
    throw new DocumentFileError('not_extracted', 'The file was sent, and has not been read yet.');
}
