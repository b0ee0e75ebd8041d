import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { allScopes } from '../../../lib/base/scopes.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const whole = {
  name: 'Support',
  description: 'Orders',
  metadata: { a: '1', b: '2' },
  settings: { conversationTimeoutMinutes: 5, retentionDays: 30 },
};

async function openNamed() {
  const api = await openApi();
  return {
    ...api,
    put: (externalId: string, body: Json = whole, key?: string) =>
      api.call('PUT', `/projects/by-external-id/${encodeURIComponent(externalId)}`, {
        body,
        ...(key && { key }),
      }),
    named: async (externalId: string) =>
      (await api.call('GET', `/projects?externalId=${encodeURIComponent(externalId)}`)).data.items as Json[],
    pointers: async () =>
      (await storedOf(api, 'projects')).filter(({ tenant }) => `${tenant}`.endsWith('#external')),
  };
}

const projectOf = ({ data }: { data: Json }) => data.project as Json;

describe('projects.put', () => {
  responds(201, 'with a new project of that externalId', async () => {
    const { call, put, named } = await openNamed();
    const response = await put('site/1');
    expect(response.data).toMatchObject({
      outcome: 'created',
      project: { ...whole, externalId: 'site/1', status: 'active' },
    });
    const { project } = response.data;
    expect((await call('GET', `/projects/${projectOf(response).id}`)).data).toEqual(project);
    expect(await named('site/1')).toEqual([project]);
    return response;
  });

  responds(200, 'with the project replaced as a whole; an archived one stays archived', async () => {
    const { call, put, advance } = await openNamed();
    const { id } = projectOf(await put('x'));
    const body = { status: 'archived' };
    const { data: archived } = await call('PATCH', `/projects/${id}`, { body });
    advance(1000);
    const response = await put('x', { name: 'new' });
    const project = {
      ...archived,
      name: 'new',
      description: null,
      metadata: {},
      settings: {
        conversationTimeoutMinutes: 30,
        retentionDays: null,
        searchFields: [],
        maxConversationCostUsd: null,
      },
      updatedAt: projectOf(response).updatedAt,
    };
    expect(response.data).toEqual({ outcome: 'updated', project });
    expect(project.updatedAt).not.toBe(archived.updatedAt);
    expect((await call('GET', `/projects/${id}`)).data).toEqual(project);
    return response;
  });

  responds(200, 'unchanged, and writes nothing', async () => {
    const { put, advance, requestLines } = await openNamed();
    const { project } = (await put('x')).data;
    advance(1000);
    const response = await put('x', { ...whole, metadata: { b: '2', a: '1' } });
    expect(response.data).toEqual({ outcome: 'unchanged', project });
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    return response;
  });

  refuses('insufficient_scope', 'a bound credential, unless the project is one of its own', async () => {
    const { put, createKey } = await openNamed();
    const mine = projectOf(await put('mine'));
    await put('other');
    const { secret } = await createKey({ scopes: allScopes, projectIds: [mine.id] });
    expect((await put('mine', { name: 'new' }, secret)).data.outcome).toBe('updated');
    const [existing, missing] = [await put('other', whole, secret), await put('none', whole, secret)];
    expect(existing.error.message).toBe(missing.error.message);
    return existing;
  });

  const race = (count: number, bodyOf: (number: number) => Json) => async () => {
    const { call, put, pointers } = await openNamed();
    const all = await Promise.all(Array.from({ length: count }, (_, number) => put('x', bodyOf(number))));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(count - 1);
    const { items } = (await call('GET', '/projects')).data;
    expect(items).toHaveLength(1);
    const [project] = items as Json[];
    expect(all.map((response) => projectOf(response).name)).toContain(project?.name);
    expect(await pointers()).toMatchObject([{ resourceId: project?.id }]);
  };
  const renamed = (number: number) => ({ ...whole, name: `${number}` });
  test(
    'ten at once, the same, make one project',
    race(10, () => whole),
  );
  test('ten at once, of contents of their own, make one project', race(10, renamed));
  test('fifty at once, of contents of their own, make one project', { tags: ['nightly'] }, race(50, renamed));

  test('the other mode has externalIds of its own', async () => {
    const { put, named, testModeKey } = await openNamed();
    const live = projectOf(await put('x'));
    const inTestMode = await put('x', whole, await testModeKey());
    expect(inTestMode.status).toBe(201);
    expect(projectOf(inTestMode).id).not.toBe(live.id);
    expect(await named('x')).toEqual([live]);
  });

  test('a deleted project leaves its externalId free, and gets it back when it is restored', async () => {
    const { call, put, named, pointers } = await openNamed();
    const first = projectOf(await put('x'));
    await call('DELETE', `/projects/${first.id}`);
    expect([await named('x'), await pointers()]).toEqual([[], []]);
    const second = projectOf(await put('x'));
    expect(second.id).not.toBe(first.id);
    const refused = await call('POST', `/projects/${first.id}/restore`);
    expect(refused.error.code).toBe('external_id_taken');
    await call('PATCH', `/projects/${second.id}`, { body: { externalId: null } });
    expect((await call('POST', `/projects/${first.id}/restore`)).data.externalId).toBe('x');
    expect((await put('x')).data).toMatchObject({ outcome: 'unchanged', project: { id: first.id } });
  });

  test('a restore and a PUT at once leave one project with the externalId', async () => {
    const { call, put, named } = await openNamed();
    const { id } = projectOf(await put('x'));
    await call('DELETE', `/projects/${id}`);
    const [restored, created] = await Promise.all([
      call('POST', `/projects/${id}/restore`),
      put('x', { name: 'new' }),
    ]);
    expect(restored.error?.code ?? created.data.outcome).toBe(
      restored.status === 200 ? 'updated' : 'external_id_taken',
    );
    expect(await named('x')).toHaveLength(1);
  });

  test('a pointer that leads nowhere is replaced', async () => {
    const { call, put, pointers, runtime } = await openNamed();
    const { id } = projectOf(await put('x'));
    const [pointer] = await pointers();
    await call('DELETE', `/projects/${id}`);
    const TableName = runtime.tableNames.projects;
    await runtime.client.send(new PutCommand({ TableName, Item: pointer }));
    expect((await put('x')).status).toBe(201);
    expect((await put('x')).data.outcome).toBe('unchanged');
  });

  test.each([
    ['no name', {}, 'name'],
    ['another externalId in the body', { ...whole, externalId: 'y' }, 'externalId'],
    ['a status', { ...whole, status: 'archived' }, 'status'],
  ])('400 validation_error: %s', async (_, body, path) => {
    const { put } = await openNamed();
    expect((await put('x', body)).error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
