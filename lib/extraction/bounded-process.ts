/**
 * Runs the extraction of one file in a child process with limits of memory and time, which a malicious file cannot exceed. A process
 * that such a file takes over has no credentials and no environment, and may neither write files nor start processes.
 */

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ExtractionNote, type NoteCode, noteCodes } from '../readers/blocks.ts';
import { writtenTitle } from '../readers/title.ts';
import { type ExtractedText, type ExtractionError, maxTextBytes, NotExtractable } from '../readers/types.ts';
import type { FileHint } from './file-type.ts';

export type ProcessLimits = { residentBytes: number; elapsedMs: number };

export const processLimits: ProcessLimits = { residentBytes: 2 * 1024 ** 3, elapsedMs: 60_000 };

const checkEveryMs = 50;
/** JSON takes at most 6 bytes for a byte of text. */
const maxOutputBytes = 6 * maxTextBytes + 1024;

/** A program, and the folder of which it may read files. */
type Child = { file: URL; folder: URL };

/** The child is next to this file, as source or as bundle. A bundle has everything in it. */
const extractionChild = (): Child =>
  import.meta.url.endsWith('.ts')
    ? { file: new URL('extraction-child.ts', import.meta.url), folder: new URL('../../', import.meta.url) }
    : { file: new URL('extraction-child.mjs', import.meta.url), folder: new URL('.', import.meta.url) };

/** The output of the child, or the reason for which it has none. */
type End = { output: string } | 'too_long' | 'too_much_memory' | 'crashed';

/**
 * @returns the text of the file
 * @throws NotExtractable with the reason; Error if the child has not started
 */
export async function extractInProcess(
  file: Uint8Array,
  hint: FileHint = {},
  { limits = processLimits, child = extractionChild() }: { limits?: ProcessLimits; child?: Child } = {},
): Promise<ExtractedText> {
  const end = await run(file, hint, limits, child);
  if (typeof end === 'string') throw new NotExtractable('document_too_complex', reasons(limits)[end]);
  const outcome = readOutcome(end.output);
  if ('error' in outcome) throw new NotExtractable(outcome.error.code, outcome.error.message);
  return outcome;
}

const reasons = ({ residentBytes, elapsedMs }: ProcessLimits) => ({
  too_long: `Reading was stopped because it takes more than ${elapsedMs / 1000} s.`,
  too_much_memory: `Reading was stopped because it takes more than ${Math.round(residentBytes / 2 ** 20)} MB of memory.`,
  crashed: 'Reading was stopped because the file takes too much memory, or is broken.',
});

/** The child may have been taken over, so its output is checked. */
function readOutcome(output: string): ExtractedText | { error: ExtractionError } {
  try {
    const outcome = JSON.parse(output);
    const { text, mimeType, notes, title, error } = outcome;
    if (typeof text === 'string' && Buffer.byteLength(text) <= maxTextBytes && text.isWellFormed()) {
      if (mimeType === 'text/plain' || mimeType === 'text/markdown')
        return { text, mimeType, notes: checkedNotes(notes), title: writtenTitle(title) };
    }
    if (typeof error?.code === 'string' && typeof error.message === 'string') {
      return { error: { code: error.code, message: error.message.slice(0, 500) } };
    }
  } catch {}
  return { error: { code: 'unreadable_file', message: 'The file is broken.' } };
}

/** A document has at most so many notes, and a note has at most so many pages. */
const maxNotes = 20;

function checkedNotes(notes: unknown): ExtractionNote[] {
  if (!Array.isArray(notes)) return [];
  return notes.slice(0, maxNotes).flatMap(({ code, count, pages }) => {
    if (!isNoteCode(code) || !isPositive(count)) return [];
    if (!Array.isArray(pages)) return [{ code, count }];
    return [{ code, count, pages: pages.filter(isPositive).slice(0, maxNotes) }];
  });
}

const isNoteCode = (code: unknown): code is NoteCode => noteCodes.some((known) => known === code);
const isPositive = (number: unknown): number is number => Number.isSafeInteger(number) && Number(number) > 0;

function run(file: Uint8Array, hint: FileHint, limits: ProcessLimits, child: Child): Promise<End> {
  return new Promise((resolve, reject) => {
    const program = [
      process.execPath,
      ...nodeOptions(limits, child),
      fileURLToPath(child.file),
      JSON.stringify(hint),
    ];
    const childProcess = spawn('/bin/sh', ['-c', limited(limits), ...program], {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let cause: 'too_long' | 'too_much_memory' | 'crashed' = 'crashed';
    const stop = (because: typeof cause) => {
      cause = because;
      childProcess.kill('SIGKILL');
    };
    const chunks: Buffer[] = [];
    let bytes = 0;
    childProcess.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) stop('crashed');
      else chunks.push(chunk);
    });
    const deadline = setTimeout(() => stop('too_long'), limits.elapsedMs);
    const watch = setInterval(async () => {
      if ((await residentBytesOf(childProcess.pid)) > limits.residentBytes) stop('too_much_memory');
    }, checkEveryMs);
    const end = () => {
      clearTimeout(deadline);
      clearInterval(watch);
    };
    childProcess.once('error', (error) => {
      end();
      reject(error);
    });
    childProcess.once('close', (code) => {
      end();
      // A child that has written nothing has not read the file, so the file is not the reason.
      if (bytes === 0 && cause === 'crashed')
        reject(new Error('the process that reads files has not started'));
      resolve(code === 0 && bytes <= maxOutputBytes ? { output: Buffer.concat(chunks).toString() } : cause);
    });
    // The child may end before it has read the whole file.
    childProcess.stdin.on('error', () => {});
    childProcess.stdin.end(file);
  });
}

/**
 * @returns a script that becomes the program in its arguments, with a limit of processor time: it ends a child whose parent has been
 *   killed. The parent ends the child sooner
 */
const limited = ({ elapsedMs }: ProcessLimits): string =>
  `ulimit -t ${Math.ceil((2 * elapsedMs) / 1000)}; exec "$0" "$@"`;

/** V8 ends the process at its own limit, too: it sees memory that grows faster than the checks. */
const nodeOptions = ({ residentBytes }: ProcessLimits, { folder }: Child): string[] => [
  `--max-old-space-size=${Math.floor((0.9 * residentBytes) / 2 ** 20)}`,
  '--permission',
  // The child may read nothing else: /proc has the environment of the parent.
  `--allow-fs-read=${fileURLToPath(folder)}*`,
];

const pageBytes = 4096;

/** @returns 0 where there is no /proc, or if the process has ended (proc_pid_statm(5): the second number is resident pages) */
async function residentBytesOf(pid: number | undefined): Promise<number> {
  try {
    const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
    return Number(resident) * pageBytes;
  } catch {
    return 0;
  }
}
