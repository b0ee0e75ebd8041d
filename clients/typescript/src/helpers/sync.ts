/** Compares local documents with those of a source, and sends the difference. */

import type { PlatformError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import type { At } from '../core/resource.ts';
import type { FileSource } from '../core/upload.ts';
import { NotFoundError, PayloadTooLargeError, ValidationError } from '../generated/errors.ts';
import { KnowledgeDocumentsMethods } from '../generated/methods.ts';
import type { KnowledgeDocument, KnowledgeDocumentPutRequest } from '../generated/types.ts';
import { differences, type SyncField, sha256 } from './differences.ts';
import {
  bytesOf,
  checkSize,
  DocumentFileError,
  requireText,
  uploadFile,
  waitForText,
} from './knowledge-files.ts';
import { distinct, inParallel } from './parallel.ts';

type Described = Pick<KnowledgeDocumentPutRequest, 'title' | 'tags' | 'metadata'> & {
  /** Unique within the source, such as the path of a file. */
  externalId: string;
};

/** A document with its text. */
export type SyncText = Described &
  Pick<KnowledgeDocumentPutRequest, 'mimeType'> & { content: string; file?: undefined };

/** A document whose text the API extracts: from PDF, DOCX, HTML, Markdown, plain text or CSV, at most 25 MB. */
export type SyncFile = Described & { file: FileSource; content?: undefined; mimeType?: undefined };

/**
 * A document as the caller has it. What it leaves out, such as `tags`, stays as it is. In a new document, it gets the API's
 * default.
 */
export type SyncDocument = SyncText | SyncFile;

export type SyncOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

export type SyncEvent = {
  externalId: string;
  outcome: SyncOutcome;
  /** What differs, if the document is updated. A file is `content`. */
  fields: readonly SyncField[];
  /** Why it failed. */
  error: PlatformError | undefined;
  /** How many documents are done. */
  done: number;
  /** How many there are; undefined while they are not all known. */
  total: number | undefined;
};

export type SyncOptions = RequestOptions & {
  /** The folder or system that the documents come from. */
  source: string;
  documents: Iterable<SyncDocument> | AsyncIterable<SyncDocument>;
  /** Deletes the documents of this source that are not among these. Default: false. */
  prune?: boolean | undefined;
  /** Changes nothing, and reports what would change. Default: false. */
  dryRun?: boolean | undefined;
  /** How many documents are sent at the same time. The file of each is in memory. Default: 4. */
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
};

/** What would make a stored document equal. */
type Plan = { fields: readonly SyncField[]; send: () => Promise<SyncOutcome> };

/**
 * @throws what prevents the whole work, such as `UnauthorizedError`, when no request runs any more. What concerns a single document
 * is in the result.
 */
export async function sync(at: At, options: SyncOptions): Promise<SyncResult> {
  const { source, documents, prune, dryRun, concurrency = 4, onProgress, ...rest } = options;
  const api = new KnowledgeDocumentsMethods(...at);
  const result: SyncResult = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [] };
  const stored = new Map<string, KnowledgeDocument>();
  for await (const document of api.list({ source, limit: 100 }, rest))
    if (document.externalId !== null) stored.set(document.externalId, document);

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

  const send = async (document: SyncDocument): Promise<void> => {
    const { externalId } = document;
    const known = stored.get(externalId);
    try {
      const plan = await (document.file ? planFile(document, known) : planText(document, known));
      if (known && plan.fields.length === 0) return report(externalId, 'unchanged');
      const outcome = dryRun ? (known ? 'updated' : 'created') : await plan.send();
      report(externalId, outcome, outcome === 'updated' ? plan.fields : []);
    } catch (error) {
      if (!isOfOne(error)) throw error;
      // Nobody waits for its text.
      if (known?.ignored) return report(externalId, 'unchanged');
      report(externalId, 'failed', [], error);
    }
  };
  const planText = async (
    { externalId, ...document }: SyncText,
    known: KnowledgeDocument | undefined,
  ): Promise<Plan> => {
    const isSame = known !== undefined && known.contentSha256 === (await sha256(document.content));
    return {
      fields: known ? differences(known, document, isSame) : [],
      async send() {
        if (known && (await change(known.id, document))) return 'updated';
        return put(externalId, document, 'created');
      },
    };
  };
  const planFile = async (
    { externalId, file, ...document }: SyncFile,
    known: KnowledgeDocument | undefined,
  ): Promise<Plan> => {
    checkSize(file);
    const bytes = await bytesOf(file, signal);
    // The run that has sent it may have ended before it was read.
    const now = known && (await read(known));
    const fileSha256 = now?.fileSha256 ?? undefined;
    const isSame = fileSha256 !== undefined && fileSha256 === (await sha256(bytes));
    // The API would refuse the same file again.
    if (now && isSame && !now.ignored) requireText(now);
    const fields = now ? differences(now, document, isSame) : [];
    return {
      fields,
      async send() {
        if (now && !fields.includes('content') && (await change(now.id, document))) return 'updated';
        const uploadId = await uploadFile(at, new Blob([bytes]), request);
        // A PUT replaces what it leaves out.
        const kept = now && { tags: now.tags, metadata: now.metadata };
        return put(externalId, { ...kept, ...given(document), uploadId }, now ? 'updated' : 'created');
      },
    };
  };
  /** @returns `before` if an answer was lost, because it has taken effect */
  const put = async (
    externalId: string,
    document: KnowledgeDocumentPutRequest,
    before: SyncOutcome,
  ): Promise<SyncOutcome> => {
    const { outcome, document: sent } = await api.put(externalId, { ...document, source }, request);
    const now = document.uploadId === undefined ? undefined : await read(sent);
    if (now && !now.ignored) requireText(now);
    return outcome === 'unchanged' ? before : outcome;
  };
  /** @returns the document when its file has been read; undefined if somebody has deleted it */
  const read = (document: KnowledgeDocument): Promise<KnowledgeDocument | undefined> =>
    waitForText(api, document, request).catch(ignoreMissing);
  /** A PATCH, because a PUT would replace what the caller leaves out. @returns whether the document still exists */
  const change = async (id: string, document: Omit<SyncText, 'externalId' | 'content' | 'file'>) =>
    (await api.update(id, document, request).catch(ignoreMissing)) !== undefined;
  const remove = async ({ id, externalId }: KnowledgeDocument): Promise<void> => {
    // Another run may have just deleted it.
    if (!dryRun) await api.delete(id, {}, request).catch(ignoreMissing);
    report(externalId ?? id, 'deleted');
  };

  const here = new Set<string>();
  await inParallel(distinct(documents, here), concurrency, send, stop, signal);
  if (!prune) return result;
  if (here.size === 0)
    throw new TypeError('There are no documents, so prune would delete all documents of the source.');
  const gone = [...stored.values()].filter(({ externalId }) => externalId !== null && !here.has(externalId));
  total = done + gone.length;
  await inParallel(gone, concurrency, remove, stop, signal);
  return result;
}

/** Whether an error concerns a single document. */
const isOfOne = (error: unknown): error is PlatformError =>
  error instanceof ValidationError ||
  error instanceof PayloadTooLargeError ||
  error instanceof DocumentFileError;

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

/** Without the fields that are undefined. */
const given = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
