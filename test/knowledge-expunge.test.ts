/** Expunged documents are gone: from every search at once, and from everything that is stored when the job has ended. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../lib/time.ts';
import { type Json, storedOf } from './support/api.ts';
import { intercept } from './support/faults.ts';
import { type Knowledge, openKnowledge } from './support/knowledge.ts';

/** A word that is in the document that goes, and in no other one. */
const secret = 'xylophone';

type Opened = Awaited<ReturnType<typeof openDeployed>>;

/**
 * A project with a secret in the version that `production` serves, another version that `staging` serves with it, and a
 * published one. `at` interrupts the calls of whoever works next.
 */
async function openDeployed() {
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
  const kept = await api.create({ title: 'kept', content: 'a drum and a flute' });
  const gone = await api.create({ title: `the ${secret}`, content: `a drum and a ${secret}` });
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

/** @returns everything that is stored of the organisation, as text, with what is compressed */
async function allStored(api: Knowledge): Promise<string> {
  const texts: string[] = [];
  const parts = new Map<string, { id: string; bytes: Buffer }[]>();
  for (const table of ['knowledge', 'knowledgeIndexes', 'deployments', 'jobs', 'idempotency'] as const) {
    for (const item of await storedOf(api, table)) {
      texts.push(JSON.stringify({ ...item, bytes: undefined, gzip: undefined }));
      if (item.gzip) texts.push(gunzipSync(item.gzip as Uint8Array).toString());
      if (!item.bytes || table !== 'knowledgeIndexes') continue;
      const id = item.id as string;
      const build = `${item.tenant}/${id.split('-')[0] === 'index' ? '' : id}`;
      parts.set(build, [...(parts.get(build) ?? []), { id, bytes: Buffer.from(item.bytes as Uint8Array) }]);
    }
  }
  for (const some of parts.values()) {
    some.sort((a, b) => (a.id < b.id ? -1 : 1));
    texts.push(brotliDecompressSync(Buffer.concat(some.map(({ bytes }) => bytes))).toString());
  }
  return texts.join('\n');
}

/** Nothing is left of the secret, everything else is found, and everything that pointed to an old version moved on. */
async function expectGone(api: Opened): Promise<void> {
  const { call, project, config, search, kept, gone } = api;
  expect(await allStored(api)).not.toContain(secret);
  const published = (await call('GET', `${project}/knowledge/search?q=drum`)).data;
  expect((published.items as Json[]).map(({ documentId }) => documentId)).toEqual([kept.id]);
  for (const [environment, count] of [
    ['production', 1],
    ['staging', 2],
  ] as const) {
    expect(await search(`&environment=${environment}`)).toEqual([]);
    const { data } = await call('GET', `${project}/knowledge/search?q=flute+horn&environment=${environment}`);
    expect(data.items, environment).toHaveLength(count);
    const { deploymentId, knowledgeIndexVersion, configHash } = await config(environment);
    expect(data.indexVersion).toBe(knowledgeIndexVersion);
    const deployment = (await call('GET', `${project}/deployments/${deploymentId}`)).data;
    expect(deployment).toMatchObject({ knowledgeIndexVersion, configHash });
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

describe('DELETE …?expunge=true', () => {
  test('hides the document from the first response on, and removes it from all that is stored', async () => {
    const api = await openDeployed();
    const { search, config, expunge, jobOf, workOff, projectId, gone, first } = api;
    expect(await allStored(api)).toContain(secret);
    // Loaded into memory.
    for (const environment of ['production', 'staging']) {
      expect(await search(`&environment=${environment}`)).toHaveLength(1);
    }
    expect(await search()).toHaveLength(1);
    const before = await config('production');
    const answer = await expunge(gone.id);
    expect(answer.status).toBe(202);
    expect(answer.data).toMatchObject({ type: 'knowledge.expunge', status: 'queued', result: null });
    expect(answer.headers.Location).toBe(`/api/v1${api.project}/jobs/${answer.data.id}?waitSeconds=20`);
    for (const query of ['', '&environment=production', '&environment=staging', '&tag=none']) {
      expect(await search(query)).toEqual([]);
    }
    await workOff(projectId, answer.data.id as string);
    expect(await jobOf(answer.data.id)).toMatchObject({
      status: 'succeeded',
      progress: { total: 3, done: 3, failed: 0 },
      result: { expunged: 1, replacedVersions: 3, environments: ['production', 'staging'] },
    });
    await expectGone(api);
    const after = await config('production');
    expect(after.deploymentId).toBe(first.id);
    expect(after.configHash).not.toBe(before.configHash);
    expect(after.knowledgeIndexVersion).not.toBe(before.knowledgeIndexVersion);
    expect(after.avatars).toEqual(before.avatars);
    // What the documents are by now is published already.
    expect((await api.reindex()).result).toMatchObject({ changed: false, documents: 2 });
  });

  test('works for a document that was deleted and re-indexed before, and again', async () => {
    const api = await openDeployed();
    const { call, path, expunge, jobOf, search, workOff, projectId, gone } = api;
    await call('DELETE', `${path}/${gone.id}`);
    await api.reindex();
    expect(await search()).toEqual([]);
    expect(await search('&environment=production')).toHaveLength(1);
    const { status, data } = await expunge(gone.id);
    expect(status).toBe(202);
    expect(await search('&environment=production')).toEqual([]);
    await workOff(projectId, data.id as string);
    expect((await jobOf(data.id)).result).toMatchObject({ environments: ['production', 'staging'] });
    await expectGone(api);
    const again = await expunge(gone.id);
    expect([again.status, again.data.id === data.id]).toEqual([202, false]);
    await workOff(projectId, again.data.id as string);
    const nothing = { expunged: 1, replacedVersions: 0, environments: [] };
    expect(await jobOf(again.data.id)).toMatchObject({ status: 'succeeded', result: nothing });
    await expectGone(api);
  });

  test('needs a document that is or was there', async () => {
    const { expunge } = await openKnowledge().then(async (api) => ({
      expunge: (id: string) => api.call('DELETE', `${api.path}/${id}?expunge=true`),
    }));
    expect((await expunge('kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E')).error.code).toBe('not_found');
  });

  test('of many documents is one job behind the one that runs', async () => {
    const api = await openKnowledge();
    const ids: unknown[] = [];
    for (let n = 0; n < 8; n += 1) ids.push((await api.create({ content: `word number${n}` })).id);
    await api.reindex();
    const answers = await Promise.all(
      ids.slice(0, 7).map((id) => api.call('DELETE', `${api.path}/${id}?expunge=true`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(202));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const found = async () =>
      (await api.call('GET', `${api.project}/knowledge/search?q=word&limit=2`)).data.items;
    expect(await found()).toMatchObject([{ documentId: ids[7] }]);
    await api.workOff(api.projectId, answers[0]?.data.id as string);
    const { data } = await api.call('GET', `${api.project}/jobs/${answers[0]?.data.id}`);
    expect(data.result).toEqual({ expunged: 7, replacedVersions: 1, environments: [] });
    expect(await found()).toMatchObject([{ documentId: ids[7] }]);
  });

  test('works in an archived project, where nothing else is deleted', async () => {
    const api = await openDeployed();
    await api.call('PATCH', api.project, { body: { status: 'archived' } });
    const plain = await api.call('DELETE', `${api.path}/${api.gone.id}`);
    expect(plain.error.code).toBe('project_archived');
    const { data } = await api.expunge(api.gone.id);
    await api.workOff(api.projectId, data.id as string);
    await expectGone(api);
  });

  test('removes what is on its way out, and the text of a document that went while it was indexed', async () => {
    const api = await openDeployed();
    // A build that came to nothing, one that lost its document on the way, and one that was replaced.
    const { data: cancelled } = await api.call('POST', `${api.project}/knowledge/reindex`);
    await api.call('PATCH', `${api.path}/${api.kept.id}`, { body: { content: 'a drum' } });
    api.at.calls = 0;
    api.at.act = () => Promise.reject(new Error('killed'));
    api.at.call = 14;
    await expect(api.workOff(api.projectId, cancelled.id as string)).rejects.toThrow('killed');
    await api.call('POST', `${api.project}/jobs/${cancelled.id}/cancel`);
    await api.create({ title: 'new', content: 'a piano' });
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    api.at.calls = 0;
    api.at.act = async () => void (await api.call('DELETE', `${api.path}/${api.gone.id}`));
    api.at.call = 9;
    await api.workOff(api.projectId, job.id as string);
    const { data } = await api.expunge(api.gone.id);
    await api.workOff(api.projectId, data.id as string);
    expect((await api.jobOf(data.id)).status).toBe('succeeded');
    expect(await allStored(api)).not.toContain(secret);
  });
});

describe('while documents are expunged', () => {
  const killed = async (every: number) => {
    const measured = await openDeployed();
    const { data } = await measured.expunge(measured.gone.id);
    measured.at.calls = 0;
    await measured.workOff(measured.projectId, data.id as string);
    const calls = measured.at.calls;
    expect(calls).toBeGreaterThan(40);
    for (let point = 2; point <= calls; point += every) {
      const api = await openDeployed();
      const { data: job } = await api.expunge(api.gone.id);
      Object.assign(api.at, { calls: 0, call: point, afterwards: point % 2 === 0 });
      api.at.act = () => Promise.reject(new Error('killed'));
      await expect(api.workOff(api.projectId, job.id as string), `at call ${point}`).rejects.toThrow(
        'killed',
      );
      for (const query of ['', '&environment=production', '&environment=staging']) {
        expect(await api.search(query)).toEqual([]);
        const { data: others } = await api.call('GET', `${api.project}/knowledge/search?q=drum${query}`);
        expect(others.items, `at call ${point}`).toHaveLength(1);
      }
      await api.workOff(api.projectId, job.id as string);
      expect(await api.jobOf(job.id), `at call ${point}`).toMatchObject({
        status: 'succeeded',
        result: { expunged: 1, replacedVersions: 3, environments: ['production', 'staging'] },
      });
      await expectGone(api);
    }
  };
  const killedTitle =
    'a worker that is killed at a call goes on: nobody finds the document, and searches always answer';
  test(`${killedTitle} (some calls)`, () => killed(29));
  test(`${killedTitle} (every second call)`, { tags: ['long'] }, () => killed(2));

  const raced = async (every: number) => {
    const measured = await openDeployed();
    const { data } = await measured.expunge(measured.gone.id);
    measured.at.calls = 0;
    await measured.workOff(measured.projectId, data.id as string);
    const calls = measured.at.calls;
    for (let point = 3; point <= calls; point += every) {
      const api = await openDeployed();
      const third = await api.deploy('production');
      const { data: job } = await api.expunge(api.gone.id);
      let reindexJob = '';
      api.at.act = async () => {
        const body = { environment: 'production' };
        expect((await api.call('POST', `${api.project}/rollback`, { body })).status).toBe(200);
        expect((await api.deploy('another')).phase).toBe('current');
        const promote = `${api.project}/deployments/${third.id}/promote`;
        expect((await api.call('POST', promote)).status).toBe(200);
        expect((await api.call('POST', `${api.project}/rollback`, { body })).status).toBe(200);
        reindexJob = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      };
      Object.assign(api.at, { calls: 0, call: point });
      await api.workOff(api.projectId, job.id as string);
      await api.workOff(api.projectId, reindexJob);
      expect((await api.jobOf(job.id)).status, `at call ${point}`).toBe('succeeded');
      expect(await api.jobOf(reindexJob), `at call ${point}`).toMatchObject({
        status: 'succeeded',
        result: { changed: false },
      });
      await expectGone(api);
      expect(
        (await api.call('GET', `${api.project}/knowledge/search?q=drum&environment=another`)).data.items,
      ).toHaveLength(1);
      expect((await api.config('production')).deploymentId).toBe(api.first.id);
    }
  };
  const racedTitle =
    'a deployment, a rollback, a promotion and a re-index at a call get or keep the new versions';
  test(`${racedTitle} (some calls)`, () => raced(31));
  test(`${racedTitle} (every second call)`, { tags: ['long'] }, () => raced(2));

  test('a re-index that runs already cannot publish them', async () => {
    const api = await openDeployed();
    await api.create({ title: 'new', content: 'a piano' });
    const { data: reindexing } = await api.call('POST', `${api.project}/knowledge/reindex`);
    let job = '';
    api.at.act = async () => {
      job = (await api.expunge(api.gone.id)).data.id as string;
      // The worker of the re-index seems to be dead: the expunge takes over, and the other one goes on behind it.
      await api.workOff(api.projectId, job);
    };
    Object.assign(api.at, { calls: 0, call: 16 });
    await api.workOff(api.projectId, reindexing.id as string);
    expect((await api.jobOf(job)).status).toBe('succeeded');
    expect(await api.search()).toEqual([]);
    await expectGone(api);
  });
});

test('a rollback to a deployment whose version was replaced serves the replacement', async () => {
  const api = await openDeployed();
  await api.deploy('production');
  const { data } = await api.expunge(api.gone.id);
  await api.workOff(api.projectId, data.id as string);
  const body = { environment: 'production' };
  expect((await api.call('POST', `${api.project}/rollback`, { body })).data.current).toBe(api.first.id);
  await expectGone(api);
});

test('an expunge that takes longer than an hour goes on', async () => {
  const api = await openDeployed();
  const { data } = await api.expunge(api.gone.id);
  expect(Date.parse(data.deadlineAt as string) - Date.parse(data.createdAt as string)).toBe(dayMs);
});
