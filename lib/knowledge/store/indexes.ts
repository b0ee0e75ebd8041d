/**
 * The search indexes of a project's knowledge. A build is what one job makes: the index itself in parts, and the texts of
 * its chunks in blocks. A version is a build that is complete, under the hash of what it holds; it never changes. Which
 * one is published is said by one pointer. A version that is published no longer, and that no deployment holds, goes
 * after 7 days with its build, and so does a build that came to nothing.
 */

import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib';
import type { Page, Store, Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { dayMs, ttlSeconds } from '../../time.ts';
import type { Chunk } from '../chunks/chunk.ts';

const keptMs = 7 * dayMs;
/** An item of DynamoDB has at most 400 KB. */
const partBytes = 380 * 1024;

const pointers = (projectId: string): Within => [projectId];
const versions = (projectId: string): Within => [projectId, 'versions'];
const builds = (projectId: string): Within => [projectId, 'builds'];
const storedBuilds = (projectId: string): Within => [projectId, 'stored'];
const parts = (projectId: string, build: string): Within => [projectId, 'build', build];
const partId = (kind: 'block' | 'index', number: number) => `${kind}-${String(number).padStart(6, '0')}`;
const everything = { from: ' ', to: '~' };
/** A build is known for longer than its parts are stored: TTL deletes up to days late. */
const knownMs = 30 * dayMs;

/** What a version is: `id` is the version. */
export type Manifest = {
  id: string;
  /** The job that made it. */
  build: string;
  documents: number;
  /** How many of the documents failed. */
  failed: number;
  chunks: number;
  blocks: number;
  indexParts: number;
  /** A deployment has frozen this version. */
  held?: boolean;
  /** Set where the version is on its way out. */
  ttl?: number;
  /** The version that has taken its place, as documents of this one were expunged. */
  replacedBy?: string;
  changedIn: string;
};

/** The texts of some documents. What failed has no chunks, and says why. */
export type Block = { documents: readonly PreparedDocument[] };

export type PreparedDocument = {
  id: string;
  /** Stands for all of the document that the index holds. */
  fingerprint: string;
  title: string;
  tags: readonly string[];
  chunks: readonly Chunk[];
  error: { code: string; message: string } | null;
  /** What is to be known of a document that is indexed. */
  warning?: { code: string; message: string } | null;
};

type Published = {
  id: string;
  version: string;
  /** What was published before, until it is on its way out with all that belongs to it. */
  previous: string | null;
  changedIn: string;
};

export const getPublished = (store: Store, projectId: string): Promise<Published | undefined> =>
  store.get('knowledgeIndexes', 'published', pointers(projectId)) as Promise<Published | undefined>;

/** @returns the version of the index that is published; null before the first */
export const getPublishedIndexVersion = async (store: Store, projectId: string): Promise<string | null> =>
  (await getPublished(store, projectId))?.version ?? null;

export const getManifest = (
  store: Store,
  projectId: string,
  version: string,
): Promise<Manifest | undefined> =>
  store.get('knowledgeIndexes', version, versions(projectId)) as Promise<Manifest | undefined>;

/** Notes that there are parts of a build before the first of them is written, so that none is forgotten. */
export const beginBuild = (store: Store, projectId: string, build: string): Write<never>[] =>
  [builds(projectId), storedBuilds(projectId)].map((within) =>
    store.put('knowledgeIndexes', { id: build }, { within, condition: { kind: 'any' } }),
  );

/** Notes when the parts of a build, which are to expire, will be gone for sure. */
export const expireBuild = (store: Store, projectId: string, build: string, nowMs: number): Write<never> =>
  store.put(
    'knowledgeIndexes',
    { id: build, ttl: ttlSeconds(nowMs + keptMs + knownMs) },
    { within: storedBuilds(projectId), condition: { kind: 'any' } },
  );

/** @returns a page of the builds of which there may be parts */
export const pageStoredBuilds = (store: Store, projectId: string, after: string | undefined) =>
  store.page('knowledgeIndexes', {
    within: storedBuilds(projectId),
    ...everything,
    after,
    limit: 100,
    order: 'oldest',
  });

/** @returns a page of versions in the order of their ids, those on their way out among them */
export const pageVersions = (store: Store, projectId: string, after: string | undefined) =>
  store.page('knowledgeIndexes', {
    within: versions(projectId),
    ...everything,
    after,
    limit: 100,
    order: 'oldest',
  }) as Promise<Page<Item & Manifest>>;

/** @returns the builds that are not complete: few, as each job looks after those before it */
export async function listOpenBuilds(store: Store, projectId: string): Promise<string[]> {
  const query = { within: builds(projectId), ...everything, after: undefined, limit: 100 };
  return (await store.page('knowledgeIndexes', query)).items.map(({ id }) => id);
}

/** Makes a version of a build. `before` is a version of the same hash that is on its way out. */
export const completeBuild = (
  store: Store,
  projectId: string,
  { id, ...manifest }: Omit<Manifest, 'changedIn' | 'ttl' | 'replacedBy'>,
  before: Manifest | undefined,
): Write<never>[] => [
  store.put(
    'knowledgeIndexes',
    { id, ...manifest },
    {
      within: versions(projectId),
      condition: before ? { kind: 'unchanged', changedIn: before.changedIn } : { kind: 'absent' },
    },
  ),
  closeBuild(store, projectId, manifest.build),
];

export const closeBuild = (store: Store, projectId: string, build: string): Write<never> =>
  store.remove('knowledgeIndexes', build, { within: builds(projectId), condition: { kind: 'any' } });

/** Moves the one pointer by which readers find the index. */
export const publishVersion = (
  store: Store,
  projectId: string,
  version: string,
  before: Published | undefined,
): Write<never> =>
  store.put(
    'knowledgeIndexes',
    { id: 'published', version, previous: before?.version ?? null },
    {
      within: pointers(projectId),
      condition: before ? { kind: 'unchanged', changedIn: before.changedIn } : { kind: 'absent' },
    },
  );

/**
 * Puts another version in the place of one, where that is published or was so before. From then on no deployment can
 * hold the old one. Refused where a deployment has begun to hold it since it was read.
 */
export function replaceVersion(
  store: Store,
  projectId: string,
  manifest: Manifest,
  version: string,
  published: Published | undefined,
  nowMs: number,
): Write<never>[] {
  const { id, changedIn } = manifest;
  const writes: Write<never>[] = [
    store.update(
      'knowledgeIndexes',
      id,
      { replacedBy: version, ttl: ttlSeconds(nowMs + knownMs) },
      { within: versions(projectId), condition: { kind: 'unchanged', changedIn } },
    ),
  ];
  if (!published || (published.version !== id && published.previous !== id)) return writes;
  const current = published.version === id ? version : published.version;
  const previous = published.previous === id || published.previous === current ? null : published.previous;
  writes.push(
    store.put(
      'knowledgeIndexes',
      { id: published.id, version: current, previous },
      { within: pointers(projectId), condition: { kind: 'unchanged', changedIn: published.changedIn } },
    ),
  );
  return writes;
}

/** Takes a version away, of which no part is stored any more. */
export const removeVersion = (store: Store, projectId: string, id: string): Write<never> =>
  store.remove('knowledgeIndexes', id, { within: versions(projectId), condition: { kind: 'any' } });

/** Page by page, the removals of all parts of a build. */
export async function* removeParts(
  store: Store,
  projectId: string,
  build: string,
): AsyncGenerator<Write<never>[]> {
  const within = parts(projectId, build);
  for (let after: string | undefined; ; ) {
    const page = await store.page('knowledgeIndexes', { within, ...everything, after, limit: 100 });
    yield page.items.map(({ id }) =>
      store.remove('knowledgeIndexes', id, { within, condition: { kind: 'any' } }),
    );
    if (page.next === null) return;
    after = page.next;
  }
}

/** Forgets a build of which no part is stored any more. */
export const forgetBuild = (store: Store, projectId: string, build: string): Write<never>[] =>
  [builds(projectId), storedBuilds(projectId)].map((within) =>
    store.remove('knowledgeIndexes', build, { within, condition: { kind: 'any' } }),
  );

/** Keeps a version for good: a deployment serves it, or may be rolled back to. Loses to its retirement. */
export const holdIndexVersion = (store: Store, projectId: string, version: string): Write<never>[] => [
  store.update(
    'knowledgeIndexes',
    version,
    { held: true },
    { within: versions(projectId), condition: { kind: 'lacks', attribute: 'ttl' } },
  ),
];

/** Sends a version on its way out, unless a deployment holds it or it is published again. Its parts are to follow. */
export const retireVersion = (
  store: Store,
  projectId: string,
  version: string,
  published: Published,
  nowMs: number,
): Write<never>[] => [
  store.check('knowledgeIndexes', published.id, {
    within: pointers(projectId),
    condition: { kind: 'unchanged', changedIn: published.changedIn },
  }),
  store.update(
    'knowledgeIndexes',
    version,
    { ttl: ttlSeconds(nowMs + keptMs) },
    { within: versions(projectId), condition: { kind: 'lacks', attribute: 'held' } },
  ),
];

/** Notes that the version before is on its way out, with its parts. */
export const forgetPrevious = (store: Store, projectId: string, { id, changedIn }: Published): Write<never> =>
  store.update(
    'knowledgeIndexes',
    id,
    { previous: null },
    { within: pointers(projectId), condition: { kind: 'unchanged', changedIn } },
  );

/** Page by page, a write for each part of a build that is not on its way out yet. */
export async function* expireParts(
  store: Store,
  projectId: string,
  build: string,
  nowMs: number,
): AsyncGenerator<Write<never>[]> {
  const within = parts(projectId, build);
  const ttl = ttlSeconds(nowMs + keptMs);
  const condition = { kind: 'present' } as const;
  for (let after: string | undefined; ; ) {
    const page = await store.page('knowledgeIndexes', { within, ...everything, after, limit: 100 });
    const staying = page.items.filter((part) => part.ttl === undefined);
    yield staying.map(({ id }) => store.update('knowledgeIndexes', id, { ttl }, { within, condition }));
    if (page.next === null) return;
    after = page.next;
  }
}

/** Writing a block again does no harm: nothing reads it before its build is complete. */
export const putBlock = (
  store: Store,
  projectId: string,
  build: string,
  number: number,
  block: Block,
): Write<never> =>
  putPart(
    store,
    projectId,
    build,
    partId('block', number),
    brotliCompressSync(JSON.stringify(block), compression),
  );

/** @param numbers at most 100 */
export async function getBlocks(store: Store, projectId: string, build: string, numbers: readonly number[]) {
  const ids = numbers.map((number) => partId('block', number));
  const items = await store.getMany('knowledgeIndexes', ids, parts(projectId, build));
  return items.map((item) => ({
    number: Number(item.id.slice(-6)),
    block: JSON.parse(brotliDecompressSync(item.bytes as Uint8Array).toString()) as Block,
  }));
}

/**
 * @param pieces the index as text: never all of it at once, as it is many times as large as it is compressed
 * @returns the writes of the index's parts, each to be committed by itself
 */
export async function putIndex(
  store: Store,
  projectId: string,
  build: string,
  pieces: Iterable<string>,
): Promise<Write<never>[]> {
  const compressed: Buffer[] = [];
  await pipeline(pieces, createBrotliCompress(compression), async (output) => {
    for await (const piece of output) compressed.push(piece);
  });
  const bytes = Buffer.concat(compressed);
  const count = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: count }, (_, number) =>
    putPart(
      store,
      projectId,
      build,
      partId('index', number),
      bytes.subarray(number * partBytes, (number + 1) * partBytes),
    ),
  );
}

/** @returns the index in UTF-8, or undefined where a part of it is gone */
export async function getIndex(
  store: Store,
  projectId: string,
  { build, indexParts }: Manifest,
): Promise<Buffer | undefined> {
  const ids = Array.from({ length: indexParts }, (_, number) => partId('index', number));
  // So many fit into one answer, which has at most 16 MB.
  const perCall = 40;
  const calls = Array.from({ length: Math.ceil(ids.length / perCall) }, (_, call) =>
    store.getMany(
      'knowledgeIndexes',
      ids.slice(call * perCall, (call + 1) * perCall),
      parts(projectId, build),
    ),
  );
  const items = (await Promise.all(calls)).flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  if (items.length < ids.length) return undefined;
  return brotliDecompressSync(Buffer.concat(items.map(({ bytes }) => bytes as Uint8Array)));
}

const putPart = (
  store: Store,
  projectId: string,
  build: string,
  id: string,
  bytes: Uint8Array,
): Write<never> =>
  store.put(
    'knowledgeIndexes',
    { id, bytes },
    { within: parts(projectId, build), condition: { kind: 'any' } },
  );

/** Quality 4 takes half of gzip's time and three fifths of its space on an index. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
