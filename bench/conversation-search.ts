/** Search in messages: the cost of indexing a message, and of a search among 1000 and 10 000 messages. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { split } from '../lib/base/batches.ts';
import type { Tenant } from '../lib/base/caller.ts';
import { distinctTerms } from '../lib/text/terms.ts';
import type { Notice } from '../lib/workers/notice.ts';
import { deliverNotices } from '../test/support/lambda-queue.ts';
import messageIndexer from '../workers/message-indexer.ts';
import { fillMessages } from './fill.ts';
import { meter } from './meter.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';
import { proseOf, textOf, vocabulary } from './texts.ts';

const sizes = [1000, 10_000];
const wordsPerMessage = 30;
const runs = 30;

const wordsOf = (number: number): string => textOf(number, wordsPerMessage);

/** The last figures are the read units at both sizes when each word of each message was a posting (2026-11-21). */
const queries = [
  ['a word of one message in 2500', 'needle', [7, 16]],
  ['a word of most messages', 'w1', [32, 32]],
  ['two words of most messages', 'w1 w2', [41, 41]],
  ['the rare one and a common one', 'needle w1', [9, 20]],
  ['a phrase of two common words', '"w1 w2"', [217, 217]],
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
    for (const [name, q, before] of queries) {
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
      const units = [usage.readUnits, before[sizes.indexOf(size)] ?? 0];
      const figures = [items.length, usage.roundTrips, ...units, ms(median(times))];
      rows.push([size.toLocaleString('en'), name, ...figures]);
    }
  }
  return [
    table(['messages', 'search for', 'found', 'round trips', 'read units', 'before', 'time'], rows),
    '',
    `Messages of ${wordsPerMessage} words from a vocabulary of ${vocabulary}, a page of 25. Medians of ${runs}. Before blocks, each ` +
      'word of each message was a posting.',
    '',
    await indexing(bench, `${tenant}#${project}`),
  ].join('\n');
}

/** Conversations that are indexed: the text, messages, and words in each. */
const imports = [
  ["by Zipf's law", 20, 15],
  ["by Zipf's law", 64, 15],
  ["by Zipf's law", 64, 30],
  ['prose', 20, 15],
  ['prose', 64, 15],
  ['prose', 64, 30],
] as const;

/** @returns the worker's cost per message: of messages that come one at a time, and of a whole conversation */
async function indexing({ runtime }: Bench, project: string): Promise<string> {
  const metered = meter(runtime.client);
  /** Each conversation is another one. */
  let last = 0;
  const store = async (texts: readonly string[]) => {
    last += 1;
    const conversation = `conv_01JZ4Y7Q8R5T2V9W3X6B${String(last).padStart(6, '0')}`;
    const items = texts.map((text, index) => ({
      tenant: `${project}#${conversation}`,
      id: String(index + 1).padStart(10, '0'),
      seq: index + 1,
      text,
      createdAt: new Date(Date.UTC(2026, 2, 1) + 1000 * last + index).toISOString(),
    }));
    for (const batch of split(items, 25)) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      const RequestItems = { [runtime.tableNames.messages as string]: requests };
      await runtime.client.send(new BatchWriteCommand({ RequestItems }));
    }
    const [organisationId, mode, projectId = ''] = project.split('#');
    return items.map(
      ({ id }): Notice => ({
        table: 'messages',
        kind: 'INSERT',
        tenant: `${organisationId}#${mode}` as Tenant,
        partition: [projectId, conversation],
        id,
        atMs: 0,
        sequence: id,
      }),
    );
  };
  const cost = async (texts: readonly string[], atOnce: number) => {
    const notices = await store(texts);
    metered.reset();
    const begun = performance.now();
    for (const batch of split(notices, atOnce)) {
      await deliverNotices({ ...runtime, client: metered.client }, messageIndexer, batch);
    }
    const { readUnits, writeUnits } = metered.usage();
    const perMessage = (figure: number) => figure / texts.length;
    return {
      ms: perMessage(performance.now() - begun),
      reads: perMessage(readUnits),
      writes: perMessage(writeUnits),
    };
  };
  await cost(['warm up'], 1);
  const rows = [];
  for (const [kind, count, words] of imports) {
    progress(`conversation-search: indexing, ${kind}, ${count} messages`);
    const texts = Array.from({ length: count }, (_, index) =>
      kind === 'prose' ? proseOf(index, words) : textOf(index, words),
    );
    const single = await cost(texts, 1);
    const whole = await cost(texts, messageIndexer.batchSize);
    rows.push([
      kind,
      count,
      words,
      `${single.writes.toFixed(1)} (${single.reads.toFixed(1)})`,
      `${whole.writes.toFixed(1)} (${whole.reads.toFixed(1)})`,
      (whole.writes / single.writes).toFixed(2),
      `${ms(single.ms)}, ${ms(whole.ms)}`,
    ]);
  }
  return [
    table(['text', 'messages', 'words each', 'one at a time', 'at once', 'ratio', 'time of a message'], rows),
    '',
    'Indexing: write units (and read units) of a message. A message that comes alone costs one write unit for each ' +
      'different word and one for the progress of the index, as every message did before blocks. Of messages that come at ' +
      'once, a word costs one for the block. Before, a message had one read unit.',
  ].join('\n');
}

/**
 * The postings of a conversation. Bytes are names and values, plus the 100 that DynamoDB bills per item ("Item sizes and
 * formats").
 * @param texts the messages, at most a block
 */
export function postingsOf(project: string, texts: readonly string[]): { items: number; bytes: number } {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const term of distinctTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const bytes = [...counts].reduce((sum, [term, count]) => {
    const place = `conv_${'0'.repeat(26)}#${'0'.repeat(8)}`;
    return sum + Buffer.byteLength(`tenant${project}term#g1#${term}id${place}seqs`) + 2 * count + 100;
  }, 0);
  return { items: counts.size, bytes };
}
