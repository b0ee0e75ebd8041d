import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

const whole = {
  name: 'Ada',
  persona: { prompt: 'You are Ada.', greeting: 'Hello', language: 'en-GB' },
  voice: { provider: 'elevenlabs', voiceId: 'v' },
  imageUrl: 'https://cdn.example.com/ada.png',
  knowledgeTags: ['orders'],
  metadata: { a: '1', b: '2' },
};

async function openNamed() {
  const api = await openProject();
  return {
    ...api,
    put: (externalId: string, body: Json = whole, ifMatch?: string) =>
      api.send('PUT', `/avatars/by-external-id/${encodeURIComponent(externalId)}`, body, {
        ...(ifMatch && { headers: { 'If-Match': ifMatch } }),
      }),
    named: async (externalId: string, filters = '') =>
      (await api.send('GET', `/avatars?externalId=${encodeURIComponent(externalId)}${filters}`)).data
        .items as Json[],
    versionsOf: async ({ id }: Json) =>
      ((await api.send('GET', `/avatars/${id}/versions`)).data.items as Json[]).map(({ version }) => version),
  };
}

const avatarOf = ({ data }: { data: Json }) => data.avatar as Json;

describe('avatars.put', () => {
  responds(201, 'with a new avatar of that externalId, in version 1', async () => {
    const { send, put, named } = await openNamed();
    const response = await put('ada/1');
    expect(response.data).toMatchObject({
      outcome: 'created',
      avatar: { ...whole, externalId: 'ada/1', status: 'active', version: 1 },
    });
    expect(response.headers.ETag).toBe('"1"');
    const { avatar } = response.data;
    expect((await send('GET', `/avatars/${avatarOf(response).id}`)).data).toEqual(avatar);
    expect(await named('ada/1')).toEqual([avatar]);
    return response;
  });

  responds(200, 'with a new version; an archived avatar stays archived', async () => {
    const { send, put, advance, versionsOf } = await openNamed();
    const { id } = avatarOf(await put('x'));
    const { data: archived } = await send('PATCH', `/avatars/${id}`, { status: 'archived' });
    advance(1000);
    const response = await put('x', { name: 'Eve', persona: { prompt: 'p' } });
    const avatar = {
      ...archived,
      name: 'Eve',
      persona: { prompt: 'p', greeting: null, language: 'en' },
      voice: null,
      imageUrl: null,
      knowledgeTags: [],
      metadata: {},
      version: 3,
      updatedAt: avatarOf(response).updatedAt,
    };
    expect(response.data).toEqual({ outcome: 'updated', avatar });
    expect(response.headers.ETag).toBe('"3"');
    expect((await send('GET', `/avatars/${id}`)).data).toEqual(avatar);
    expect(await versionsOf(avatar)).toEqual([3, 2, 1]);
    return response;
  });

  responds(200, 'unchanged, and writes nothing', async () => {
    const { put, advance, requestLines, versionsOf } = await openNamed();
    const before = avatarOf(await put('x'));
    advance(1000);
    const persona = { ...whole.persona, language: 'EN-gb' };
    const response = await put('x', { ...whole, persona, metadata: { b: '2', a: '1' } });
    expect(response.data).toEqual({ outcome: 'unchanged', avatar: before });
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    expect(await versionsOf(before)).toEqual([1]);
    return response;
  });

  refuses('version_mismatch', 'another version than the If-Match, or no avatar', async () => {
    const { put, named } = await openNamed();
    expect((await put('x', whole, '*')).error.code).toBe('version_mismatch');
    expect(await named('x')).toEqual([]);
    await put('x');
    expect((await put('x', { ...whole, name: 'Eve' }, '"1"')).data.outcome).toBe('updated');
    return put('x', { ...whole, name: 'Bob' }, '"1"');
  });

  const race = (count: number, bodyOf: (number: number) => Json) => async () => {
    const { send, put, versionsOf } = await openNamed();
    const all = await Promise.all(Array.from({ length: count }, (_, number) => put('x', bodyOf(number))));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(count - 1);
    const { items } = (await send('GET', '/avatars')).data;
    expect(items).toHaveLength(1);
    const [avatar] = items as Json[];
    const changes = all.filter(({ data }) => data.outcome !== 'unchanged');
    expect(avatar?.version).toBe(changes.length);
    expect(await versionsOf(avatar ?? {})).toContain(changes.length);
  };
  const renamed = (number: number) => ({ ...whole, name: `${number}` });
  test(
    'ten at once, the same, make one avatar',
    race(10, () => whole),
  );
  test('ten at once, of contents of their own, make one avatar', race(10, renamed));
  test('fifty at once, of contents of their own, make one avatar', { tags: ['nightly'] }, race(50, renamed));

  test('a deleted avatar leaves its externalId free', async () => {
    const { send, put, named } = await openNamed();
    const { id } = avatarOf(await put('x'));
    expect((await send('DELETE', `/avatars/${id}`)).status).toBe(200);
    expect(await named('x')).toEqual([]);
    const response = await put('x');
    expect([response.status, avatarOf(response).id === id]).toEqual([201, false]);
  });

  test('the same externalId is free in another project', async () => {
    const { call, put, createProject } = await openNamed();
    await put('x');
    const path = `/projects/${await createProject()}/avatars/by-external-id/x`;
    expect((await call('PUT', path, { body: whole })).status).toBe(201);
  });

  test('the list by externalId respects the other filters', async () => {
    const { put, named } = await openNamed();
    const avatar = avatarOf(await put('x'));
    expect(await named('x', '&status=active&namePrefix=a&createdFrom=2020-01-01T00:00:00Z')).toEqual([
      avatar,
    ]);
    for (const other of ['status=archived', 'namePrefix=b', 'createdBefore=2020-01-01T00:00:00Z']) {
      expect(await named('x', `&${other}`), other).toEqual([]);
    }
  });

  test.each([
    ['no persona', { name: 'a' }, 'persona'],
    ['another externalId in the body', { ...whole, externalId: 'y' }, 'externalId'],
    ['a status', { ...whole, status: 'archived' }, 'status'],
  ])('400 validation_error: %s', async (_, body, path) => {
    const { put } = await openNamed();
    expect((await put('x', body)).error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
