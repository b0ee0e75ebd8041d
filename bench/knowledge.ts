/** The knowledge index: the cost of building, storing and searching it, by number of documents. */

import knowledgeSearch from '../functions/knowledge/search.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore } from '../lib/dynamodb/store.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { localMachine } from '../scripts/bundle/encoder-files.ts';
import type { Json } from '../scripts/local/call.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { indexerEvent } from '../test/support/api.ts';
import knowledgeIndexer from '../workers/knowledge-indexer.ts';
import { bundleOf, coldStart } from './cold-start.ts';
import { documentAt, queryAt } from './corpus.ts';
import type { Bench } from './service.ts';
import { median, ms, percentile, progress, table } from './statistics.ts';

const sizes = [500, 5000];
const documentBytes = 4096;
const documentsPerBatch = 25;
const coldRuns = 7;
const warmQueries = 200;

export async function knowledge(bench: Bench): Promise<string> {
  await bundle(localMachine);
  const columns: Measured[] = [];
  for (const size of sizes) columns.push(await measure(bench, size));
  const [small, large] = columns;
  if (!small || !large) throw new Error('there are two sizes');
  const rows = Object.entries(small).map(([name, { value, show }]) => {
    const grown = large[name]?.value ?? Number.NaN;
    return [name, show(value), show(grown), `${(grown / value).toFixed(1)} ×`];
  });
  return [
    table(['', ...sizes.map((size) => `${size.toLocaleString('en')} documents`), 'growth'], rows),
    '',
    `Documents of ${documentBytes / 1024} KB, of 20,000 words by Zipf's law. Each re-indexing runs the worker's bundle in a new process; ` +
      `its time excludes the start. "Cold" is a new process, from before the import of the bundle to the response ` +
      `(median of ${coldRuns}). "Warm" is ${warmQueries} queries of one to four words, in process. Units are those of ` +
      'DynamoDB Local, which bills half of what DynamoDB does for transactions.',
  ].join('\n');
}

type Measured = Record<string, { value: number; show: (value: number) => string }>;

const count = (value: number) => Math.round(value).toLocaleString('en');
const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`;
const megabytes = (value: number) => `${(value / 1e6).toFixed(1)} MB`;

async function measure(bench: Bench, size: number): Promise<Measured> {
  const projectId = (await created(bench, '/projects', { name: `${size} documents` })).id as string;
  const path = `/projects/${projectId}`;
  for (let from = 0; from < size; from += documentsPerBatch) {
    progress(`knowledge: ${from} of ${size} documents`);
    await upsert(bench, path, from, documentsPerBatch);
  }
  progress(`knowledge: indexing ${size}`);
  const first = await reindex(bench, projectId);
  const stored = await storedBy(bench, projectId, first.jobId);
  const unchanged = await reindex(bench, projectId);
  await upsert(bench, path, size, 1);
  const changed = await reindex(bench, projectId);
  if (!first.changed || unchanged.changed || !changed.changed) throw new Error('the versions are not right');

  progress(`knowledge: searching ${size}`);
  const pathOf = (query: string) => `${path}/knowledge/search?q=${encodeURIComponent(query)}`;
  const { event } = requestEvent(bench.routes, 'GET', pathOf(queryAt(0)), { key: bench.key });
  const cold = Array.from({ length: coldRuns }, () => coldStart({ file: bundleOf(knowledgeSearch), event }));
  const warm: number[] = [];
  const readUnits: number[] = [];
  for (let index = 0; index <= warmQueries; index += 1) {
    const begun = performance.now();
    const usage = await bench.usageOf(() => bench.send('GET', pathOf(queryAt(index))));
    // The first search loads the index.
    if (index === 0) continue;
    warm.push(performance.now() - begun);
    readUnits.push(usage.readUnits);
  }

  return {
    'pieces in the index': { value: first.chunks, show: count },
    'first re-indexing': { value: first.durationMs, show: seconds },
    'its peak memory': { value: first.peakBytes, show: megabytes },
    'its read units': { value: first.readUnits, show: count },
    'its write units': { value: first.writeUnits, show: count },
    'index, stored': { value: stored.index, show: megabytes },
    'texts, stored': { value: stored.block, show: megabytes },
    're-indexing, nothing changed': { value: unchanged.durationMs, show: seconds },
    're-indexing, one changed': { value: changed.durationMs, show: seconds },
    'search, cold': { value: median(cold.map(({ totalMs }) => totalMs)), show: ms },
    'its peak memory, cold': { value: median(cold.map(({ peakBytes }) => peakBytes)), show: megabytes },
    'search, warm, median': { value: median(warm), show: ms },
    'search, warm, p99': { value: percentile(warm, 0.99), show: ms },
    'read units of a search': { value: median(readUnits), show: count },
  };
}

async function created({ send }: Bench, path: string, body: Json): Promise<Json> {
  const { status, data, text } = await send('POST', path, { body });
  if (status >= 300) throw new Error(text);
  return data;
}

const upsert = (bench: Bench, path: string, from: number, howMany: number): Promise<Json> =>
  created(bench, `${path}/knowledge/documents/batch`, {
    documents: Array.from({ length: howMany }, (_, index) => documentAt(from + index, documentBytes)),
  });

/** Re-indexes in a new process, as the worker's function does. */
async function reindex(bench: Bench, projectId: string) {
  const jobId = (await created(bench, `/projects/${projectId}/knowledge/reindex`, {})).id as string;
  const event = indexerEvent(`${bench.organisationId}#live`, projectId, jobId);
  const { lines, peakBytes } = coldStart({ file: bundleOf(knowledgeIndexer), event });
  const { durationMs, readUnits, writeUnits } = lines.find(({ message }) => message === 'work') as {
    durationMs: number;
    readUnits: number;
    writeUnits: number;
  };
  const { data, text } = await bench.send('GET', `/projects/${projectId}/jobs/${jobId}`);
  if (data.status !== 'succeeded') throw new Error(text);
  const { changed, chunks } = data.result as { changed: boolean; chunks: number };
  return { jobId, changed, chunks, durationMs, readUnits, writeUnits, peakBytes };
}

/** @returns the bytes of the parts of a build, by kind */
async function storedBy({ runtime, organisationId }: Bench, projectId: string, build: string) {
  const session = openSession(runtime.client, runtime.tableNames, { knowledgeIndexes: ['Query'] });
  const store = bindStore(session, `${organisationId}#live`);
  const bytes = { index: 0, block: 0 };
  for (let after: string | undefined; ; ) {
    const query = { partition: [projectId, 'build', build], from: ' ', to: '~', after, limit: 100 };
    const { items, next } = await store.page('knowledgeIndexes', query);
    for (const item of items) {
      const kind = item.id.startsWith('index') ? 'index' : 'block';
      bytes[kind] += (item.bytes as Uint8Array).length;
    }
    if (next === null) return bytes;
    after = next;
  }
}
