/**
 * The upload of files as documents. It goes on while other pages of the console are open. The path of a file is its externalId, so
 * a repeated upload sends only the files that have not arrived.
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
import { bytesOf, type SelectedFile } from './selection.ts';
import type { FileState, Target, UploadFile } from './send-file.ts';
import { sendFile } from './send-file.ts';

export type Upload = Target & {
  project: string;
  files: readonly UploadFile[];
  isRunning: Signal<boolean>;
  /** The number of files that have arrived or failed. */
  done: Signal<number>;
  failed: Signal<number>;
  /** The error that stopped the upload as a whole. */
  error: Signal<unknown>;
};

/** The latest upload of this tab. */
export const upload = signal<Upload | undefined>(undefined);

let controller = new AbortController();
onSignOut(() => {
  controller.abort();
  upload.value = undefined;
});

const isUnderWay = (state: FileState) => state === 'sending' || state === 'extracting';
const isOver = (state: FileState) => state !== 'waiting' && !isUnderWay(state);

/** So many files are sent at the same time. */
const concurrency = 4;

export function startUpload(
  project: string,
  target: Target,
  files: readonly SelectedFile[],
): Promise<Upload> {
  const newUpload: Upload = {
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
  upload.value = newUpload;
  return run(newUpload);
}

/** Sends the files that have not arrived, and the files that have failed. */
export function resumeUpload(stoppedUpload: Upload): Promise<Upload> {
  for (const { state, problem } of stoppedUpload.files)
    if (state.value === 'failed' || isUnderWay(state.value)) {
      state.value = 'waiting';
      problem.value = undefined;
    }
  return run(stoppedUpload);
}

/** Stops the upload. Files that were not sent stay as they are. */
export const stopUpload = (): void => controller.abort();

export const closeUpload = (): void => {
  upload.value = undefined;
};

async function run(current: Upload): Promise<Upload> {
  if (current.isRunning.value) return current;
  const { project, source, tags, files, isRunning, done, failed, error } = current;
  controller.abort();
  controller = new AbortController();
  const { signal: stopSignal } = controller;
  const byId = new Map(files.map((file) => [file.path, file]));
  const finish = (file: UploadFile | undefined, state: FileState, problem?: string) => {
    if (!file) return;
    file.problem.value = problem;
    file.state.value = state;
    done.value += 1;
    if (state === 'failed') failed.value += 1;
    noteRunning(project, { source, tags, total: files.length, done: done.value });
  };
  const filesToExtract: UploadFile[] = [];
  async function* documents(): AsyncGenerator<SyncDocument> {
    for (const file of files) {
      if (file.state.value !== 'waiting') continue;
      if (!isSentAsText(file.path, file.file.size)) {
        filesToExtract.push(file);
        continue;
      }
      const result = await bytesOf(file.file);
      const text = 'bytes' in result ? utf8Text(result.bytes) : undefined;
      if ('problem' in result) finish(file, 'failed', result.problem);
      else if (text === undefined) filesToExtract.push(file);
      else {
        file.state.value = 'sending';
        yield { ...documentFrom(file.path, text), ...(tags.length > 0 && { tags: [...tags] }) };
      }
    }
  }
  const sendFilesToExtract = async () => {
    for (let next = filesToExtract.shift(); next; next = filesToExtract.shift()) {
      stopSignal.throwIfAborted();
      next.share.value = 0;
      const file = next;
      const outcome = await sendFile(project, current, file, stopSignal).catch((failure: unknown) => {
        if (failure instanceof ValidationError || failure instanceof NotFoundError) {
          file.documentId = undefined;
          return { state: 'failed' as const, problem: reasonOf(failure) };
        }
        // The other requests would fail, too.
        filesToExtract.length = 0;
        throw failure;
      });
      finish(next, outcome.state, 'problem' in outcome ? outcome.problem : undefined);
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
        signal: stopSignal,
        onProgress: ({ externalId, outcome, error: refusal }) =>
          finish(
            byId.get(externalId),
            outcome === 'deleted' ? 'unchanged' : outcome,
            refusal === undefined ? undefined : reasonOf(refusal),
          ),
      });
    const results = await Promise.allSettled(Array.from({ length: concurrency }, sendFilesToExtract));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    forgetInterrupted(project);
  } catch (failure) {
    error.value = failure;
  } finally {
    for (const { state } of files) if (isUnderWay(state.value)) state.value = 'waiting';
    isRunning.value = false;
    window.removeEventListener('beforeunload', askBeforeLeaving);
  }
  return current;
}

/** Lets the browser ask whether to leave the page. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

const reasonOf = (error: PlatformError): string =>
  error.message.replace(/^The request is not valid\.\s*/, '').trim() || error.message;

/** The upload that a reload of the tab interrupts. Its names and numbers stay until the tab is closed or the user signs out. */
export type InterruptedUpload = { source: string; tags: readonly string[]; total: number; done: number };

const prefix = 'platform-console-upload-';

export const noteRunning = (project: string, upload: InterruptedUpload): void =>
  sessionStorage.setItem(prefix + project, JSON.stringify(upload));

export const forgetInterrupted = (project: string): void => sessionStorage.removeItem(prefix + project);

onSignOut(() => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix)) sessionStorage.removeItem(name);
});

/** @returns the upload that was running when the tab was reloaded */
export function interruptedUpload(project: string): InterruptedUpload | undefined {
  try {
    const upload: unknown = JSON.parse(sessionStorage.getItem(prefix + project) ?? 'null');
    return isInterruptedUpload(upload) ? upload : undefined;
  } catch {
    return undefined;
  }
}

const isInterruptedUpload = (value: unknown): value is InterruptedUpload =>
  typeof value === 'object' &&
  value !== null &&
  ['source', 'tags', 'total', 'done'].every((name) => name in value);
