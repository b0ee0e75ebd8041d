/** The postings of long messages: the notices of several tenants share an invocation, so no tenant computes for long. */

import { expect, onTestFinished, test } from 'vitest';
import { maxTextBytes } from '../../../lib/conversations/schema/message.ts';
import { addPostings } from '../../../lib/conversations/store/postings.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import { tokenizers } from '../../../lib/text/terms.ts';
import { openApi } from '../../../samples/api.ts';
import messageIndexer from '../../../workers/message-indexer.ts';

/** @returns the longest CPU time without a pause */
function longestSection(): () => number {
  let longestMs = 0;
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let lastMs = cpuMs();
  const look = () => {
    const nowMs = cpuMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  onTestFinished(() => clearImmediate(next));
  return () => longestMs;
}

/** Each character is a term. */
const manyTerms = (seed: number) =>
  Array.from({ length: Math.floor(maxTextBytes / 3) }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((seed * 7919 + at) % 20_000)),
  ).join('');

test('a batch of the longest messages leaves the thread every 100 ms', async () => {
  const { runtime, organisationId } = await openApi();
  const session = openSession(runtime.client, runtime.tableNames, {});
  const store = bindStore(session, `${organisationId}#live`).inProject('proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
  const messages = Array.from({ length: messageIndexer.batchSize }, (_, at) => ({
    conversationId: 'conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    seq: at + 1,
    text: manyTerms(at),
  }));
  const generation = { number: 1, tokenizer: tokenizers.current };
  // The first time also compiles the code.
  await addPostings(store, generation, messages.slice(0, 10));
  const longest = longestSection();
  const writes = await addPostings(store, generation, messages);
  expect(writes.length).toBeGreaterThan(10_000);
  expect(longest()).toBeLessThan(100);
});
