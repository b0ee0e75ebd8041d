/** Keeps the documents of a source equal to the documents of the caller, sends files, and refreshes sources. */

import { TimeoutError } from '../core/errors.ts';
import type { PostOptions, RequestOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import type { FileSource } from '../core/upload.ts';
import {
  KnowledgeDocumentsMethods,
  KnowledgeMethods,
  KnowledgeSourcesMethods,
} from '../generated/methods.ts';
import type {
  KnowledgeDocument,
  KnowledgeSourceRefreshRequest,
  KnowledgeSourcesDeleteQuery,
} from '../generated/types.ts';
import type { JobOf } from './jobs.ts';
import { type TextWaitOptions, textDeadlineMs, uploadFile, waitForText } from './knowledge-files.ts';
import { type SyncOptions, type SyncResult, sync } from './sync.ts';

export class KnowledgeHelpers extends KnowledgeMethods {
  override reindex(options?: PostOptions): ApiPromise<JobOf<'knowledge.reindex'>> {
    return super.reindex(options) as ApiPromise<JobOf<'knowledge.reindex'>>;
  }

  /**
   * Makes the documents of one source equal to `documents`: hashes them locally, sends only changed documents, and with `prune`
   * deletes the other documents of the source. It waits until files have been read. `notes` of the result says what the API could not
   * read. With `reread`, it also sends the files that an earlier version of the API has read. Other sources, and documents without an
   * externalId, are not changed. The call may be repeated after a crash, and run twice at the same time. It does not build the
   * index: call `reindex`.
   */
  sync(options: SyncOptions): Promise<SyncResult> {
    return sync(this.at, options);
  }

  /**
   * Uploads a file for a document: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV. Pass the id as `uploadId` to `documents.create`
   * or `documents.put`, then wait with `waitForText`.
   * @returns the id of the upload
   * @throws `DocumentFileError` if the file has more than 25 MB
   */
  async uploadFile(file: FileSource, options: RequestOptions = {}): Promise<string> {
    return uploadFile(this.at, file, options);
  }

  /**
   * Waits until the file of a document has been read.
   * @returns the document: `extraction` says whether it has the text, `extractionError` why it has no text
   * @throws `TimeoutError` at the deadline
   */
  async waitForText(
    document: KnowledgeDocument | PromiseLike<KnowledgeDocument>,
    options: TextWaitOptions = {},
  ): Promise<KnowledgeDocument> {
    const { deadlineMs = textDeadlineMs } = options;
    const result = await waitForText(new KnowledgeDocumentsMethods(...this.at), await document, options);
    if (result.extraction === 'pending')
      throw new TimeoutError(`The file of the document ${result.id} was not read within ${deadlineMs} ms.`);
    return result;
  }
}

/** Sources whose jobs have a type: `jobs.waitForSuccess(sources.refresh(id))` returns a `RefreshResult`. */
export class KnowledgeSources extends KnowledgeSourcesMethods {
  override refresh(
    sourceId: string,
    body?: KnowledgeSourceRefreshRequest,
    options?: PostOptions,
  ): ApiPromise<JobOf<'knowledge.refresh'>> {
    return super.refresh(sourceId, body, options) as ApiPromise<JobOf<'knowledge.refresh'>>;
  }

  override delete(
    sourceId: string,
    query?: KnowledgeSourcesDeleteQuery,
    options?: RequestOptions,
  ): ApiPromise<JobOf<'knowledge.remove-source'>> {
    return super.delete(sourceId, query, options) as ApiPromise<JobOf<'knowledge.remove-source'>>;
  }
}
