/** Reading a document has a budget. A document over its budget is stopped, and the next one is read. */
// @module-tag long

import { afterAll, describe, expect, test } from 'vitest';
import { type Budget, openDocumentReader } from '../../../../lib/search/pieces/document-reader.ts';

const traps = () => new URL('../../../support/trap-thread.ts', import.meta.url);
const budget: Budget = { cpuMs: 300, elapsedMs: 600_000, heapMb: 128 };
const document = (content: string) => ({ title: 't', content, mimeType: 'text/plain' as const });

describe('a document that', () => {
  const readers = new Set<{ close(): Promise<void> }>();
  afterAll(() => Promise.all([...readers].map((reader) => reader.close())));
  const open = (some: Partial<Budget> = {}) => {
    const reader = openDocumentReader({ ...budget, ...some }, traps);
    readers.add(reader);
    return reader;
  };

  test.each([
    ['never ends', 'loop', {}],
    ['is in the middle of a regular expression', 'backtrack', {}],
    ['takes all memory there is', 'memory', { cpuMs: 600_000 }],
    ['waits for ever, and takes no CPU', 'sleep', { elapsedMs: 500 }],
    ['ends its thread', 'exit', {}],
  ])('%s is stopped; the process and the reader continue', async (_, trap, some) => {
    const reader = open(some);
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    expect(await reader.read(document(trap))).toMatchObject({
      chunks: [],
      error: { code: 'document_too_complex' },
    });
    clearInterval(ticking);
    // Whatever the thread does, this one is not blocked.
    if (trap !== 'exit') expect(turns).toBeGreaterThan(10);
    expect(reader.stopCount()).toBe(1);
    expect(await reader.read(document('a word'))).toEqual({
      chunks: [{ heading: '', text: 'a word' }],
      error: null,
      notes: [],
    });
    expect(reader.stopCount()).toBe(1);
  });

  test('that waits for a processor is not stopped: only its own CPU time counts', async () => {
    // It takes no CPU for three times its budget of it.
    const reader = open({ cpuMs: 300, elapsedMs: 600_000 });
    const reading = reader.read(document('sleep'));
    const first = await Promise.race([reading, new Promise((done) => setTimeout(done, 900, 'not yet'))]);
    expect(first).toBe('not yet');
  });
});

test('documents are read in a separate thread, which starts with the first and ends with the reader', async () => {
  const unused = openDocumentReader(budget, () => new URL('file:///there-is-none.ts'));
  await unused.close();
  const broken = openDocumentReader(budget, () => new URL('file:///there-is-none.ts'));
  await expect(broken.read(document('x'))).rejects.toThrow();
  await broken.close();
});

test('terms are computed in the thread too', async () => {
  const reader = openDocumentReader();
  const { chunks } = await reader.read(document('# Words\n\na word and words'));
  const terms = await reader.terms({ title: 't', chunks });
  await reader.close();
  const [title, heading, text] = terms.at(-1) ?? [];
  expect(title?.terms).toEqual(['t']);
  expect(heading?.terms).toEqual(['word']);
  expect(text?.terms).toEqual(['word', 'a', 'and']);
  expect(text?.counts).toEqual([3, 1, 1]);
});
