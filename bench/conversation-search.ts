/** Search in messages: the cost of indexing a message, and of a search among 1000 and 10 000 messages. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { split } from '../lib/batches.ts';
import type { Tenant } from '../lib/caller.ts';
import { distinctTerms } from '../lib/text/terms.ts';
import type { Notice } from '../lib/workers/notice.ts';
import { deliverNotices } from '../test/support/lambda-queue.ts';
import messageIndexer from '../workers/message-indexer.ts';
import { fillMessages } from './fill.ts';
import { meter } from './meter.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';
import { textOf, vocabulary } from './texts.ts';

const sizes = [1000, 10_000];
const wordsPerMessage = 30;
const runs = 30;

const wordsOf = (number: number): string => textOf(number, wordsPerMessage);

const queries = [
  ['a word of one message in 2500', 'needle'],
  ['a word of most messages', 'w1'],
  ['two words of most messages', 'w1 w2'],
  ['the rare one and a common one', 'needle w1'],
  ['a phrase of two common words', '"w1 w2"'],
] as const;

export async function conversationSearch(bench: Bench): Promise<string> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Search' } });
  const project = data.id as string;
  const tenant = `${bench.organisationId}#live`;
  const rows = [];
  let stored = 0;
  for (const size of sizes) {
    progress(`conversation-search: ${size.toLocaleString('en')} messages`);
    await fillMessages(bench.runtime, { tenant, project, from: stored, to: size, textOf: wordsOf });
    stored = size;
    for (const [name, q] of queries) {
      const path = `/projects/${project}/conversations/search?q=${encodeURIComponent(q)}`;
      const search = () => bench.send('GET', path);
      const usage = await bench.usageOf(search);
      const items = (await search()).data.items as unknown[];
      const times: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const begun = performance.now();
        await search();
        times.push(performance.now() - begun);
      }
      const figures = [items.length, usage.roundTrips, usage.readUnits, ms(median(times))];
      rows.push([size.toLocaleString('en'), name, ...figures]);
    }
  }
  return [
    table(['messages', 'search for', 'found', 'round trips', 'read units', 'time'], rows),
    '',
    `Messages of ${wordsPerMessage} words from a vocabulary of ${vocabulary}, a page of 25. Medians of ${runs}.`,
    '',
    await indexing(bench, `${tenant}#${project}#conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E`),
  ].join('\n');
}

/** @returns the worker's cost per message, over 1000 messages */
async function indexing({ runtime }: Bench, conversation: string): Promise<string> {
  const metered = meter(runtime.client);
  const items = Array.from({ length: 1000 }, (_, index) => {
    const seq = index + 1;
    const createdAt = new Date(Date.UTC(2026, 2, 1) + index).toISOString();
    const id = String(seq).padStart(10, '0');
    return { tenant: conversation, id, seq, text: wordsOf(index), createdAt };
  });
  for (const batch of split(items, 25)) {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    const RequestItems = { [runtime.tableNames.messages as string]: requests };
    await runtime.client.send(new BatchWriteCommand({ RequestItems }));
  }
  const [organisationId, mode, ...partition] = conversation.split('#');
  const notices = items.map(
    ({ id }): Notice => ({
      table: 'messages',
      kind: 'INSERT',
      tenant: `${organisationId}#${mode}` as Tenant,
      partition,
      id,
      atMs: 0,
      sequence: id,
    }),
  );
  const work = (some: readonly Notice[]) =>
    deliverNotices({ ...runtime, client: metered.client }, messageIndexer, some);
  await work(notices.slice(0, 100));
  metered.reset();
  const begun = performance.now();
  for (const batch of split(notices, messageIndexer.batchSize)) await work(batch);
  const tookMs = performance.now() - begun;
  const { writeUnits } = metered.usage();
  const perMessage = (figure: number) => (figure / items.length).toFixed(1);
  return (
    `Indexing a message of ${wordsPerMessage} words: ${perMessage(tookMs)} ms and ${perMessage(writeUnits)} write units, ` +
    'one for each distinct word and one for the progress of the index. The postings take ' +
    `${perMessage(items.reduce((sum, _, index) => sum + postingBytes(conversation, wordsOf(index)), 0) / 1024)} KB.`
  );
}

/** Names and values, plus the 100 bytes that DynamoDB bills per item ("Item sizes and formats"). */
export const postingBytes = (conversation: string, text: string): number =>
  [...distinctTerms(text)].reduce((sum, term) => {
    const [partition, place] = [
      conversation.replace(/conv_.*/, `term#${term}`),
      `conv_${'0'.repeat(26)}#${'0'.repeat(10)}`,
    ];
    return sum + Buffer.byteLength(`tenant${partition}id${place}`) + 100;
  }, 0);
