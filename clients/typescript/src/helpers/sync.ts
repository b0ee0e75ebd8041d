/** Compares local documents with the documents of a source, and sends the difference. */

import type { PlatformError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import type { At } from '../core/resource.ts';
import { NotFoundError, PayloadTooLargeError, ValidationError } from '../generated/errors.ts';
import { KnowledgeDocumentsMethods } from '../generated/methods.ts';
import type { ExtractionNote, KnowledgeDocument, KnowledgeDocumentPutRequest } from '../generated/types.ts';
import { differences, type SyncField, sha256 } from './differences.ts';
import {
  bytesOf,
  checkSize,
  DocumentFileError,
  requireText,
  uploadFile,
  waitForText,
} from './knowledge-files.ts';
import { inParallel, requireDistinct } from './parallel.ts';
import type { SyncDocument, SyncFile, SyncText } from './sync-document.ts';

export type SyncOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

export type SyncEvent = {
  externalId: string;
  outcome: SyncOutcome;
  /** The fields that differ, if the document is updated. A file is `content`. */
  fields: readonly SyncField[];
  /** Why the document failed. */
  error: PlatformError | undefined;
  /** How many documents are done. */
  done: number;
  /** The number of all documents; undefined while it is not known. */
  total: number | undefined;
};

export type SyncOptions = RequestOptions & {
  /** The folder or system that the documents come from. */
  source: string;
  documents: Iterable<SyncDocument> | AsyncIterable<SyncDocument>;
  /** Deletes the documents of this source that are not in `documents`. Default: false. */
  prune?: boolean | undefined;
  /** Sends files again that earlier readers of the API have read. Default: false. */
  reread?: boolean | undefined;
  /** Changes nothing, and reports what would change. Default: false. */
  dryRun?: boolean | undefined;
  /** How many documents are sent at the same time. Each file is in memory while it is sent. Default: 4. */
  concurrency?: number | undefined;
  /** Is called for each document. */
  onProgress?: ((event: SyncEvent) => void) | undefined;
};

export type SyncResult = {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /**
   * The documents that the API refused, which stay as they are, and those whose file it could not read. An `ignored` document does
   * not fail.
   */
  failed: { externalId: string; error: PlatformError }[];
  /**
   * What the API has left out or changed when it read the documents, also those that were not sent now. An `ignored` document is not
   * among them.
   */
  notes: { externalId: string; title: string; notes: ExtractionNote[] }[];
};

type Sent = { outcome: SyncOutcome; document: KnowledgeDocument | undefined };

/** The stored document as it is now, and the changes that make it equal. */
type Plan = {
  current: KnowledgeDocument | undefined;
  fields: readonly SyncField[];
  send: () => Promise<Sent>;
};

/**
 * @throws an error that prevents the whole work, such as `UnauthorizedError`, when no request runs any more. An error of a single
 * document is in the result
 */
export async function sync(at: At, options: SyncOptions): Promise<SyncResult> {
  const { source, documents, prune, reread, dryRun, concurrency = 4, onProgress, ...rest } = options;
  const api = new KnowledgeDocumentsMethods(...at);
  const result: SyncResult = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [], notes: [] };
  const storedDocuments = new Map<string, KnowledgeDocument>();
  let readerVersion = 0;
  for await (const page of api.list({ source, limit: 100 }, rest).pages()) {
    readerVersion = page.data.readerVersion;
    for (const document of page.items)
      if (document.externalId !== null) storedDocuments.set(document.externalId, document);
  }
  /** Whether earlier readers have read its file. */
  const isOutdated = (document: KnowledgeDocument | undefined) =>
    (document?.extractedBy ?? readerVersion) < readerVersion;

  const stop = new AbortController();
  const signal = rest.signal ? AbortSignal.any([rest.signal, stop.signal]) : stop.signal;
  const request = { ...rest, signal };
  let total = Array.isArray(documents) ? documents.length : undefined;
  let done = 0;
  const report = (
    externalId: string,
    outcome: SyncOutcome,
    fields: readonly SyncField[] = [],
    error?: PlatformError,
  ) => {
    if (outcome === 'failed' && error) result.failed.push({ externalId, error });
    else if (outcome !== 'failed') result[outcome] += 1;
    done += 1;
    onProgress?.({ externalId, outcome, fields, error, done, total });
  };

  const note = (externalId: string, title: string, document: KnowledgeDocument | undefined) => {
    const notes = document?.extractionNotes ?? [];
    if (notes.length > 0 && !document?.ignored) result.notes.push({ externalId, title, notes });
  };

  const send = async (document: SyncDocument): Promise<void> => {
    const { externalId, title } = document;
    const stored = storedDocuments.get(externalId);
    try {
      const plan = await (document.file ? planFile(document, stored) : planText(document, stored));
      const isUnchanged = stored && plan.fields.length === 0;
      const isSent = !isUnchanged && !dryRun;
      const sent = isSent ? await plan.send() : undefined;
      // Before a new content is sent, nobody has read it.
      const keptDocument = plan.fields.includes('content') ? undefined : plan.current;
      note(externalId, title, sent?.document ?? keptDocument);
      if (isUnchanged) return report(externalId, 'unchanged');
      const outcome = sent?.outcome ?? (stored ? 'updated' : 'created');
      report(externalId, outcome, outcome === 'updated' ? plan.fields : []);
    } catch (error) {
      if (!isOfOneDocument(error)) throw error;
      // Nobody needs the text of an ignored document.
      if (stored?.ignored) return report(externalId, 'unchanged');
      report(externalId, 'failed', [], error);
    }
  };
  const planText = async (
    { externalId, ...document }: SyncText,
    stored: KnowledgeDocument | undefined,
  ): Promise<Plan> => {
    const isSame = stored !== undefined && stored.contentSha256 === (await sha256(document.content));
    return {
      current: stored,
      fields: stored ? differences(stored, document, isSame) : [],
      async send() {
        return (stored && (await change(stored.id, document))) ?? put(externalId, document, 'created');
      },
    };
  };
  const planFile = async (
    { externalId, file, mimeType, ...document }: SyncFile,
    stored: KnowledgeDocument | undefined,
  ): Promise<Plan> => {
    checkSize(file);
    const bytes = await bytesOf(file, signal);
    // The run that has sent the file may have ended before the file was read.
    const current = stored && (await whenRead(stored));
    const fileSha256 = current?.fileSha256 ?? undefined;
    const isSameFile = fileSha256 !== undefined && fileSha256 === (await sha256(bytes));
    const type = mimeType ?? current?.fileMimeType ?? undefined;
    const isSame =
      isSameFile && type === (current?.fileMimeType ?? undefined) && !(reread && isOutdated(current));
    // The API would refuse the same file again.
    if (current && isSame && !current.ignored) requireText(current);
    const fields = current ? differences(current, document, isSame) : [];
    return {
      current,
      fields,
      async send() {
        const changed = current && !fields.includes('content') && (await change(current.id, document));
        if (changed) return changed;
        const uploadId = await uploadFile(at, new Blob([bytes]), request);
        // A PUT replaces fields that it leaves out.
        const unchanged = current && { tags: current.tags, metadata: current.metadata };
        const fieldsToSend = { ...unchanged, ...definedFields({ ...document, mimeType: type }), uploadId };
        return put(externalId, fieldsToSend, current ? 'updated' : 'created');
      },
    };
  };
  /** @returns `expected` if the response to an earlier attempt was lost, because that attempt has taken effect */
  const put = async (
    externalId: string,
    document: KnowledgeDocumentPutRequest,
    expected: SyncOutcome,
  ): Promise<Sent> => {
    const result = await api.put(externalId, { ...document, source }, request);
    const current = document.uploadId === undefined ? undefined : await whenRead(result.document);
    if (current && !current.ignored) requireText(current);
    const outcome = result.outcome === 'unchanged' ? expected : result.outcome;
    return { outcome, document: current ?? result.document };
  };
  /** @returns the document when its file has been read; undefined if somebody has deleted it */
  const whenRead = (document: KnowledgeDocument): Promise<KnowledgeDocument | undefined> =>
    waitForText(api, document, request).catch(ignoreMissing);
  /** Sends a PATCH, because a PUT would replace fields that the caller leaves out. @returns undefined if the document is gone */
  const change = async (
    id: string,
    fields: Omit<SyncText, 'externalId' | 'content' | 'file'>,
  ): Promise<Sent | undefined> => {
    const document = await api.update(id, fields, request).catch(ignoreMissing);
    return document && { outcome: 'updated', document };
  };
  const remove = async ({ id, externalId }: KnowledgeDocument): Promise<void> => {
    // Another run may have just deleted the document.
    if (!dryRun) await api.delete(id, {}, request).catch(ignoreMissing);
    report(externalId ?? id, 'deleted');
  };

  const localIds = new Set<string>();
  await inParallel(requireDistinct(documents, localIds), concurrency, send, stop, signal);
  if (!prune) return result;
  if (localIds.size === 0)
    throw new TypeError('There are no documents, so prune would delete all documents of the source.');
  const obsolete = [...storedDocuments.values()].filter(
    ({ externalId }) => externalId !== null && !localIds.has(externalId),
  );
  total = done + obsolete.length;
  await inParallel(obsolete, concurrency, remove, stop, signal);
  return result;
}

/** Whether an error concerns a single document. */
const isOfOneDocument = (error: unknown): error is PlatformError =>
  error instanceof ValidationError ||
  error instanceof PayloadTooLargeError ||
  error instanceof DocumentFileError;

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

/** @returns the fields that are not undefined */
const definedFields = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
