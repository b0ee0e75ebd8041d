/**
 * The progress of an export, in a file beside the data. It is written after the data and replaced at once, so it never counts data
 * that the export does not have.
 */

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CliError } from '../errors.ts';

/** The settings of an export. An interrupted run only continues with the same settings. */
export type Request = {
  baseUrl: string;
  projectId: string;
  format: string;
  escapesFormulas: boolean;
  filters: Readonly<Record<string, unknown>>;
  from: string | undefined;
  /** The end that the user has named. */
  to: string | undefined;
};

export type Progress = {
  request: Request;
  /** The end of the period, which the first run has fixed. */
  startedBefore: string;
  /** The size of the part of the file that is complete. */
  bytes: number;
  conversations: number;
  messages: number;
  /** Conversations that were erased after they were listed. */
  erased: number;
  /** Conversations that may get further messages. */
  active: number;
  /** The cursor at which the list continues. */
  cursor: string | undefined;
  /** The ids of conversations that are behind the cursor, but already in the file. */
  done: string[];
  /** Whether everything is in the file, which then only needs its name. */
  isComplete: boolean;
};

export const newProgress = (request: Request, startedBefore: string): Progress => ({
  request,
  startedBefore,
  bytes: 0,
  conversations: 0,
  messages: 0,
  erased: 0,
  active: 0,
  cursor: undefined,
  done: [],
  isComplete: false,
});

export const progressFile = (file: string) => `${file}.progress`;

/** @returns undefined if there is no such file */
export async function readProgress(file: string): Promise<Progress | undefined> {
  const text = await readFile(progressFile(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Progress;
  } catch {
    throw new CliError('failed', `${progressFile(file)} is damaged.`, 'Start again with --restart.');
  }
}

export async function writeProgress(file: string, progress: Progress): Promise<void> {
  const draft = `${progressFile(file)}.new`;
  await writeFile(draft, JSON.stringify(progress), { flush: true, mode: 0o600 });
  await rename(draft, progressFile(file));
}

export async function removeProgress(file: string): Promise<void> {
  await rm(`${progressFile(file)}.new`, { force: true });
  await rm(progressFile(file), { force: true });
}

/** @throws CliError if the unfinished export is another one */
export function checkSame(file: string, progress: Progress, request: Request): void {
  if (JSON.stringify(progress.request) === JSON.stringify(request)) return;
  const { from = 'the beginning' } = progress.request;
  throw new CliError(
    'conflict',
    `There is an unfinished export of something else for ${file} (from ${from}, before ${progress.startedBefore}).`,
    'Finish it with its own options, choose another file, or discard it with --restart.',
  );
}
