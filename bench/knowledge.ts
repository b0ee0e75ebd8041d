/** The knowledge index: the cost of building, storing and searching it, by words and by meaning, at two sizes. */

import knowledgeSearch from '../functions/knowledge/search.ts';
import { split } from '../lib/base/batches.ts';
import { pagesOf } from '../lib/base/pages.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore } from '../lib/dynamodb/store.ts';
import { partitionsOf } from '../lib/indexing/store/parts.ts';
import { chunksOf, pieceText } from '../lib/search/pieces/chunk.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import type { Json } from '../scripts/local/call.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { fetchedEncoder } from '../scripts/local/encoder.ts';
import { localMachine } from '../scripts/shared/machines.ts';
import { budgets } from './budgets.ts';
import { runFile } from './child.ts';
import { bundleOf } from './cold-start.ts';
import { documentAt, queryAt } from './corpus.ts';
import type { Findings } from './findings.ts';
import { watchMachine } from './machine.ts';
import { inTurn } from './rounds.ts';
import type { Bench } from './service.ts';
import { count, median, megabytes, percentile, progress, ratios, spread } from './statistics.ts';

/** About 34,000 and 100,000 pieces. */
const sizes = [
  { documents: 5000, budget: 'hybridSmallMs' },
  { documents: 14_600, budget: 'hybridLargeMs' },
] as const;
const documentBytes = 4096;
const documentsPerBatch = 25;
/** Re-indexings after a change. */
const changes = 3;
/** Every hundredth document changes. */
const changeEvery = 100;
const coldRuns = 5;
const warmQueries = 200;
const encodedPieces = 40;

export async function knowledge(bench: Bench): Promise<Findings> {
  await bundle(localMachine);
  const encoding = await encodingMs();
  const columns: Row[][] = [];
  for (const { documents } of sizes) columns.push(await measure(bench, documents, median(encoding)));
  const [first = []] = columns;
  return {
    head: ['', ...sizes.map(({ documents }) => `${count(documents)} documents`)],
    rows: first.map(({ name }, row) => [name, ...columns.map((column) => column[row]?.shown ?? '')]),
    notes:
      `Documents of ${documentBytes / 1024} KB, of 20,000 words by Zipf's law. A re-indexing runs the worker in a new process, with its ` +
      'steps one after the other and random vectors; the time of the model is computed, from ' +
      `${spread(encoding, 'ms')} of CPU time for a piece. A cold search is a new process that searches until the meaning counts, ` +
      'with the model, from before the import of the bundle. Warm searches are queries of one to four words, in process; each is searched in all ' +
      'ways, in turn. With `fields=snippet`, a search answers as it did before hits had texts. ' +
      `Budget: meaning adds at most ${sizes.map(({ budget }) => budgets[budget]).join(' and ')} ms of CPU time. Units are as DynamoDB bills them.`,
    rounds:
      `one first re-indexing, ${changes} after changes, ${coldRuns} cold searches, ${warmQueries} rounds of warm searches, and ` +
      `${encodedPieces} pieces through the model`,
    budgeted: sizes.map(({ documents, budget }, index) => ({
      budget,
      what: `what meaning adds to a search of ${documents} documents, in ms of CPU time`,
      value: columns[index]?.find(({ name }) => name === addedName)?.value ?? Number.NaN,
    })),
  };
}

type Row = { name: string; shown: string; value?: number };

const seconds = (values: readonly number[]) =>
  spread(
    values.map((value) => value / 1000),
    's',
  );
const addedName = 'meaning adds to a warm search, CPU time';

async function measure(bench: Bench, size: number, pieceMs: number): Promise<Row[]> {
  const project = await filled(bench, size);
  const first = await reindex(bench, project.id);
  const stored = await storedBy(bench, project.id, first.jobId);
  const others: Worked[] = [];
  for (let change = 1; change <= changes; change += 1) {
    await project.change(change);
    progress(`knowledge: indexing change ${change} of ${size} documents`);
    await watchMachine();
    others.push(await reindex(bench, project.id));
  }
  progress(`knowledge: searching ${size} documents`);
  const cold = await coldSearches(bench, project.pathOf);
  const warm = await warmSearches(bench, project.pathOf);
  const added = warm.hybrid.map(({ processorMs }, at) => processorMs - (warm.lexical[at]?.processorMs ?? 0));
  const elapsed = (searches: readonly Search[]) => searches.map(({ elapsedMs }) => elapsedMs);
  const eachOf = (of: (search: Search) => number) =>
    [warm.snippets, warm.hybrid, warm.context].map((searches) => count(median(searches.map(of)))).join(', ');
  const units = (of: (run: Worked) => number) => count(median(others.map(of)));
  return [
    { name: 'pieces', shown: count(first.chunks) },
    { name: 'first re-indexing, without the model', shown: `${(first.durationMs / 1000).toFixed(1)} s` },
    {
      name: '… the model, on one processor, computed',
      shown: `${((first.chunks * pieceMs) / 60_000).toFixed(1)} min`,
    },
    { name: '… its peak memory', shown: megabytes(first.peakBytes) },
    { name: '… its read and write units', shown: `${count(first.readUnits)}, ${count(first.writeUnits)}` },
    { name: 're-indexing, 1 % changed', shown: seconds(others.map(({ durationMs }) => durationMs)) },
    { name: '… pieces through the model', shown: units(({ encoded }) => encoded) },
    {
      name: '… its read and write units',
      shown: `${units(({ readUnits }) => readUnits)}, ${units(({ writeUnits }) => writeUnits)}`,
    },
    {
      name: 'stored: index, texts, vectors',
      shown: [stored.index, stored.block, stored.vectors].map(megabytes).join(', '),
    },
    { name: 'cold search, first response', shown: seconds(cold.map(({ firstMs }) => firstMs)) },
    {
      name: '… of these by words only',
      shown: `${cold.filter(({ firstMode }) => firstMode === 'lexical').length} of ${coldRuns}`,
    },
    { name: '… first response by meaning', shown: seconds(cold.map(({ hybridMs }) => hybridMs)) },
    {
      name: '… peak memory',
      shown: spread(
        cold.map(({ peakBytes }) => peakBytes / 1e6),
        'MB',
        0,
      ),
    },
    { name: 'warm search by words', shown: spread(elapsed(warm.lexical), 'ms') },
    { name: 'warm search by words and meaning', shown: spread(elapsed(warm.hybrid), 'ms') },
    { name: '… 99 of 100', shown: `${percentile(elapsed(warm.hybrid), 0.99).toFixed(1)} ms` },
    { name: addedName, shown: spread(added, 'ms'), value: median(added) },
    {
      name: 'warm search with texts relative to `fields=snippet`',
      shown: spread(ratios(elapsed(warm.hybrid), elapsed(warm.snippets))),
    },
    {
      name: '… with `context=3` relative to `fields=snippet`',
      shown: spread(ratios(elapsed(warm.context), elapsed(warm.snippets))),
    },
    {
      name: 'read units of a search: `fields=snippet`, texts, `context=3`',
      shown: eachOf(({ readUnits }) => readUnits),
    },
    {
      name: 'bytes of a response: `fields=snippet`, texts, `context=3`',
      shown: eachOf(({ bytes }) => bytes),
    },
  ];
}

/** @returns a project with documents */
async function filled(bench: Bench, size: number) {
  const id = (await created(bench, '/projects', { name: `${size} documents` })).id as string;
  const path = `/projects/${id}`;
  const numbers = Array.from({ length: size }, (_, number) => number);
  const upsert = async (documents: readonly Json[]) => {
    for (const some of split(documents, documentsPerBatch))
      await created(bench, `${path}/knowledge/documents/batch`, { documents: some });
  };
  progress(`knowledge: creating ${size} documents`);
  await upsert(numbers.map((number) => documentAt(number, documentBytes)));
  progress(`knowledge: indexing ${size} documents`);
  return {
    id,
    pathOf: (query: string, variant: Variant) =>
      `${path}/knowledge/search?${variants[variant]}&q=${encodeURIComponent(query)}`,
    /** Gives some documents another text. */
    change: (change: number) =>
      upsert(
        numbers
          .filter((number) => number % changeEvery === 0)
          .map((number) => ({
            ...documentAt(change * size + number, documentBytes),
            externalId: documentAt(number, 0).externalId,
          })),
      ),
  };
}

/** What a search of the comparison asks for: words only, snippets only, texts, or texts with neighbours. */
const variants = {
  lexical: 'mode=lexical',
  snippets: 'mode=hybrid&fields=snippet',
  hybrid: 'mode=hybrid',
  context: 'mode=hybrid&context=3',
} as const;
type Variant = keyof typeof variants;

type PathOf = (query: string, variant: Variant) => string;

// Two of the words of a query together may be Spanish, which the model does not speak.
const questionAt = (number: number) => `how is ${queryAt(number)}`;

type Cold = { firstMs: number; firstMode: string; hybridMs: number; peakBytes: number };

async function coldSearches(bench: Bench, pathOf: PathOf): Promise<Cold[]> {
  const { event } = requestEvent(bench.routes, 'GET', pathOf(questionAt(3), 'hybrid'), { key: bench.key });
  const { cold } = await inTurn(
    { cold: () => runFile<Cold>('cold-search.mjs', [bundleOf(knowledgeSearch), JSON.stringify(event)]) },
    { what: 'knowledge: cold searches', rounds: coldRuns, warmUps: 0 },
  );
  return cold;
}

type Search = { elapsedMs: number; processorMs: number; readUnits: number; bytes: number };

/** The first searches load the index, the model and the vectors. */
async function warmSearches(bench: Bench, pathOf: PathOf) {
  for (let index = 0; index < 100; index += 1) {
    const { data } = await bench.send('GET', pathOf(questionAt(index), 'hybrid'));
    if (data.mode === 'hybrid') break;
    if (index === 99) throw new Error('the search stays by words only');
  }
  const asked = { lexical: 0, snippets: 0, hybrid: 0, context: 0 };
  const search = async (variant: Variant): Promise<Search> => {
    const path = pathOf(questionAt(asked[variant]++), variant);
    let bytes = 0;
    const begunMs = performance.now();
    const before = process.cpuUsage();
    const { readUnits } = await bench.usageOf(async () => {
      const response = await bench.send('GET', path);
      bytes = Buffer.byteLength(response.text);
      return response;
    });
    const { user, system } = process.cpuUsage(before);
    return { elapsedMs: performance.now() - begunMs, processorMs: (user + system) / 1000, readUnits, bytes };
  };
  return inTurn(
    {
      lexical: () => search('lexical'),
      snippets: () => search('snippets'),
      hybrid: () => search('hybrid'),
      context: () => search('context'),
    },
    { what: 'knowledge: warm searches', rounds: warmQueries, warmUps: 20 },
  );
}

/** @returns the CPU time of the model for each piece */
async function encodingMs(): Promise<number[]> {
  const encoder = await fetchedEncoder.load();
  const { title, content } = documentAt(0, documentBytes * 10);
  const texts = chunksOf(content)
    .slice(0, encodedPieces)
    .map((chunk) => pieceText({ title, ...chunk }));
  // The first text loads the model.
  await encoder.encode(['warm']);
  const times: number[] = [];
  for (const text of texts) {
    const before = process.cpuUsage();
    await encoder.encode([text]);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return times;
}

async function created({ send }: Bench, path: string, body: Json): Promise<Json> {
  const { status, data, text } = await send('POST', path, { body });
  if (status >= 300) throw new Error(text);
  return data;
}

type Worked = {
  durationMs: number;
  readUnits: number;
  writeUnits: number;
  peakBytes: number;
  encoded: number;
};

/** Re-indexes in a new process, as the worker's function does. @throws Error if nothing has changed */
async function reindex(bench: Bench, projectId: string) {
  const jobId = (await created(bench, `/projects/${projectId}/knowledge/reindex`, {})).id as string;
  const given = { tenant: `${bench.organisationId}#live`, projectId, jobId };
  const worked = await runFile<Worked>('reindex-worker.ts', [JSON.stringify(given)]);
  const { data, text } = await bench.send('GET', `/projects/${projectId}/jobs/${jobId}`);
  const { changed, chunks } = (data.result ?? {}) as { changed?: boolean; chunks?: number };
  if (data.status !== 'succeeded' || !changed) throw new Error(text);
  return { jobId, chunks: chunks ?? Number.NaN, ...worked };
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
