/** A project with deployments and a document to expunge, and a search of all that is stored of it. */

import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { hashOfText } from '../../lib/indexing/store/vectors.ts';
import { pieceText } from '../../lib/search/pieces/chunk.ts';
import { useEncoder } from '../../lib/search/semantic/encoder.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { countingEncoder, meaningOf } from './encoders.ts';
import { intercept } from './faults.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { storedText } from './stored.ts';

/** A word that only the expunged document contains. */
export const secret = 'xylophone';

const sent = { externalId: 'gone', title: `the ${secret}`, content: `a drum and a ${secret}` };
const secretPiece = pieceText({ title: sent.title, heading: '', text: sent.content });
/** What its piece leads to, as `storedText` shows it. */
export const secrets = [
  secret,
  Buffer.from(meaningOf(secretPiece) ?? []).toString('hex'),
  Buffer.from(hashOfText(secretPiece), 'latin1').toString('hex'),
];

type Opened = Awaited<ReturnType<typeof openDeployed>>;

/**
 * A project with a secret in three index versions: the one that `production` serves, the one that `staging` serves, and
 * the published one. `at` interrupts the calls of the next worker.
 */
export async function openDeployed() {
  useEncoder(countingEncoder().source);
  const at = { call: Number.POSITIVE_INFINITY, act: async () => {}, afterwards: false, calls: 0 };
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (_, proceed) => {
      at.calls += 1;
      if (at.calls !== at.call) return undefined;
      at.call = Number.POSITIVE_INFINITY;
      return at.afterwards ? proceed().then((output) => at.act().then(() => output)) : at.act().then(proceed);
    }),
  }));
  const { call, project } = api;
  const deploy = async (environment: string) =>
    (await call('POST', `${project}/deployments`, { body: { environment } })).data as Json & { id: string };
  const search = async (query = '') =>
    (await call('GET', `${project}/knowledge/search?q=${secret}${query}`)).data.items as Json[];
  const config = async (environment: string) =>
    (await call('GET', `${project}/environments/${environment}/config`)).data;
  const expunge = (id: unknown) => call('DELETE', `${api.path}/${id}?expunge=true`);
  const jobOf = async (id: unknown) => (await call('GET', `${project}/jobs/${id}`)).data;

  const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
  await call('POST', `${project}/avatars`, { body: avatar });
  // Its versions have the values of a field, too.
  await call('PATCH', project, { body: { settings: { searchFields: ['of'] } } });
  const kept = await api.create({ title: 'kept', content: 'a drum and a flute', metadata: { of: 'kept' } });
  const created = await call('POST', api.path, { body: sent, idempotencyKey: 'create' });
  const gone = created.data as Json & { id: string };
  await api.batch([{ ...sent, metadata: { of: secret } }], { idempotencyKey: 'batch' });
  await api.reindex();
  const first = await deploy('production');
  await api.create({ title: 'later', content: 'a horn' });
  await api.reindex();
  const second = await deploy('staging');
  await call('PATCH', `${api.path}/${kept.id}`, { body: { content: 'a drum and a fiddle' } });
  await api.reindex();
  at.calls = 0;
  return { ...api, at, deploy, search, config, expunge, jobOf, kept, gone, first, second };
}

/** Nothing of the secret is left, everything else is found, and all pointers lead to new versions. */
export async function expectGone(api: Opened): Promise<void> {
  const { call, project, config, search, kept, gone } = api;
  const stored = await storedText(api);
  for (const one of secrets) expect(stored.includes(one), one).toBe(false);
  const published = (await call('GET', `${project}/knowledge/search?q=drum`)).data;
  expect((published.items as Json[]).map(({ documentId }) => documentId)).toEqual([kept.id]);
  for (const [environment, count] of [
    ['production', 1],
    ['staging', 2],
  ] as const) {
    expect(await search(`&environment=${environment}`)).toEqual([]);
    const { data } = await call('GET', `${project}/knowledge/search?q=flute+horn&environment=${environment}`);
    expect(data.items, environment).toHaveLength(count);
    const filtered = `q=drum&metadata=of:kept&environment=${environment}`;
    const { items } = (await call('GET', `${project}/knowledge/search?${filtered}`)).data;
    expect(items, environment).toMatchObject([{ documentId: kept.id }]);
    const { deploymentId, knowledgeIndexVersion, configHash } = await config(environment);
    expect(data.indexVersion).toBe(knowledgeIndexVersion);
    const deployment = (await call('GET', `${project}/deployments/${deploymentId}`)).data;
    expect(deployment).toMatchObject({ knowledgeIndexVersion, configHash });
    // A conversation that keeps its deployment gets the same.
    expect(await search(`&deploymentId=${deploymentId}`)).toEqual([]);
    const frozen = await call('GET', `${project}/deployments/${deploymentId}/config`);
    expect(frozen.data).toEqual({ ...(await config(environment)), rollout: null });
    const found = await call('GET', `${project}/knowledge/search?q=flute+horn&deploymentId=${deploymentId}`);
    expect(found.data).toEqual(data);
  }
  expect((await call('GET', `${api.path}/${gone.id}`)).status).toBe(404);
  const deployments = (await call('GET', `${project}/deployments`)).data.items as Json[];
  const held = new Set(deployments.map(({ knowledgeIndexVersion }) => knowledgeIndexVersion));
  const versions = (await storedOf(api, 'knowledgeIndexes')).filter(({ tenant }) =>
    `${tenant}`.endsWith('#versions'),
  );
  for (const version of held) {
    expect(versions.find(({ id }) => id === version)).toMatchObject({ held: true });
  }
  for (const version of versions) expect([version.ttl, version.replacedBy]).toEqual([undefined, undefined]);
}

/** Every version has all of its parts, and no unused part stays stored. */
export async function expectWhole(api: Knowledge): Promise<void> {
  const items = await storedOf(api, 'knowledgeIndexes');
  const within = (item: Json, kind: string) => `${item.tenant}`.includes(`#${kind}`);
  const live = items.filter((item) => within(item, 'versions') && item.ttl === undefined);
  const parts = items.filter((item) => within(item, 'build#') && item.ttl === undefined);
  const partsOf = (build: unknown) =>
    parts.filter(({ tenant }) => `${tenant}`.replace(/#vectors-\d$/, '').endsWith(`#${build}`));
  for (const { build, blocks, indexParts, vectorParts } of live) {
    const stored = partsOf(build);
    const directory = stored.find(({ id }) => id === 'list')?.bytes as Uint8Array;
    const listed: unknown[] = JSON.parse(brotliDecompressSync(directory).toString());
    const count = Number(blocks) + Number(indexParts) + Number(vectorParts) + listed.length + 1;
    expect(stored.length, `${build}`).toBe(count);
  }
  const builds = [...new Set(live.map(({ build }) => build))];
  expect(parts.length).toBe(builds.flatMap(partsOf).length);
}
