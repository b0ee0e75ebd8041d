/** The knowledge index: the cost of building, storing and searching it, by number of documents. */

import knowledgeSearch from '../functions/knowledge/search.ts';
import { split } from '../lib/base/batches.ts';
import { pagesOf } from '../lib/base/pages.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore } from '../lib/dynamodb/store.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import { partitionsOf } from '../lib/indexing/store/parts.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { localMachine } from '../scripts/bundle/encoder-files.ts';
import type { Json } from '../scripts/local/call.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { localSecretsKey } from '../scripts/local/machine-key.ts';
import { run } from './bulk-service.ts';
import { bundleOf } from './cold-start.ts';
import { documentAt, queryAt } from './corpus.ts';
import { type Bench, tablePrefix } from './service.ts';
import { median, ms, percentile, progress, table } from './statistics.ts';

const sizes = [500, 2000];
/** Everything that grows with the pieces is computed for so many, from the larger size. */
const largest = 100_000;
const documentBytes = 4096;
const documentsPerBatch = 25;
const coldRuns = 5;
const warmQueries = 200;

export async function knowledge(bench: Bench): Promise<string> {
  await bundle(localMachine);
  const columns: Measured[] = [];
  for (const size of sizes) columns.push(await measure(bench, size));
  const [small, large] = columns;
  if (!small || !large) throw new Error('there are two sizes');
  const factor = largest / (large['pieces in the index']?.value ?? Number.NaN);
  const rows = Object.entries(small).map(([name, { value, show, isPerPiece }]) => {
    const grown = large[name]?.value ?? Number.NaN;
    return [name, show(value), show(grown), isPerPiece ? show(grown * factor) : ''];
  });
  return [
    table(
      ['', ...sizes.map((size) => `${count(size)} documents`), `${count(largest)} pieces, computed`],
      rows,
    ),
    '',
    `Documents of ${documentBytes / 1024} KB, of 20,000 words by Zipf's law. Each re-indexing runs the worker in a new process, with its steps ` +
      'one after the other; its time excludes the start, and the time of the model: vectors are random, and [each piece](#hybrid-search) ' +
      'takes as long as below. "1 % changed" is every hundredth document, with another text. "Cold" is a new process that searches until ' +
      'the meaning counts, with the model, from before the import of the bundle to the response (medians of ' +
      `${coldRuns}). A first search that waits for more than 1.5 s for the model and the vectors is by words only. "Warm" is ${warmQueries} queries of ` +
      'one to four words, by words and meaning, in process. The last column is in proportion to the pieces. Units are as DynamoDB bills them.',
  ].join('\n');
}

type Measured = Record<string, { value: number; show: (value: number) => string; isPerPiece?: boolean }>;

const count = (value: number) => Math.round(value).toLocaleString('en');
const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`;
const megabytes = (value: number) => `${(value / 1e6).toFixed(1)} MB`;

async function measure(bench: Bench, size: number): Promise<Measured> {
  const projectId = (await created(bench, '/projects', { name: `${size} documents` })).id as string;
  const path = `/projects/${projectId}`;
  const upsert = async (what: string, documents: readonly Json[]) => {
    for (const [at, some] of split(documents, documentsPerBatch).entries()) {
      progress(`knowledge: ${what}, ${at * documentsPerBatch} of ${documents.length} documents`);
      await created(bench, `${path}/knowledge/documents/batch`, { documents: some });
    }
  };
  const numbers = Array.from({ length: size }, (_, number) => number);
  await upsert(
    'creating',
    numbers.map((number) => documentAt(number, documentBytes)),
  );
  progress(`knowledge: indexing ${size}`);
  const first = await reindex(bench, projectId);
  const stored = await storedBy(bench, projectId, first.jobId);
  const unchanged = await reindex(bench, projectId);
  const others = numbers.filter((number) => number % 100 === 0);
  await upsert(
    'changing',
    others.map((number) => ({
      ...documentAt(size + number, documentBytes),
      externalId: documentAt(number, 0).externalId,
    })),
  );
  progress(`knowledge: indexing the changes of ${size}`);
  const changed = await reindex(bench, projectId);
  if (!first.changed || unchanged.changed || !changed.changed) throw new Error('the versions are not right');

  progress(`knowledge: searching ${size}`);
  const pathOf = (query: string) => `${path}/knowledge/search?q=${encodeURIComponent(query)}`;
  const { event } = requestEvent(bench.routes, 'GET', pathOf(`how is ${queryAt(3)}`), { key: bench.key });
  const cold: Cold[] = [];
  for (let at = 0; at < coldRuns; at += 1) {
    cold.push(await inProcess<Cold>('cold-search.mjs', [bundleOf(knowledgeSearch), JSON.stringify(event)]));
  }
  const coldOf = (of: (run: Cold) => number) => median(cold.map(of));
  const { times, readUnits } = await warmSearches(bench, pathOf);

  const perPiece = true;
  return {
    'pieces in the index': { value: first.chunks, show: count, isPerPiece: perPiece },
    'first re-indexing, without the model': { value: first.durationMs, show: seconds },
    'its peak memory': { value: first.peakBytes, show: megabytes },
    'its read units': { value: first.readUnits, show: count, isPerPiece: perPiece },
    'its write units': { value: first.writeUnits, show: count, isPerPiece: perPiece },
    'index, stored': { value: stored.index, show: megabytes },
    'texts, stored': { value: stored.block, show: megabytes, isPerPiece: perPiece },
    'vectors, stored': { value: stored.vectors, show: megabytes, isPerPiece: perPiece },
    'bytes of vectors per piece': { value: stored.vectors / first.chunks, show: count },
    're-indexing, nothing changed': { value: unchanged.durationMs, show: seconds },
    're-indexing, 1 % changed, without the model': { value: changed.durationMs, show: seconds },
    'its new vectors': { value: changed.encoded, show: count, isPerPiece: perPiece },
    'its steps': { value: changed.steps, show: count },
    'read units of 1 % changed': { value: changed.readUnits, show: count, isPerPiece: perPiece },
    'write units of 1 % changed': { value: changed.writeUnits, show: count, isPerPiece: perPiece },
    'search, cold, first response': { value: coldOf(({ firstMs }) => firstMs), show: ms },
    'of these by words only': {
      value: cold.filter(({ firstMode }) => firstMode === 'lexical').length,
      show: (value) => `${value} of ${coldRuns}`,
    },
    'search, cold, first by meaning': { value: coldOf(({ hybridMs }) => hybridMs), show: ms },
    'its peak memory, cold': { value: coldOf(({ peakBytes }) => peakBytes), show: megabytes },
    'search, warm, median': { value: median(times), show: ms },
    'search, warm, p99': { value: percentile(times, 0.99), show: ms },
    'read units of a search': { value: median(readUnits), show: count },
  };
}

type Cold = { firstMs: number; firstMode: string; hybridMs: number; peakBytes: number };

/** The first searches load the index, the model and the vectors. */
async function warmSearches(bench: Bench, pathOf: (query: string) => string) {
  const times: number[] = [];
  const readUnits: number[] = [];
  let isWarm = false;
  for (let index = 0; times.length < warmQueries; index += 1) {
    // Two of the words together may be Spanish.
    const query = `how is ${queryAt(index)}`;
    let mode: unknown;
    const begun = performance.now();
    const usage = await bench.usageOf(async () => {
      const response = await bench.send('GET', pathOf(query));
      mode = response.data.mode;
      return response;
    });
    if (isWarm) {
      times.push(performance.now() - begun);
      readUnits.push(usage.readUnits);
    }
    isWarm ||= mode === 'hybrid';
    if (!isWarm && index > 100) throw new Error('the search stays by words only');
  }
  return { times, readUnits };
}

async function created({ send }: Bench, path: string, body: Json): Promise<Json> {
  const { status, data, text } = await send('POST', path, { body });
  if (status >= 300) throw new Error(text);
  return data;
}

const inProcess = <Result>(file: string, args: readonly string[]) =>
  run<Result>(file, args, {
    ...tableVariables(tablePrefix),
    [secretsKeyVariable]: localSecretsKey(),
  });

type Worked = {
  durationMs: number;
  readUnits: number;
  writeUnits: number;
  peakBytes: number;
  encoded: number;
  steps: number;
};

/** Re-indexes in a new process, as the worker's function does. */
async function reindex(bench: Bench, projectId: string) {
  const jobId = (await created(bench, `/projects/${projectId}/knowledge/reindex`, {})).id as string;
  const given = { tenant: `${bench.organisationId}#live`, projectId, jobId };
  const worked = await inProcess<Worked>('reindex-worker.ts', [JSON.stringify(given)]);
  const { data, text } = await bench.send('GET', `/projects/${projectId}/jobs/${jobId}`);
  if (data.status !== 'succeeded') throw new Error(text);
  const { changed, chunks } = data.result as { changed: boolean; chunks: number };
  return { jobId, changed, chunks, ...worked };
}

/** @returns the bytes of the parts of a build, by kind */
async function storedBy({ runtime, organisationId }: Bench, projectId: string, build: string) {
  const session = openSession(runtime.client, runtime.tableNames, { knowledgeIndexes: ['Query'] });
  const store = bindStore(session, `${organisationId}#live`).inProject(projectId);
  const bytes = { index: 0, block: 0, list: 0, vectors: 0 };
  for (const items of partitionsOf(store, build)) {
    for await (const page of pagesOf((after) => items.page({ after, limit: 100 }))) {
      for (const part of page) bytes[part.id.split('-')[0] as keyof typeof bytes] += part.bytes.length;
    }
  }
  return bytes;
}
