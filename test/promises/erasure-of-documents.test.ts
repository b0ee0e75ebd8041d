/** An expunged document disappears from every search at once, and from everything stored when the job has ended. */

import { describe, expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { type Json, storedOf, toLoopback } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import eventWriter from '../../workers/event-writer.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { expectGone, openDeployed, secret, secrets } from '../support/expunge.ts';
import { intercept } from '../support/faults.ts';
import { openKnowledge } from '../support/knowledge.ts';
import { storedText } from '../support/stored.ts';
import { openReceiver } from '../support/webhooks.ts';
import { follow } from '../support/workers.ts';

describe('DELETE …?expunge=true', () => {
  test('hides the document from its response on, and removes it from everything stored', {
    tags: ['long'],
  }, async () => {
    const api = await openDeployed();
    const { search, config, expunge, jobOf, workOff, projectId, gone, first } = api;
    const stored = await storedText(api);
    for (const one of secrets) expect(stored.includes(one), one).toBe(true);
    // Loaded into memory.
    for (const environment of ['production', 'staging']) {
      expect(await search(`&environment=${environment}`)).toHaveLength(1);
    }
    expect(await search()).toHaveLength(1);
    const before = await config('production');
    const response = await expunge(gone.id);
    expect(response.status).toBe(202);
    expect(response.data).toMatchObject({ type: 'knowledge.expunge', status: 'queued', result: null });
    expect(response.headers.Location).toBe(`/api/v1${api.project}/jobs/${response.data.id}?waitSeconds=20`);
    for (const query of ['', '&environment=production', '&environment=staging', '&tag=none']) {
      expect(await search(query)).toEqual([]);
    }
    await workOff(projectId, response.data.id as string);
    expect(await jobOf(response.data.id)).toMatchObject({
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
    // The present documents are published already.
    expect((await api.reindex()).result).toMatchObject({ changed: false, documents: 2 });
  });

  test('reaches the index that only the candidate of a rollout has', { tags: ['long'] }, async () => {
    const api = await openDeployed();
    const { project, second, gone, projectId } = api;
    const body = { environment: 'production', promote: false };
    const staged = (await api.call('POST', `${project}/deployments`, { body })).data;
    expect(staged.knowledgeIndexVersion).not.toBe(second.knowledgeIndexVersion);
    const started = await api.call('POST', `${project}/environments/production/rollout`, {
      body: { deploymentId: staged.id, percent: 10 },
    });
    expect(started.status).toBe(201);
    const { data: job } = await api.expunge(gone.id);
    await api.workOff(projectId, job.id as string);
    await expectGone(api);
    const items = await storedOf(api, 'deployments');
    const served = items.find(({ id }) => id === 'production')?.rollout as Json;
    const { knowledgeIndexVersion, configHash } = items.find(({ id }) => id === staged.id) ?? {};
    expect(knowledgeIndexVersion).not.toBe(staged.knowledgeIndexVersion);
    expect(served).toMatchObject({ id: started.data.id, percent: 10, span: 1 });
    expect(served.candidate).toMatchObject({ deploymentId: staged.id, knowledgeIndexVersion, configHash });
  });

  test('names the environment if only the candidate of its rollout has the document', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    const { project, projectId } = api;
    const deploy = async (promote: boolean) => {
      const body = { environment: 'production', promote };
      return (await api.call('POST', `${project}/deployments`, { body })).data;
    };
    await api.create({ title: 'kept', content: 'a drum' });
    await api.reindex();
    const current = await deploy(true);
    const { id } = await api.create({ title: `the ${secret}`, content: 'a drum' });
    await api.reindex();
    const { id: deploymentId } = await deploy(false);
    const started = await api.call('POST', `${project}/environments/production/rollout`, {
      body: { deploymentId, percent: 10 },
    });
    expect(started.status).toBe(201);
    const { data: job } = await api.call('DELETE', `${api.path}/${id}?expunge=true`);
    await api.workOff(projectId, job.id as string);
    const { data } = await api.call('GET', `${project}/jobs/${job.id}`);
    expect(data.result).toMatchObject({ environments: ['production'] });
    expect(await storedText(api)).not.toContain(secret);
    const { data: config } = await api.call('GET', `${project}/environments/production/config`);
    expect(config).toMatchObject({ deploymentId: current.id });
  });

  test('works for a document that was deleted and re-indexed before, and a second time', {
    tags: ['long'],
  }, async () => {
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

  test('needs a document that exists or existed', async () => {
    const { expunge } = await openKnowledge().then(async (api) => ({
      expunge: (id: string) => api.call('DELETE', `${api.path}/${id}?expunge=true`),
    }));
    expect((await expunge('kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E')).error.code).toBe('not_found');
  });

  test('of many documents is one job behind the one that runs', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    const ids: unknown[] = [];
    for (let n = 0; n < 8; n += 1) ids.push((await api.create({ content: `word number${n}` })).id);
    await api.reindex();
    const responses = await Promise.all(
      ids.slice(0, 7).map((id) => api.call('DELETE', `${api.path}/${id}?expunge=true`)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(202));
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    const found = async () =>
      (await api.call('GET', `${api.project}/knowledge/search?q=word&limit=2`)).data.items;
    expect(await found()).toMatchObject([{ documentId: ids[7] }]);
    await api.workOff(api.projectId, responses[0]?.data.id as string);
    const { data } = await api.call('GET', `${api.project}/jobs/${responses[0]?.data.id}`);
    expect(data.result).toEqual({ expunged: 7, replacedVersions: 1, environments: [] });
    expect(await found()).toMatchObject([{ documentId: ids[7] }]);
  });

  test('works in an archived project, unlike other deletions', { tags: ['long'] }, async () => {
    const api = await openDeployed();
    await api.call('PATCH', api.project, { body: { status: 'archived' } });
    const plain = await api.call('DELETE', `${api.path}/${api.gone.id}`);
    expect(plain.error.code).toBe('project_archived');
    const { data } = await api.expunge(api.gone.id);
    await api.workOff(api.projectId, data.id as string);
    await expectGone(api);
  });

  test('removes expiring versions, and the text of a document deleted during indexing', {
    tags: ['long'],
  }, async () => {
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
    expect(await storedText(api)).not.toContain(secret);
  });
});

describe('a stored response', () => {
  test('of a deployment whose warning names the document is erased', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
    const { id } = await api.create({ title: `the ${secret}` });
    const body = { environment: 'production' };
    const deploy = () => api.call('POST', `${api.project}/deployments`, { body, idempotencyKey: 'once' });
    expect((await deploy()).data.warnings).toMatchObject([{ documents: [{ documentId: id }] }]);
    expect(await storedText(api)).toContain(secret);
    const { data: job } = await api.call('DELETE', `${api.path}/${id}?expunge=true`);
    await api.workOff(api.projectId, job.id as string);
    expect((await deploy()).error.code).toBe('not_found');
    expect(await storedText(api)).not.toContain(secret);
  });

  test('that contains the document is erased, and its request still takes effect only once', {
    tags: ['long'],
  }, async () => {
    const api = await openDeployed();
    const body = { externalId: 'gone', title: `the ${secret}`, content: `a drum and a ${secret}` };
    const create = () => api.call('POST', api.path, { body, idempotencyKey: 'create' });
    expect((await create()).data.id).toBe(api.gone.id);
    const other = { body: { title: 'other', content: 'c' }, idempotencyKey: 'other' };
    const { data: kept } = await api.call('POST', api.path, other);
    const { data: job } = await api.expunge(api.gone.id);
    await api.workOff(api.projectId, job.id as string);
    const again = await create();
    expect([again.status, again.error.code]).toEqual([404, 'not_found']);
    expect((await api.call('POST', api.path, other)).data).toEqual(kept);
  });

  test('of another document in the same batch is erased too', async () => {
    const api = await openKnowledge();
    const documents = ['a', 'b'].map((externalId) => ({ externalId, title: externalId, content: 'c' }));
    const { data } = await api.batch(documents, { idempotencyKey: 'k' });
    const [first, second] = (data.results as { document: { id: string } }[]).map(
      ({ document }) => document.id,
    );
    const { data: job } = await api.call('DELETE', `${api.path}/${first}?expunge=true`);
    await api.workOff(api.projectId, job.id as string);
    expect((await api.batch(documents, { idempotencyKey: 'k' })).status).toBe(404);
    expect((await api.call('GET', `${api.path}/${second}`)).status).toBe(200);
  });

  test('of a message that cites the document stays, because it belongs to the conversation', {
    tags: ['long'],
  }, async () => {
    const api = await openDeployed();
    const { data: avatars } = await api.call('GET', `${api.project}/avatars`);
    const conversation = { avatarId: (avatars.items as Json[])[0]?.id };
    const { data: created } = await api.call('POST', `${api.project}/conversations`, { body: conversation });
    const path = `${api.project}/conversations/${created.id}/messages`;
    const message = { role: 'avatar', text: 'a flute', citations: [{ documentId: api.gone.id }] };
    const append = () => api.call('POST', path, { body: { messages: [message] }, idempotencyKey: 'm' });
    const { data: appended } = await append();
    const { data: job } = await api.expunge(api.gone.id);
    await api.workOff(api.projectId, job.id as string);
    expect((await append()).data).toEqual(appended);
  });
});

describe('a search in a function that has the old index in memory', () => {
  test('finds the other texts after the same version was rebuilt with other blocks', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    const { call, project } = api;
    const ids: unknown[] = [];
    for (let n = 0; n < 12; n += 1) ids.push((await api.create({ content: `word number${n}` })).id);
    await api.reindex();
    const body = { environment: 'production' };
    expect((await call('POST', `${project}/deployments`, { body })).status).toBe(201);
    await call('DELETE', `${api.path}/${ids[0]}`);
    await api.reindex();
    const found = async (query: string) =>
      (await call('GET', `${project}/knowledge/search?q=${query}`)).data.items as Json[];
    // Loaded into memory: this one is the eleventh, and so the first of the second block.
    expect(await found('number11')).toHaveLength(1);
    expect(await found('number10')).toHaveLength(1);
    await api.create({ content: 'another word' });
    await api.reindex();
    const { data: job } = await call('DELETE', `${api.path}/${ids[0]}?expunge=true`);
    await api.workOff(api.projectId, job.id as string);
    expect(await found('number10&environment=production')).toMatchObject([{ documentId: ids[10] }]);
  });

  test('searches again if the texts are removed while it reads them', { tags: ['long'] }, async () => {
    let search = (): Promise<void> => Promise.resolve();
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        const { input } = command;
        if (command.constructor.name !== 'BatchGetCommand' || !JSON.stringify(input).includes('block-'))
          return;
        const act = search;
        search = () => Promise.resolve();
        return act().then(proceed);
      }),
    }));
    const { call, project } = api;
    await api.create({ content: 'a drum' });
    const gone = await api.create({ content: 'a flute' });
    await api.reindex();
    search = async () => {
      const { data: job } = await call('DELETE', `${api.path}/${gone.id}?expunge=true`);
      await api.workOff(api.projectId, job.id as string);
    };
    const { data } = await call('GET', `${project}/knowledge/search?q=drum`);
    expect(data.items).toHaveLength(1);
  });
});

test('the externalId of an expunged document can be used again, and the new document is found', {
  tags: ['long'],
}, async () => {
  const api = await openDeployed();
  const { data: job } = await api.expunge(api.gone.id);
  const renewed = await api.put('gone', { content: 'a drum and a trumpet' });
  expect(renewed.status).toBe(201);
  await api.workOff(api.projectId, job.id as string);
  await api.reindex();
  const { data } = await api.call('GET', `${api.project}/knowledge/search?q=trumpet`);
  expect(data.items).toMatchObject([{ documentId: (renewed.data.document as Json).id }]);
  expect((await api.jobOf(job.id)).status).toBe('succeeded');
});

test('a rollback to a deployment whose version was replaced serves the replacement', {
  tags: ['long'],
}, async () => {
  const api = await openDeployed();
  await api.deploy('production');
  const { data } = await api.expunge(api.gone.id);
  await api.workOff(api.projectId, data.id as string);
  const body = { environment: 'production' };
  expect((await api.call('POST', `${api.project}/rollback`, { body })).data.current).toBe(api.first.id);
  await expectGone(api);
});

test('an expunge that takes longer than an hour continues', { tags: ['long'] }, async () => {
  const api = await openDeployed();
  const { data } = await api.expunge(api.gone.id);
  expect(Date.parse(data.deadlineAt as string) - Date.parse(data.createdAt as string)).toBe(dayMs);
});

test('when the job of an expunge has ended, no event and no delivery shows the document', async () => {
  const api = await openKnowledge(toLoopback);
  const receiver = await openReceiver();
  receiver.respond((_, response) => response.end(`I have read of the ${secret}`));
  const feed = await follow(api, [eventWriter, webhookSender]);
  try {
    const body = { url: receiver.url, eventTypes: ['document.*'] };
    await api.call('POST', '/webhooks', { body });
    const { id } = await api.create({ title: `the ${secret}` });
    await api.call('PATCH', `${api.path}/${id}`, { body: { title: `another ${secret}` } });
    await feed.settled();
    const stored = async () =>
      JSON.stringify([await storedOf(api, 'events'), await storedOf(api, 'deliveries')]);
    expect((await stored()).split(secret).length).toBeGreaterThan(4);
    // What it answers to the event of the deletion is stored later than what the job removes.
    receiver.respond((_, response) => response.end('I forget it'));
    const { data } = await api.call('DELETE', `${api.path}/${id}?expunge=true`);
    await api.workOff(api.projectId, `${data.id}`);
    expect((await api.call('GET', `${api.project}/jobs/${data.id}`)).data.status).toBe('succeeded');
    expect(await stored()).not.toContain(secret);
  } finally {
    await feed.stop();
    await receiver.close();
  }
});
