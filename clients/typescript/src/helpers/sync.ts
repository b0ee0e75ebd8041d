/** Compares local documents with those of a source, and sends the difference. */

import type { PlatformError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import { NotFoundError, PayloadTooLargeError, ValidationError } from '../generated/errors.ts';
import type { KnowledgeDocumentsMethods } from '../generated/methods.ts';
import type { KnowledgeDocument } from '../generated/types.ts';

/**
 * A document as the caller has it. What it leaves out, such as `tags`, stays as it is. In a new document, it gets the API's
 * default.
 */
export type SyncDocument = Omit<
  Parameters<KnowledgeDocumentsMethods['put']>[1],
  'source' | 'content' | 'uploadId'
> & {
  content: string;
  /** Unique within the source, such as the path of a file. */
  externalId: string;
};

export type SyncOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** The fields that a synchronisation compares. */
export type SyncField = 'title' | 'content' | 'mimeType' | 'tags' | 'metadata';

export type SyncEvent = {
  externalId: string;
  outcome: SyncOutcome;
  /** What differs, if the document is updated. */
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
  /** How many documents are sent at the same time. Default: 4. */
  concurrency?: number | undefined;
  /** Is called for each document. */
  onProgress?: ((event: SyncEvent) => void) | undefined;
};

export type SyncResult = {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /** The documents that the API refused. They stay as they are. */
  failed: { externalId: string; error: PlatformError }[];
};

/**
 * @throws what prevents the whole work, such as `UnauthorizedError`. What concerns a single document is in the result.
 */
export async function sync(api: KnowledgeDocumentsMethods, options: SyncOptions): Promise<SyncResult> {
  const { source, documents, prune, dryRun, concurrency = 4, onProgress, ...rest } = options;
  const result: SyncResult = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [] };
  const stored = new Map<string, KnowledgeDocument>();
  for await (const document of api.list({ source, limit: 100 }, rest))
    if (document.externalId !== null) stored.set(document.externalId, document);

  // One failure stops the requests of the others.
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

  const send = async ({ externalId, ...document }: SyncDocument): Promise<void> => {
    const known = stored.get(externalId);
    const fields = known ? await differences(known, document) : [];
    if (known && fields.length === 0) return report(externalId, 'unchanged');
    const before: SyncOutcome = known === undefined ? 'created' : 'updated';
    if (dryRun) return report(externalId, before, fields);
    try {
      if (known && (await change(known.id, document))) return report(externalId, 'updated', fields);
      const { outcome } = await api.put(externalId, { ...document, source }, request);
      // An answer that was lost has taken effect.
      report(externalId, outcome === 'unchanged' ? 'created' : outcome);
    } catch (error) {
      if (!(error instanceof ValidationError || error instanceof PayloadTooLargeError)) throw error;
      report(externalId, 'failed', [], error);
    }
  };
  /** A PATCH, because a PUT would replace what the caller leaves out. @returns whether the document still exists */
  const change = async (id: string, document: Omit<SyncDocument, 'externalId'>): Promise<boolean> => {
    try {
      await api.update(id, document, request);
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  };
  const remove = async ({ id, externalId }: KnowledgeDocument): Promise<void> => {
    // Another run may have just deleted it.
    const ignoreMissing = (error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    };
    if (!dryRun) await api.delete(id, {}, request).catch(ignoreMissing);
    report(externalId ?? id, 'deleted');
  };
  const all = async <Item>(
    items: Iterable<Item> | AsyncIterable<Item>,
    act: (item: Item) => Promise<void>,
  ) => {
    try {
      await inParallel(items, concurrency, act, signal);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };

  const here = new Set<string>();
  await all(distinct(documents, here), send);
  if (!prune) return result;
  if (here.size === 0)
    throw new TypeError('There are no documents, so prune would delete all documents of the source.');
  const gone = [...stored.values()].filter(({ externalId }) => externalId !== null && !here.has(externalId));
  total = done + gone.length;
  await all(gone, remove);
  return result;
}

async function* distinct(documents: Iterable<SyncDocument> | AsyncIterable<SyncDocument>, seen: Set<string>) {
  for await (const document of documents) {
    const { externalId } = document;
    if (seen.has(externalId)) throw new TypeError(`Two documents have the externalId ${externalId}.`);
    seen.add(externalId);
    yield document;
  }
}

/** Rejects with the first failure, when all that had begun has ended. */
async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const iterator = (async function* () {
    yield* items;
  })();
  let failed = false;
  const work = async () => {
    try {
      for (let next = await iterator.next(); !next.done && !failed; next = await iterator.next()) {
        signal.throwIfAborted();
        await act(next.value);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** @returns the fields that sending the document would change. Pages without TLS cannot hash, and send it. */
async function differences(
  stored: KnowledgeDocument,
  { title, content, mimeType, tags, metadata }: Omit<SyncDocument, 'externalId'>,
): Promise<SyncField[]> {
  const same: Record<SyncField, boolean> = {
    title: stored.title === title,
    content: stored.contentSha256 === (await sha256(content)),
    mimeType: mimeType === undefined || stored.mimeType === mimeType,
    tags: tags === undefined || canonical([...stored.tags].sort()) === canonical([...tags].sort()),
    metadata: metadata === undefined || canonical(stored.metadata) === canonical(metadata),
  };
  return (Object.keys(same) as SyncField[]).filter((field) => !same[field]);
}

/** The order of an object's fields does not matter. */
const canonical = (value: object) =>
  JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

async function sha256(text: string): Promise<string | undefined> {
  const hash = await globalThis.crypto.subtle?.digest('SHA-256', new TextEncoder().encode(text));
  return hash && Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
