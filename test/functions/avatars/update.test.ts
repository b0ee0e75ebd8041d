import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

const versionsOf = (data: Json) => (data.items as { version: number }[]).map(({ version }) => version);

describe('avatars.update', () => {
  responds(200, 'with the fields that were sent changed, in a new version', async () => {
    const { createAvatar, send, advance } = await openProject();
    const before = await createAvatar({ metadata: { a: '1' } });
    advance(1000);
    const response = await send('PATCH', `/avatars/${before.id}`, { name: 'Eve', metadata: { b: '2' } });
    const { updatedAt } = response.data;
    expect(response.data).toEqual({ ...before, name: 'Eve', metadata: { b: '2' }, version: 2, updatedAt });
    expect(Date.parse(updatedAt as string)).toBeGreaterThan(Date.parse(before.updatedAt as string));
    expect(response.headers.ETag).toBe('"2"');
    expect((await send('GET', `/avatars/${before.id}`)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'and of the persona the members that were sent', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar({ persona: { prompt: 'p', greeting: 'g', language: 'en-GB' } });
    const response = await send('PATCH', `/avatars/${id}`, { persona: { greeting: null } });
    expect(response.data.persona).toEqual({ prompt: 'p', greeting: null, language: 'en-GB' });
    return response;
  });

  responds(200, 'and the voice as a whole, taken away by null', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar({ voice: { provider: 'a', voiceId: '1' }, imageUrl: 'https://a.b/c' });
    const voice = { provider: 'b', voiceId: '2' };
    expect((await send('PATCH', `/avatars/${id}`, { voice })).data.voice).toEqual(voice);
    const response = await send('PATCH', `/avatars/${id}`, { voice: null, imageUrl: null });
    expect(response.data).toMatchObject({ voice: null, imageUrl: null, version: 3 });
    return response;
  });

  responds(200, 'without a new version where nothing is different', async () => {
    const { createAvatar, send, advance } = await openProject();
    const { id, ...before } = await createAvatar({ persona: { prompt: 'p', language: 'en-GB' } });
    advance(1000);
    const same = { name: before.name, persona: { language: 'EN-gb' }, metadata: {}, status: 'active' };
    const response = await send('PATCH', `/avatars/${id}`, same as Json);
    expect(response.data).toEqual({ id, ...before });
    expect(versionsOf((await send('GET', `/avatars/${id}/versions`)).data)).toEqual([1]);
    return response;
  });

  responds(200, 'to and from archived', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    expect((await send('PATCH', `/avatars/${id}`, { status: 'archived' })).data.status).toBe('archived');
    const response = await send('PATCH', `/avatars/${id}`, { status: 'active', name: 'back' });
    expect(response.data).toMatchObject({ status: 'active', name: 'back', version: 3 });
    return response;
  });

  responds(200, 'where If-Match names the version', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    const headers = { 'If-Match': '"1"' };
    return send('PATCH', `/avatars/${id}`, { name: 'Eve' }, { headers });
  });

  refuses('version_mismatch', 'a version that is gone, also where nothing would change', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    await send('PATCH', `/avatars/${id}`, { name: 'Eve' });
    const headers = { 'If-Match': '"1"' };
    const response = await send('PATCH', `/avatars/${id}`, { name: 'Eve' }, { headers });
    expect((await send('GET', `/avatars/${id}`)).data.version).toBe(2);
    return response;
  });

  refuses('not_found', 'an id that nobody has', async () => {
    const { send } = await openProject();
    return send('PATCH', '/avatars/avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', { name: 'x' });
  });

  test.each([
    [{}, ''],
    [{ persona: {} }, 'persona'],
    [{ persona: null }, 'persona'],
    [{ persona: { prompt: null } }, 'persona.prompt'],
    [{ persona: { language: '-' } }, 'persona.language'],
    [{ voice: { voiceId: '2' } }, 'voice.provider'],
    [{ name: null }, 'name'],
    [{ status: 'deleted' }, 'status'],
    [{ knowledgeTags: null }, 'knowledgeTags'],
    [{ version: 7, name: 'x' }, 'version'],
  ])('400 validation_error: %j', async (body, path) => {
    const { createAvatar, send } = await openProject();
    const { error } = await send('PATCH', `/avatars/${(await createAvatar()).id}`, body);
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });

  test('twenty callers at once make versions 1 to 21, without a gap, each as it was answered', {
    tags: ['long'],
  }, async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    const changes = Array.from({ length: 20 }, (_, index) =>
      send('PATCH', `/avatars/${id}`, { metadata: { n: `${index}` } }),
    );
    const answered = (await Promise.all(changes)).map(({ data }) => data);
    expect(answered.map(({ version }) => version).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    const { data } = await send('GET', `/avatars/${id}/versions?limit=100`);
    expect(versionsOf(data)).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index));
    for (const { version, metadata } of answered) {
      const frozen = await send('GET', `/avatars/${id}/versions/${version}`);
      expect(frozen.data.metadata).toEqual(metadata);
    }
  });

  test('of ten at once who name the same version one changes it', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    const headers = { 'If-Match': '"1"' };
    const answered = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send('PATCH', `/avatars/${id}`, { name: `n${index}` }, { headers }),
      ),
    );
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });

  refuses('external_id_taken', 'another avatar of the project has the externalId', async () => {
    const { createAvatar, send } = await openProject();
    const [first, second] = [await createAvatar({ externalId: 'x' }), await createAvatar()];
    const response = await send('PATCH', `/avatars/${second.id}`, { externalId: 'x' });
    expect(response.error.message).toContain(first.id);
    expect((await send('PATCH', `/avatars/${first.id}`, { externalId: 'y' })).data).toMatchObject({
      externalId: 'y',
      version: 2,
    });
    expect((await send('PATCH', `/avatars/${second.id}`, { externalId: 'x' })).status).toBe(200);
    return response;
  });
});
