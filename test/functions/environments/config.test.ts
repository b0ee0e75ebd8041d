import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lib/base/json.ts';
import type { Json } from '../../../samples/api.ts';
import { avatarBody } from '../../../samples/samples.ts';
import { deploy, openProject } from '../../support/avatars.ts';
import { publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('environments.config', () => {
  responds(200, 'with what was frozen, and the hash as its entity tag', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await publishIndex(api, api.projectId, 'idx_1');
    const { id: deploymentId, configHash } = await deploy(api);
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' });
    const response = await api.send('GET', '/environments/production/config');
    expect(response.data).toEqual({
      environment: 'production',
      deploymentId,
      configHash,
      knowledgeIndexVersion: 'idx_1',
      avatars: [
        {
          id,
          version: 1,
          name: 'Ada',
          persona: { ...avatarBody.persona, greeting: null },
          voice: null,
          imageUrl: null,
          knowledgeTags: [],
          metadata: {},
        },
      ],
    });
    expect(response.headers.ETag).toBe(`"${configHash}"`);
    return response;
  });

  responds(304, 'without a body while the caller has the current version', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await deploy(api);
    const path = `/projects/${api.projectId}/environments/production/config`;
    const poll = (tag: string) => api.call('GET', path, { headers: { 'If-None-Match': tag } });
    const { headers } = await api.call('GET', path);
    const tag = headers.ETag as string;
    const response = await poll(tag);
    expect([response.status, response.text, response.headers.ETag]).toEqual([304, '', tag]);
    expect(response.headers['Content-Type']).toBeUndefined();
    expect(response.headers['X-Request-Id']).toBeDefined();
    for (const same of [`W/${tag}`, `"other", ${tag}`, '*']) expect((await poll(same)).status).toBe(304);
    for (const other of ['"other"', 'invalid', '']) expect((await poll(other)).status).toBe(200);
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eva' });
    expect((await poll(tag)).status).toBe(304);
    await deploy(api);
    expect((await poll(tag)).status).toBe(200);
    return response;
  });

  refuses('not_found', 'a name that nobody deployed to', async () => {
    const { send } = await openProject();
    return send('GET', '/environments/production/config');
  });

  refuses('not_found', 'an environment where nothing was promoted yet', async () => {
    const api = await openProject();
    await deploy(api, { promote: false });
    return api.send('GET', '/environments/production/config');
  });

  test('whoever reads it can work the hash out', async () => {
    const api = await openProject();
    await api.createAvatar({ voice: { provider: 'p', voiceId: 'v' }, metadata: { b: '1', a: 'é' } });
    await api.createAvatar({ knowledgeTags: ['x'], runtime: { b: [0.1], a: null } });
    await deploy(api);
    const { data } = await api.send('GET', '/environments/production/config');
    const { knowledgeIndexVersion } = data;
    const contents = (data.avatars as Json[]).map(({ id, version: _, ...content }) => [id, content]);
    const text = canonicalJson({ avatars: Object.fromEntries(contents), knowledgeIndexVersion });
    expect(data.configHash).toBe(hash('sha256', text));
  });
});
