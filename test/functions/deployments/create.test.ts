import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { avatarBody, deploymentBody } from '../../../samples/samples.ts';
import { deploy, idsOf, openProject, pointerOf } from '../../support/avatars.ts';
import { openRetiring } from '../../support/environments.ts';
import { extractAs, sendFile } from '../../support/extractions.ts';
import { openKnowledge, publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openRollouts } from '../../support/started-rollouts.ts';

const git = { sha: '0123ABCDEF', ref: 'refs/heads/main' };

describe('deployments.create', () => {
  responds(201, 'with the versions of all active avatars, current in its environment', async () => {
    const api = await openProject();
    const { send, createAvatar, projectId } = api;
    const ada = await createAvatar();
    const eve = await createAvatar({ name: 'Eve' });
    const archived = await createAvatar();
    await send('PATCH', `/avatars/${archived.id}`, { status: 'archived' });
    await send('PATCH', `/avatars/${eve.id}`, { name: 'Eva' });
    await publishIndex(api, projectId, 'idx_7');
    const response = await send('POST', '/deployments', { environment: 'eu-1', git, reason: 'why' });
    const { id, configHash, createdAt, createdBy, heldBack, heldBackReason, warnings, ...rest } =
      response.data;
    expect(rest).toEqual({
      environment: 'eu-1',
      git: { sha: '0123abcdef', ref: 'refs/heads/main' },
      reason: 'why',
      phase: 'current',
      avatars: [
        { avatarId: ada.id, version: 1 },
        { avatarId: eve.id, version: 2 },
      ],
      knowledgeIndexVersion: 'idx_7',
      promotedFrom: null,
      promotedAt: createdAt,
    });
    expect(id).toMatch(/^dep_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(configHash).toMatch(/^[0-9a-f]{64}$/);
    expect(createdBy).toBe(ada.createdBy);
    expect([heldBack, heldBackReason, warnings]).toEqual([false, null, []]);
    expect((await send('GET', `/deployments/${id}`)).data).toEqual({
      id,
      configHash,
      createdAt,
      createdBy,
      ...rest,
    });
    return response;
  });

  responds(201, 'and stays staged, and says so, while a rollout runs', async () => {
    const api = await openRollouts();
    await api.started();
    const response = await api.send('POST', '/deployments', deploymentBody);
    expect(response.data).toMatchObject({
      phase: 'staged',
      promotedAt: null,
      heldBack: true,
      heldBackReason: 'rollout',
    });
    expect(await deploy(api, { promote: false })).toMatchObject({ heldBack: false, heldBackReason: null });
    expect((await deploy(api, { environment: 'staging' })).phase).toBe('current');
    expect((await pointerOf(api)).current).toBe(api.current.id);
    expect((await api.read()).version).toBe(1);
    await api.move('abort');
    expect(await deploy(api)).toMatchObject({ phase: 'current', heldBack: false, heldBackReason: null });
    return response;
  });

  responds(
    201,
    'and the rollout is the reason where a rollback has pinned the environment, too',
    async () => {
      const api = await openRollouts();
      await api.send('POST', '/rollback', { environment: 'production', deploymentId: api.current.id });
      await api.started();
      const response = await api.send('POST', '/deployments', deploymentBody);
      expect(response.data).toMatchObject({ heldBack: true, heldBackReason: 'rollout' });
      await api.move('abort');
      expect(await deploy(api)).toMatchObject({ heldBack: true, heldBackReason: 'rollback' });
      return response;
    },
  );

  responds(200, 'while a rollout runs, where nothing differs from the current deployment', async () => {
    const api = await openRollouts();
    await api.started();
    const body = { ...deploymentBody, ifChanged: true };
    // The project is what the candidate has frozen.
    expect(await deploy(api, body)).toMatchObject({ phase: 'staged', heldBackReason: 'rollout' });
    await api.send('PATCH', `/avatars/${api.avatarId}`, { name: 'Ada' });
    const response = await api.send('POST', '/deployments', body);
    expect(response.data).toMatchObject({ id: api.current.id, heldBack: false, heldBackReason: null });
    return response;
  });

  responds(201, 'of a project that has nothing yet', async () => {
    const { send } = await openProject();
    const response = await send('POST', '/deployments', deploymentBody);
    expect(response.data).toMatchObject({ avatars: [], knowledgeIndexVersion: null, reason: null });
    return response;
  });

  responds(201, 'and stays staged where it is not to be promoted', async () => {
    const api = await openProject();
    const response = await api.send('POST', '/deployments', { ...deploymentBody, promote: false });
    expect(response.data).toMatchObject({ phase: 'staged', promotedAt: null, heldBack: false });
    expect(await pointerOf(api)).toEqual({ current: null, previous: null, pinned: false });
    return response;
  });

  responds(201, 'and stays staged, and says so, where a rollback has pinned the environment', async () => {
    const api = await openProject();
    const first = await deploy(api);
    await deploy(api);
    await api.send('POST', '/rollback', { environment: 'production' });
    const response = await api.send('POST', '/deployments', deploymentBody);
    expect(response.data).toMatchObject({ phase: 'staged', heldBack: true, heldBackReason: 'rollback' });
    expect(await deploy(api, { promote: false })).toMatchObject({ heldBack: false, heldBackReason: null });
    expect((await deploy(api, { environment: 'staging' })).phase).toBe('current');
    expect(await pointerOf(api)).toEqual({ current: first.id, previous: null, pinned: true });
    await api.send('POST', `/deployments/${response.data.id}/promote`);
    expect((await deploy(api)).phase).toBe('current');
    return response;
  });

  refuses('index_retired', 'the index of a deleted environment, which cannot be deployed again', async () => {
    const { call, project, tested } = await openRetiring();
    const body = { environment: 'prod', from: { deploymentId: tested.id } };
    return call('POST', `${project}/deployments`, { body });
  });

  refuses(
    'too_many_avatars',
    '101 active ones; 100 are deployed, whatever is archived',
    async () => {
      const api = await openProject();
      const ids: string[] = [];
      for (let batch = 0; batch < 10; batch += 1) {
        const made = await Promise.all(Array.from({ length: 11 }, () => api.createAvatar()));
        ids.push(...made.map(({ id }) => id));
      }
      for (const id of ids.slice(0, 10)) await api.send('PATCH', `/avatars/${id}`, { status: 'archived' });
      const { avatars } = await deploy(api);
      expect((avatars as Json[]).map(({ avatarId }) => avatarId)).toEqual(ids.slice(10).sort());
      expect((await api.send('GET', '/environments/production/config')).data.avatars).toHaveLength(100);
      await api.createAvatar();
      return api.send('POST', '/deployments', deploymentBody);
    },
    { tags: ['long'] },
  );

  refuses('deployment_too_large', 'more than a runtime could read at once, as Lambda counts it', async () => {
    const api = await openProject();
    const created = await api.createAvatar();
    // A quotation mark is one byte, two in our JSON, and four in the response of the function.
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`k${index}`, '"'.repeat(500)]),
    );
    const made = await Promise.all(Array.from({ length: 42 }, () => api.createAvatar({ metadata })));
    const refused = await api.send('POST', '/deployments', deploymentBody);
    await Promise.all(made.slice(0, 2).map(({ id }) => api.send('DELETE', `/avatars/${id}`)));
    expect(((await deploy(api)).avatars as Json[]).map(({ avatarId }) => avatarId)).toContain(created.id);
    const { text } = await api.send('GET', '/environments/production/config');
    const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body: text }));
    expect(bytes).toBeGreaterThan(4e6);
    expect(bytes).toBeLessThan(4.5e6);
    return refused;
  });

  test('the refusal names the five largest avatars, and the largest configuration is served', async () => {
    const api = await openProject();
    const persona = { prompt: '"'.repeat(32_000) };
    const large = (index: number) => ({
      name: `Large ${index}`,
      persona,
      runtime: { text: '"'.repeat(8000 + index * 1000) },
    });
    const made = await Promise.all(Array.from({ length: 24 }, (_, index) => api.createAvatar(large(index))));
    const { status, error } = await api.send('POST', '/deployments', deploymentBody);
    expect([status, error.code]).toEqual([409, 'deployment_too_large']);
    const largest = made.toReversed().slice(0, 5);
    expect(error.details?.map(({ path }) => path)).toEqual(largest.map(({ id }) => id));
    expect(error.details?.map(({ message }) => message.replace(/\d+ KB/, 'n KB'))).toEqual(
      largest.map(({ name }) => `${name}: n KB`),
    );
    expect(error.message).toContain('Large 23');
    // The others fit: the configuration has almost 4 MB.
    await Promise.all(largest.map(({ id }) => api.send('DELETE', `/avatars/${id}`)));
    const { id } = await deploy(api);
    const config = await api.send('GET', '/environments/production/config');
    expect(config.data.avatars).toHaveLength(19);
    expect(
      Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body: config.text })),
    ).toBeGreaterThan(3e6);
    expect((await api.send('GET', `/deployments/${id}/changes?limit=100`)).data.items).toHaveLength(19);
  });

  responds(201, 'without a commit, where there is none', async () => {
    const api = await openProject();
    const response = await api.send('POST', '/deployments', { environment: 'production' });
    expect(response.data).toMatchObject({ git: null, phase: 'current' });
    expect((await api.send('POST', '/deployments', { ...deploymentBody, git: null })).data.git).toBeNull();
    const { data } = await api.send('GET', '/deployments');
    expect((data.items as Json[]).map(({ git }) => git)).toEqual([null, null]);
    expect((await api.send('GET', '/deployments?sha=6d')).data.items).toEqual([]);
    return response;
  });

  responds(200, 'with the current deployment where nothing has changed since', async () => {
    const api = await openProject();
    const { send } = api;
    const { id } = await api.createAvatar();
    const body = { environment: 'production', ifChanged: true };
    const first = await send('POST', '/deployments', body);
    expect([first.status, first.data.phase]).toEqual([201, 'current']);
    const same = await send('POST', '/deployments', body);
    expect([same.status, same.data]).toEqual([200, first.data]);

    // Another environment has nothing yet.
    expect((await send('POST', '/deployments', { ...body, environment: 'staging' })).status).toBe(201);
    await send('PATCH', `/avatars/${id}`, { name: 'Eva' });
    const second = await send('POST', '/deployments', body);
    expect([second.status, second.data.id === first.data.id]).toEqual([201, false]);
    await publishIndex(api, api.projectId, 'idx_8');
    const third = await send('POST', '/deployments', body);
    expect([third.status, third.data.knowledgeIndexVersion]).toEqual([201, 'idx_8']);
    expect((await send('POST', '/deployments', body)).status).toBe(200);
    // Without it, everything is deployed.
    expect((await send('POST', '/deployments', { environment: 'production' })).status).toBe(201);
    // What a rollback has pinned is what is current.
    await send('POST', '/rollback', { environment: 'production', deploymentId: first.data.id });
    expect((await send('POST', '/deployments', body)).data).toMatchObject({
      phase: 'staged',
      heldBack: true,
      heldBackReason: 'rollback',
    });
    await send('PATCH', `/avatars/${id}`, { name: 'Ada' });
    return same;
  });

  responds(201, 'and warns of documents that the index does not include', async () => {
    const api = await openKnowledge();
    const deployed = async () => {
      const path = `${api.project}/deployments`;
      const response = await api.call('POST', path, { body: deploymentBody });
      expect(response.status).toBe(201);
      return response;
    };
    await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
    expect((await deployed()).data.warnings).toEqual([]);
    const one = await api.create({ content: 'one', title: 'One', externalId: 'one.md' });
    const empty = await api.create({ content: '<p></p>', mimeType: 'text/html', title: 'Scan' });
    const notIndexed = {
      code: 'not_indexed',
      message: 'It was added or changed after the last re-index.',
    };
    expect((await deployed()).data.warnings).toEqual([
      {
        code: 'documents_pending',
        message:
          '2 documents are pending, so the index does not include the latest changes: One (not_indexed), ' +
          'Scan (not_indexed). Re-index, wait for the job, and deploy again.',
        count: 2,
        documents: [
          { documentId: one.id, title: 'One', externalId: 'one.md', ...notIndexed },
          { documentId: empty.id, title: 'Scan', externalId: null, ...notIndexed },
        ],
      },
    ]);
    await api.reindex();
    const noText = { code: 'no_text', message: 'The document contains no text.' };
    expect((await deployed()).data.warnings).toEqual([
      {
        code: 'documents_failed',
        message:
          '1 document has failed, so the index does not include its text: Scan (no_text). Send each document again ' +
          'with a text that can be read, delete it, or ignore it.',
        count: 1,
        documents: [{ documentId: empty.id, title: 'Scan', externalId: null, ...noText }],
      },
    ]);
    await api.create({ content: 'two' });
    const response = await deployed();
    expect(response.data.warnings).toMatchObject([
      { code: 'documents_pending', count: 1 },
      { code: 'documents_failed', count: 1 },
    ]);
    const body = { environment: 'production', ifChanged: true };
    const { status, data } = await api.call('POST', `${api.project}/deployments`, { body });
    expect([status, data.warnings]).toEqual([200, response.data.warnings]);
    return response;
  });

  responds(201, 'and warns of avatars whose knowledge tags no document has', async () => {
    const api = await openKnowledge();
    const avatar = async (name: string, knowledgeTags: string[]) => {
      const body = { ...avatarBody, name, knowledgeTags };
      expect((await api.call('POST', `${api.project}/avatars`, { body })).status).toBe(201);
    };
    const deployed = async (more: Json = {}) =>
      api.call('POST', `${api.project}/deployments`, { body: { ...deploymentBody, ...more } });
    await api.put('a.md', { tags: ['shop'] });
    await avatar('Clara', ['shop', 'returns']);
    await avatar('Untagged', []);
    await api.reindex();
    expect((await deployed({ strict: true })).data.warnings).toEqual([]);

    // A synchronisation without the tag removes it.
    await api.put('a.md', {});
    await api.reindex();
    const response = await deployed();
    const message =
      'No document has a knowledge tag of Clara (shop, returns): a search by these tags finds nothing. Add a tag to the ' +
      'documents, or change the knowledge tags of the avatar.';
    expect(response.data.warnings).toEqual([
      { code: 'knowledge_tags_unmatched', message, count: 1, documents: [] },
    ]);
    const before = await api.call('GET', `${api.project}/deployments`);
    const body = { ...deploymentBody, strict: true };
    const strict = await api.call('POST', `${api.project}/deployments`, { body, idempotencyKey: 'once' });
    expect([strict.status, strict.error]).toMatchObject([409, { code: 'deployment_has_warnings', message }]);
    expect(await deployed({ strict: true, ifChanged: true })).toMatchObject({ status: 409 });
    expect((await api.call('GET', `${api.project}/deployments`)).data).toEqual(before.data);
    // The key was not used up: the same request works when the reason is gone.
    await api.put('a.md', { tags: ['returns'] });
    await api.reindex();
    const again = await api.call('POST', `${api.project}/deployments`, { body, idempotencyKey: 'once' });
    expect([again.status, again.data.warnings]).toEqual([201, []]);
    return response;
  });

  responds(201, 'and warns if there is nothing to deploy: no active avatar and no index', async () => {
    const api = await openProject();
    const warnings = async () => (await api.send('POST', '/deployments', deploymentBody)).data.warnings;
    const response = await api.send('POST', '/deployments', deploymentBody);
    expect(response.data.warnings).toEqual([
      {
        code: 'nothing_to_deploy',
        message: expect.stringContaining('nothing to deploy'),
        count: 0,
        documents: [],
      },
    ]);
    const { id } = await api.createAvatar();
    expect(await warnings()).toEqual([]);
    await api.send('PATCH', `/avatars/${id}`, { status: 'archived' });
    expect(await warnings()).toMatchObject([{ code: 'nothing_to_deploy' }]);
    await publishIndex(api, api.projectId, 'idx_7');
    expect(await warnings()).toEqual([]);
    return response;
  });

  refuses('deployment_has_warnings', 'for a strict deployment of an empty project', async () => {
    const { send } = await openProject();
    const response = await send('POST', '/deployments', { ...deploymentBody, strict: true });
    expect(response.error.message).toContain('There is nothing to deploy');
    expect((await send('GET', '/environments')).data.items).toEqual([]);
    return response;
  });

  refuses(
    'deployment_has_warnings',
    'for a strict deployment that lacks documents, which it names',
    async () => {
      const api = await openKnowledge();
      const { id } = await api.create({ title: 'One' });
      const body = { ...deploymentBody, strict: true };
      const response = await api.call('POST', `${api.project}/deployments`, { body });
      const message = 'One: It was added or changed after the last re-index. (not_indexed)';
      expect(response.error.details).toEqual([{ path: id, message }]);
      return response;
    },
  );

  test('a warning names the first five documents, and no title without knowledge:read', async () => {
    const api = await openKnowledge();
    await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
    const ids: unknown[] = [];
    for (let n = 1; n <= 7; n += 1) ids.push((await api.create({ title: `Secret ${n}` })).id);
    const body = { ...deploymentBody, strict: true };
    const refused = (options: Json = {}) =>
      api.call('POST', `${api.project}/deployments`, { body, ...options });
    const { error } = await refused();
    expect(error.details?.map(({ path }) => path)).toEqual(ids.slice(0, 5));
    expect(error.message).toContain('Secret 5 (not_indexed), 2 more.');
    const key = await api.createKey({ scopes: ['deploy:write'] });
    const blind = await refused({ key: key.secret });
    expect(blind.error.details?.map(({ path }) => path)).toEqual(ids.slice(0, 5));
    expect([blind.status, blind.text.includes('Secret')]).toEqual([409, false]);
    const made = await api.call('POST', `${api.project}/deployments`, {
      body: deploymentBody,
      key: key.secret,
    });
    expect(made.data.warnings).toMatchObject([{ count: 7, documents: Array(5).fill({ title: null }) }]);
    expect(made.text).not.toContain('Secret');
  });

  test('documents that were read in part are a warning, which only strictNotes makes an error', async () => {
    const api = await openKnowledge();
    await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
    for (let number = 1; number <= 6; number += 1) {
      const { id } = await sendFile(api, Buffer.from('text'), `${number}`, { title: `Scan ${number}` });
      const notes = [{ code: 'pages_without_text', count: 2, pages: [3, 7] }] as const;
      await extractAs(api, id, () => ({ text: 'text', mimeType: 'text/markdown', notes }));
    }
    expect((await api.reindex()).status).toBe('succeeded');
    const deploy = (body: Json = {}, key?: string) =>
      api.call('POST', `${api.project}/deployments`, {
        body: { ...deploymentBody, ...body },
        ...(key && { key }),
      });
    const { status, data } = await deploy({ strict: true });
    expect(status).toBe(201);
    const [warning, ...others] = data.warnings as Json[];
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'documents_read_in_part', count: 6 });
    expect(warning?.message).toMatch(
      /^6 documents were read in part: Scan 1 \(pages_without_text\), .*Scan 5 \(pages_without_text\), 1 more\./,
    );
    const documents = warning?.documents as Json[];
    expect(documents.map(({ title }) => title)).toEqual([1, 2, 3, 4, 5].map((number) => `Scan ${number}`));
    const message = '2 pages have no text (pages 3, 7).';
    expect(documents[0]).toMatchObject({ code: 'pages_without_text', message });
    const refused = await deploy({ strictNotes: true });
    expect(refused).toMatchObject({ status: 409, error: { code: 'deployment_has_warnings' } });
    expect(refused.error.details?.[0]?.message).toBe(`Scan 1: ${message} (pages_without_text)`);
    const { secret } = await api.createKey({ scopes: ['deploy:write'] });
    const unseen = await deploy({}, secret);
    expect(JSON.stringify(unseen.data.warnings)).not.toContain('Scan');
    for (const { id } of await api.listed())
      await api.call('PATCH', `${api.path}/${id}`, { body: { ignored: true } });
    expect(await deploy({ strictNotes: true })).toMatchObject({ status: 201, data: { warnings: [] } });
  });

  test('an ignored document counts in no warning, and strict passes', async () => {
    const api = await openKnowledge();
    await api.call('POST', `${api.project}/avatars`, { body: { ...avatarBody, knowledgeTags: ['scans'] } });
    const scan = await api.create({ content: '<p></p>', mimeType: 'text/html', tags: ['scans'] });
    await api.create({ content: 'a text', tags: ['scans'] });
    await api.reindex();
    const pending = await api.create({ content: 'new' });
    const body = { ...deploymentBody, strict: true };
    const strict = () => api.call('POST', `${api.project}/deployments`, { body });
    expect(await strict()).toMatchObject({ status: 409 });
    for (const { id } of [scan, pending])
      await api.call('PATCH', `${api.path}/${id}`, { body: { ignored: true } });
    expect(await strict()).toMatchObject({ status: 201, data: { warnings: [] } });
  });

  test.each([
    ['no environment', { git }, ['environment']],
    ['an environment in capitals', { environment: 'Prod', git }, ['environment']],
    ['an environment of 41', { environment: 'x'.repeat(41), git }, ['environment']],
    ['git as text', { environment: 'p', git: 'abcdef0' }, ['git']],
    ['strict as text', { environment: 'p', git, strict: 'true' }, ['strict']],
    ['strictNotes as text', { environment: 'p', git, strictNotes: 'true' }, ['strictNotes']],
    ['ifChanged as text', { environment: 'p', ifChanged: 'true' }, ['ifChanged']],
    ['a sha of 6', { environment: 'p', git: { sha: 'abcdef', ref: 'main' } }, ['git.sha']],
    ['a sha of 65', { environment: 'p', git: { sha: 'a'.repeat(65), ref: 'main' } }, ['git.sha']],
    ['a sha that is none', { environment: 'p', git: { sha: 'feature', ref: 'main' } }, ['git.sha']],
    ['no ref', { environment: 'p', git: { sha: 'abcdef0' } }, ['git.ref']],
    ['promote as text', { environment: 'p', git, promote: 'true' }, ['promote']],
    ['a phase', { environment: 'p', git, phase: 'current' }, ['phase']],
  ])('400 validation_error: %s', async (_, body, paths) => {
    const { send } = await openProject();
    const { error } = await send('POST', '/deployments', body);
    expect(error.details?.map(({ path }) => path)).toEqual(paths);
  });
});

describe('the hash of a configuration', () => {
  test('is of its content alone', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar({ metadata: { a: '1', b: '2' } });
    const { configHash: first } = await deploy(api);
    expect((await deploy(api, { environment: 'staging', reason: 'again' })).configHash).toBe(first);
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' });
    const { configHash: second } = await deploy(api);
    expect(second).not.toBe(first);
    // Back in another version, and its pairs in another order.
    await api.send('PATCH', `/avatars/${id}`, { name: 'Ada', metadata: { b: '2', a: '1' } });
    expect((await deploy(api)).configHash).toBe(first);
    await publishIndex(api, api.projectId, 'idx_1');
    expect((await deploy(api)).configHash).not.toBe(first);
  });
});

describe('while something else changes', () => {
  test('an avatar that is deployed and deleted at once is either not in it, or not deleted', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < 8; round += 1) {
      const api = await openProject();
      const { id } = await api.createAvatar();
      const [deployed, deleted] = await Promise.all([deploy(api), api.send('DELETE', `/avatars/${id}`)]);
      const isIn = (deployed.avatars as Json[]).length === 1;
      expect(deleted.status, deleted.text).toBe(isIn ? 409 : 200);
      if (isIn) expect(deleted.error.code).toBe('avatar_in_use');
      const config = await api.send('GET', '/environments/production/config');
      expect(config.data.avatars).toHaveLength(isIn ? 1 : 0);
    }
  });

  test('the avatars of a deployment were together at one moment', { tags: ['long'] }, async () => {
    const api = await openProject();
    const pair = [await api.createAvatar(), await api.createAvatar()];
    // One after the other: the first is never behind the second, nor more than one ahead.
    let isDone = false;
    let begunMs = performance.now();
    const writer = async () => {
      for (let n = 1; !isDone; n += 1) {
        for (const { id } of pair) await api.send('PATCH', `/avatars/${id}`, { metadata: { n: `${n}` } });
        // On a busy machine, a deployment takes longer than a short pause, and would lose each race.
        const pauseMs = 30 + (performance.now() - begunMs) / 10;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    const writing = writer();
    for (let round = 0; round < 10; round += 1) {
      begunMs = performance.now();
      const { avatars } = await deploy(api);
      const [first = 0, second = 0] = (avatars as { version: number }[]).map(({ version }) => version);
      expect([0, 1]).toContain(first - second);
    }
    isDone = true;
    await writing;
  });

  test('ten deployments at once make one current, and ten that are whole', async () => {
    const api = await openProject();
    await api.createAvatar();
    const made = await Promise.all(Array.from({ length: 10 }, () => deploy(api)));
    const { data } = await api.send('GET', '/deployments?phase=current');
    const { current, previous } = await pointerOf(api);
    expect(idsOf(data)).toEqual([current]);
    expect(made.map(({ id }) => id)).toContain(previous);
    expect(idsOf((await api.send('GET', '/deployments?phase=superseded')).data)).toHaveLength(9);
  });
});
