/** A hostile file ends with a text or with a clear reason, within its limits, and the process that started it goes on. */

import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processLimits } from '../../../lib/extraction/bounded-process.ts';
import { hostileDocuments } from '../../support/hostile-docx.ts';
import type { HostileFile } from '../../support/hostile-file.ts';
import { hostileTexts } from '../../support/hostile-file.ts';
import { hostilePdfs } from '../../support/hostile-pdfs.ts';
import { measuredExtraction } from '../../support/measured-extraction.ts';
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
