/** Reads exports: waits for the job, and downloads the files, whose links expire. */

import { download } from '../core/download.ts';
import { named, PlatformError } from '../core/errors.ts';
import { gunzippedLines } from '../core/lines.ts';
import type { PostOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import { ExportsMethods } from '../generated/methods.ts';
import type {
  AuditEvent,
  Conversation,
  ExportContent,
  ExportCreateRequest,
  ExportPart,
  ExportRequest,
  KnowledgeDocument,
  Message,
} from '../generated/types.ts';
import { type JobOf, type JobReference, Jobs, type WaitOptions } from './jobs.ts';

/** A line with a conversation and its first messages, or with the `id` and the next messages of a long conversation. */
export type ExportedConversation = Partial<Conversation> & { id: string; messages: Message[] };
export type ExportedDocument = KnowledgeDocument & { content: string };

/** The content of a line, by `what` of the export. */
export type ExportLines = {
  conversations: ExportedConversation;
  documents: ExportedDocument;
  audit: AuditEvent;
};

/** `deadlineMs` and `onProgress` are about the job, and `idempotencyKey` about a new export. */
export type ExportOptions = WaitOptions & PostOptions;

export type ExportLinesOptions = ExportOptions & {
  /** Is called for each part whose file is gone, also between two of its lines. Without this function, a missing part is an error. */
  onMissing?: ((part: ExportPart) => void) | undefined;
};

/** The file of a part is gone: something in it was erased or deleted, or its day is over. `part.removedBecause` says which. */
export class ExportPartMissingError extends PlatformError {
  static {
    named(ExportPartMissingError, 'ExportPartMissingError');
  }

  readonly part: ExportPart;

  constructor(part: ExportPart) {
    const { number, status, removedBecause } = part;
    super(`Part ${number} of the export is ${status}${removedBecause ? ` (${removedBecause})` : ''}.`);
    this.part = part;
  }
}

/** A file of an export. Nothing is downloaded before it is read. */
export class ExportFile<Line = unknown> {
  readonly part: ExportPart;
  /**
   * The file, compressed with gzip. The files of an export, one after the other, are a gzip file, too.
   * @throws ExportPartMissingError also while it is read
   */
  readonly bytes: (options?: { signal?: AbortSignal }) => AsyncGenerator<Uint8Array, void, undefined>;

  constructor(part: ExportPart, bytes: ExportFile['bytes']) {
    this.part = part;
    this.bytes = bytes;
  }

  /** Yields the lines as text, without the line ends. */
  text(): AsyncGenerator<string, void, undefined> {
    return gunzippedLines(this.bytes);
  }

  /** Yields the parsed lines. */
  async *lines(): AsyncGenerator<Line, void, undefined> {
    for await (const line of this.text()) yield JSON.parse(line) as Line;
  }
}

/** The type of the job of each export. */
type ExportType<What extends ExportContent> = {
  conversations: 'conversations.export';
  documents: 'knowledge.export';
  audit: 'audit.export';
}[What];

export class Exports extends ExportsMethods {
  override create<What extends ExportContent>(
    body: ExportCreateRequest & { what: What },
    options?: PostOptions,
  ): ApiPromise<JobOf<ExportType<What>>> {
    return super.create(body, options) as ApiPromise<JobOf<ExportType<What>>>;
  }

  /**
   * Yields the lines of an export, one at a time: waits for the job, and downloads its files one after the other. After a lost
   * connection, it continues at the same place, with a new link if the old link has expired.
   * @param source the request of a new export; or an existing export: its id, its job, or the promise of either
   * @throws `JobFailedError`; `ExportPartMissingError` if a part is gone, unless there is an `onMissing`
   */
  lines<What extends ExportContent>(
    source: ExportRequest & { what: What },
    options?: ExportLinesOptions,
  ): AsyncGenerator<ExportLines[What], void, undefined>;
  lines<Line = ExportLines[ExportContent]>(
    source: JobReference,
    options?: ExportLinesOptions,
  ): AsyncGenerator<Line, void, undefined>;
  async *lines(
    source: ExportRequest | JobReference,
    options: ExportLinesOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const { onMissing, ...rest } = options;
    for await (const file of this.files(source, rest)) {
      try {
        yield* file.lines();
      } catch (error) {
        if (!onMissing || !(error instanceof ExportPartMissingError)) throw error;
        onMissing(error.part);
      }
    }
  }

  /**
   * Yields the files of an export, in order, also missing files: `part.status` says so. It waits for the job first.
   * @param source as for `lines`
   * @throws `JobFailedError`
   */
  async *files(
    source: ExportRequest | JobReference,
    options: ExportOptions = {},
  ): AsyncGenerator<ExportFile, void, undefined> {
    const { onProgress, deadlineMs, idempotencyKey, ...rest } = options;
    const isNew = typeof source === 'object' && 'what' in source;
    const job = isNew ? this.create(source, { ...rest, idempotencyKey }) : source;
    const { id } = await new Jobs(...this.at).waitForSuccess(job, { ...rest, onProgress, deadlineMs });
    // All links are renewed at the same time.
    let { parts } = await this.get(id, rest);
    for (const part of parts) {
      const linkFor = async (isAgain: boolean): Promise<string> => {
        if (isAgain) ({ parts } = await this.get(id, rest));
        const current = parts.find(({ number }) => number === part.number) ?? part;
        if (current.url === null) throw new ExportPartMissingError(current);
        return current.url;
      };
      const settings = this.at[0].settingsOf(rest);
      yield new ExportFile(part, (readOptions = {}) => {
        const signals = [settings.signal, readOptions.signal].filter((signal) => signal !== undefined);
        return download(linkFor, part.bytes, { ...settings, signal: AbortSignal.any(signals) });
      });
    }
  }
}
