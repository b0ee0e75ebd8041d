/**
 * The upload of files as documents. It goes on while other pages of the console are open. The path of a file is its externalId, so
 * an upload that is repeated sends only what has not arrived.
 */

import { type Signal, signal } from '@preact/signals';
import {
  documentFrom,
  isSentAsText,
  utf8Text,
} from '../../../../../clients/typescript/src/helpers/document-files.ts';
import {
  NotFoundError,
  type PlatformError,
  type SyncDocument,
  ValidationError,
} from '../../../../../clients/typescript/src/index.ts';
import { onSignOut, platform } from '../../../session/session.ts';
import { bytesOf, type ChosenFile } from './chosen.ts';
import { forgetInterrupted, noteRunning } from './interrupted.ts';
import { sendFile } from './send-file.ts';

export type FileState = 'waiting' | 'sending' | 'extracting' | 'created' | 'updated' | 'unchanged' | 'failed';

export type UploadFile = ChosenFile & {
  /** A signal of its own, so that only its row is drawn again. */
  state: Signal<FileState>;
  problem: Signal<string | undefined>;
  /** The part that was sent, from 0 to 1, while a file is sent whose text the service extracts. */
  share: Signal<number>;
  /** Of such a file that was sent, until its text is there. */
  documentId: string | undefined;
  isNew: boolean;
};

/** What all files of an upload have. */
export type Target = {
  source: string;
  /** Without tags, the documents keep those that they have. */
  tags: readonly string[];
};

export type Upload = Target & {
  project: string;
  files: readonly UploadFile[];
  isRunning: Signal<boolean>;
  /** How many files have arrived or failed. */
  done: Signal<number>;
  failed: Signal<number>;
  /** What stopped the upload as a whole. */
  error: Signal<unknown>;
};

/** The latest upload of this tab. */
export const upload = signal<Upload | undefined>(undefined);

let running = new AbortController();
onSignOut(() => {
  running.abort();
  upload.value = undefined;
});

const isUnderWay = (state: FileState) => state === 'sending' || state === 'extracting';
const isOver = (state: FileState) => state !== 'waiting' && !isUnderWay(state);

/** How many files are sent at the same time. */
const concurrency = 4;

export function startUpload(project: string, target: Target, files: readonly ChosenFile[]): Promise<Upload> {
  const started: Upload = {
    project,
    ...target,
    files: files.map((file) => ({
      ...file,
      state: signal<FileState>('waiting'),
      problem: signal(undefined),
      share: signal(0),
      documentId: undefined,
      isNew: false,
    })),
    isRunning: signal(false),
    done: signal(0),
    failed: signal(0),
    error: signal(undefined),
  };
  upload.value = started;
  return run(started);
}

/** Sends what has not arrived, also what has failed. */
export function resumeUpload(stopped: Upload): Promise<Upload> {
  for (const { state, problem } of stopped.files)
    if (state.value === 'failed' || isUnderWay(state.value)) {
      state.value = 'waiting';
      problem.value = undefined;
    }
  return run(stopped);
}

/** The files that were not sent stay as they are. */
export const stopUpload = (): void => running.abort();

export const closeUpload = (): void => {
  upload.value = undefined;
};

async function run(current: Upload): Promise<Upload> {
  if (current.isRunning.value) return current;
  const { project, source, tags, files, isRunning, done, failed, error } = current;
  running.abort();
  running = new AbortController();
  const { signal: stopped } = running;
  const byId = new Map(files.map((file) => [file.path, file]));
  const finish = (file: UploadFile | undefined, state: FileState, problem?: string) => {
    if (!file) return;
    file.problem.value = problem;
    file.state.value = state;
    done.value += 1;
    if (state === 'failed') failed.value += 1;
    noteRunning(project, { source, tags, total: files.length, done: done.value });
  };
  const others: UploadFile[] = [];
  async function* documents(): AsyncGenerator<SyncDocument> {
    for (const file of files) {
      if (file.state.value !== 'waiting') continue;
      if (!isSentAsText(file.path, file.file.size)) {
        others.push(file);
        continue;
      }
      const read = await bytesOf(file.file);
      const text = 'bytes' in read ? utf8Text(read.bytes) : undefined;
      if ('problem' in read) finish(file, 'failed', read.problem);
      else if (text === undefined) others.push(file);
      else {
        file.state.value = 'sending';
        yield { ...documentFrom(file.path, text), ...(tags.length > 0 && { tags: [...tags] }) };
      }
    }
  }
  const sendOthers = async () => {
    for (let next = others.shift(); next; next = others.shift()) {
      stopped.throwIfAborted();
      next.share.value = 0;
      const file = next;
      const ended = await sendFile(project, current, file, stopped).catch((thrown: unknown) => {
        if (thrown instanceof ValidationError || thrown instanceof NotFoundError) {
          file.documentId = undefined;
          return { state: 'failed' as const, problem: reasonOf(thrown) };
        }
        // The other requests would fail, too.
        others.length = 0;
        throw thrown;
      });
      finish(next, ended.state, 'problem' in ended ? ended.problem : undefined);
    }
  };
  isRunning.value = true;
  error.value = undefined;
  done.value = files.filter(({ state }) => isOver(state.value)).length;
  failed.value = files.filter(({ state }) => state.value === 'failed').length;
  window.addEventListener('beforeunload', askBeforeLeaving);
  try {
    await platform()
      .projects(project)
      .knowledge.sync({
        source,
        documents: documents(),
        signal: stopped,
        onProgress: ({ externalId, outcome, error: refusal }) =>
          finish(
            byId.get(externalId),
            outcome === 'deleted' ? 'unchanged' : outcome,
            refusal === undefined ? undefined : reasonOf(refusal),
          ),
      });
    const results = await Promise.allSettled(Array.from({ length: concurrency }, sendOthers));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    forgetInterrupted(project);
  } catch (thrown) {
    error.value = thrown;
  } finally {
    for (const { state } of files) if (isUnderWay(state.value)) state.value = 'waiting';
    isRunning.value = false;
    window.removeEventListener('beforeunload', askBeforeLeaving);
  }
  return current;
}

/** The browser asks whether to leave the page. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

const reasonOf = (error: PlatformError): string =>
  error.message.replace(/^The request is not valid\.\s*/, '').trim() || error.message;
