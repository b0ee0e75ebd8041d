/** A hostile file ends with a text or with a clear reason, within its limits, and the process that started it goes on. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { extractInProcess, processLimits } from '../../../lib/extraction/bounded-process.ts';
import { type ExtractionCode, NotExtractable } from '../../../lib/readers/types.ts';
import { hostileDocuments } from '../../support/hostile-docx.ts';
import type { HostileFile } from '../../support/hostile-file.ts';
import { hostileTexts } from '../../support/hostile-file.ts';
import { hostilePdfs } from '../../support/hostile-pdfs.ts';
import { pdfFile } from '../../support/sample-files.ts';

/** Files that try to take too much time or memory, or are not what they seem. Each ends with a text or a reason. */
const hostileFiles: readonly (HostileFile & { kind: string })[] = [
  ...hostilePdfs.map((file) => ({ kind: 'PDF', ...file })),
  ...hostileDocuments.map((file) => ({ kind: 'DOCX', ...file })),
  ...hostileTexts.map((file) => ({ kind: 'HTML and text', ...file })),
];

/** The parent looks at the memory from time to time, so a process may be a little above its limit. */
const memorySlack = 1.25;
/** Starting and stopping a process. */
const timeSlackMs = 15_000;

async function isBounded({ make, ends }: HostileFile): Promise<void> {
  const { end, text, elapsedMs, residentBytes } = await measuredExtraction(make());
  expect(ends).toContain(end);
  expect(text).not.toContain('root:');
  expect(elapsedMs).toBeLessThan(processLimits.elapsedMs + timeSlackMs);
  expect(residentBytes).toBeLessThan(memorySlack * processLimits.residentBytes);
}

const named = (isSlow: boolean) =>
  hostileFiles
    .filter((file) => (file.isSlow ?? false) === isSlow)
    .map((file) => [`${file.kind}: ${file.name}`, file] as const);

test('there are forty', () => {
  expect(new Set(hostileFiles.map(({ kind, name }) => `${kind} ${name}`)).size).toBeGreaterThanOrEqual(40);
});

describe('a hostile file', { tags: ['long'] }, () => {
  test.each(named(false))('%s', (_, file) => isBounded(file));
});

describe('a slow hostile file', { tags: ['nightly'] }, () => {
  test.each(named(true))('%s', (_, file) => isBounded(file));

  test('the next file is read', async () => {
    expect(existsSync('/tmp/evil')).toBe(false);
    const { end, residentBytes } = await measuredExtraction(pdfFile([['A line.']]));
    expect(end).toBe('done');
    expect(residentBytes).toBeGreaterThan(10_000_000);
  });
});

/** An extraction as the worker does it, with its time and the memory of its process. */
type MeasuredExtraction = {
  end: 'done' | ExtractionCode;
  /** Empty if there is none. */
  text: string;
  elapsedMs: number;
  /** The most that the process had, seen every few milliseconds. 0 where there is no /proc. */
  residentBytes: number;
};

const lookEveryMs = 10;

/** Run one at a time, because the memory of all children of this process counts. */
async function measuredExtraction(file: Uint8Array): Promise<MeasuredExtraction> {
  let residentBytes = 0;
  const look = setInterval(async () => {
    residentBytes = Math.max(residentBytes, ...(await peaksOfChildren()));
  }, lookEveryMs);
  const begunMs = performance.now();
  const found = await extractInProcess(file).then(
    ({ text }) => ({ end: 'done' as const, text }),
    (error: unknown) => {
      if (error instanceof NotExtractable) return { end: error.code, text: '' };
      throw error;
    },
  );
  const elapsedMs = performance.now() - begunMs;
  clearInterval(look);
  return { ...found, elapsedMs, residentBytes };
}

/** proc_pid_task(5) and proc_pid_status(5): `VmHWM` is the peak of the resident memory. */
async function peaksOfChildren(): Promise<number[]> {
  const children = await readOrNothing(`/proc/self/task/${process.pid}/children`);
  const statuses = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map(async (pid) => ({
        name: await readOrNothing(`/proc/${pid}/cmdline`),
        status: await readOrNothing(`/proc/${pid}/status`),
      })),
  );
  return statuses
    .filter(({ name }) => name.includes('extraction-child'))
    .map(({ status }) => 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
}

/** A process may have ended. */
const readOrNothing = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
