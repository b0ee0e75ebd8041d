/** A version is searched, and replaced, with the algorithm that built it. */

import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { versionOf } from '../../../lib/indexing/jobs/index-version.ts';
import type { Block } from '../../../lib/indexing/store/parts.ts';
import { currentAlgorithm, firstAlgorithm, loadIndex } from '../../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../../lib/search/index/builder.ts';
import { storedOf } from '../../../samples/api.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';

/** Only the first algorithm finds this document with it, by the word "my". */
const query = 'my+gadget';

const manifestOf = async (api: Knowledge, version: string) =>
  (await storedOf(api, 'knowledgeIndexes')).find(
    ({ tenant, id }) => `${tenant}`.endsWith('#versions') && id === version,
  );

/** Makes a version as the code built it before manifests named an algorithm. */
async function makeFirst(api: Knowledge, version: string) {
  const { runtime, organisationId, projectId } = api;
  const build = (await manifestOf(api, version))?.build as string;
  const block = (await api.partsOf(build)).find(({ id }) => id === 'block-000000');
  const { documents } = JSON.parse(brotliDecompressSync(block?.bytes as Uint8Array).toString()) as Block;
  const builder = buildIndex({ algorithm: firstAlgorithm });
  for (const document of documents) builder.add(document, 0);
  const bytes = [...builder.serialise()].join('');
  const tenant = `${organisationId}#live#${projectId}`;
  const TableName = runtime.tableNames.knowledgeIndexes;
  const part = {
    tenant: `${tenant}#build#${build}`,
    id: 'index-000000',
    bytes: brotliCompressSync(bytes),
  };
  await runtime.client.send(new PutCommand({ TableName, Item: part }));
  const Key = { tenant: `${tenant}#versions`, id: version };
  const names = { '#algorithm': 'algorithm' };
  await runtime.client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'REMOVE #algorithm',
      ExpressionAttributeNames: names,
    }),
  );
}

test('a version without an algorithm is searched as before until the next one, also after an expunge', {
  tags: ['long'],
}, async () => {
  const api = await openKnowledge();
  const { call, project, create, reindex } = api;
  const found = async (parameters = '') => {
    const { data } = await call('GET', `${project}/knowledge/search?q=${query}${parameters}`);
    const items = data.items as { title: string; text: string; url: string | null; pieceId: string }[];
    for (const { title, text, url, pieceId } of items) {
      expect(text).toBe(`This is my ${title.slice(0, -1).replace('Boxe', 'Box').toLowerCase()}.`);
      expect([url, pieceId]).toEqual([null, expect.stringMatching(/^kdoc_\w+\.1$/)]);
    }
    return items.map(({ title }) => title);
  };
  await create({ title: 'Boxes', content: 'This is my box.' });
  const gone = await create({ title: 'Bags', content: 'This is my bag.' });
  const job = await reindex();
  const version = (job.result as { indexVersion: string }).indexVersion;
  expect(await manifestOf(api, version)).toMatchObject({ algorithm: currentAlgorithm });
  await makeFirst(api, version);
  await call('POST', `${project}/deployments`, { body: { environment: 'production' } });
  expect((await found('&environment=production')).sort()).toEqual(['Bags', 'Boxes']);

  const expunged = await call('DELETE', `${api.path}/${gone.id}?expunge=true`);
  await api.workOff(api.projectId, expunged.data.id as string);
  expect(await found('&environment=production')).toEqual(['Boxes']);
  const manifests = (await storedOf(api, 'knowledgeIndexes')).filter(
    ({ tenant, ttl }) => `${tenant}`.endsWith('#versions') && ttl === undefined,
  );
  expect(manifests.map(({ algorithm }) => algorithm)).toEqual([undefined]);

  await create({ title: 'Caps', content: 'This is my cap.' });
  await reindex();
  expect(await found()).toEqual([]);
  expect(await found('&environment=production')).toEqual(['Boxes']);
});

test.each([
  [firstAlgorithm, 'gadgets'],
  ['bm25f-1/postings-1/chunks-1200-3/terms-3', 'gadget'],
  ['bm25f-1/postings-1/chunks-1200-4/terms-3', 'gadget'],
  ['bm25f-1/postings-1/html-2/chunks-1200-5/terms-3', 'gadget'],
  [currentAlgorithm, 'gadget'],
])('a version of %s can be searched', (algorithm, query) => {
  const builder = buildIndex({ algorithm });
  const chunks = [{ heading: '', text: 'Some gadget and some words.' }];
  builder.add({ id: 'kdoc_1', title: 't', tags: [], chunks }, 0);
  const index = loadIndex(Buffer.from([...builder.serialise()].join('')), algorithm);
  const { hits, weightOf } = index.search(query, {}, { pieces: 10 });
  expect(hits.map(({ number, document }) => [document.id, number])).toEqual([['kdoc_1', 1]]);
  expect(weightOf('gadget')).toBeGreaterThan(0);
  expect(weightOf('words')).toBe(0);
});

test('the id of a version of the first algorithm is the one that it has always had', () => {
  const documents = [{ id: 'kdoc_1', fingerprint: 'a' }];
  expect(versionOf(documents, undefined, firstAlgorithm)).toBe('d52afbfdbbacc4bbf28e0fa3f80ac78145c427cb');
  expect(versionOf(documents, undefined)).not.toBe(versionOf(documents, undefined, firstAlgorithm));
});
