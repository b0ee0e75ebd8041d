import { describe, expect, test } from 'vitest';
import { openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

const persona = { prompt: 'You are Ada.' };
const create = async (body: object) => (await openProject()).send('POST', '/avatars', { ...body });

describe('avatars.create', () => {
  responds(201, 'with an active avatar in version 1, and its entity tag', async () => {
    const { send, call } = await openProject();
    const me = await call('GET', '/api-keys/me');
    const response = await send('POST', '/avatars', { name: 'Ada', persona });
    const { id, createdAt } = response.data as { id: string; createdAt: string };
    expect(response.data).toEqual({
      id,
      externalId: null,
      name: 'Ada',
      persona: { prompt: 'You are Ada.', greeting: null, language: 'en' },
      voice: null,
      imageUrl: null,
      knowledgeTags: [],
      model: null,
      runtime: null,
      metadata: {},
      status: 'active',
      version: 1,
      createdAt,
      updatedAt: createdAt,
      createdBy: me.data.id,
    });
    expect(id).toMatch(/^avtr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(response.headers.ETag).toBe('"1"');
    expect((await send('GET', `/avatars/${id}`)).data).toEqual(response.data);
    return response;
  });

  responds(201, 'and everything comes back as it was sent, at every limit', async () => {
    const body = {
      name: '🚀'.repeat(100),
      persona: { prompt: 'é'.repeat(32_000), greeting: '\n'.repeat(1000), language: 'de-CH' },
      voice: { provider: 'p'.repeat(40), voiceId: 'v'.repeat(100) },
      imageUrl: `https://example.com/${'a'.repeat(2028)}`,
      knowledgeTags: Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(40, 't')),
      metadata: { a: '1' },
    };
    const response = await create(body);
    expect(response.data).toMatchObject(body);
    return response;
  });

  responds(201, 'with the URL of its image as it was sent', async () => {
    const imageUrl = 'HTTPS://Example.com:443/a/../ü.png#part';
    const response = await create({ name: 'a', persona: { prompt: 'p' }, imageUrl });
    expect(response.data).toMatchObject({ imageUrl });
    return response;
  });

  test.each([
    ['EN-us', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['de-u-co-phonebk', 'de-u-co-phonebk'],
  ])('keeps the language %s in its canonical form', async (language, canonical) => {
    const { data } = await create({ name: 'a', persona: { ...persona, language } });
    expect(data.persona).toMatchObject({ language: canonical });
  });

  test('its id is found in no other project', async () => {
    const { createAvatar, createProject, call } = await openProject();
    const { id } = await createAvatar();
    const response = await call('GET', `/projects/${await createProject()}/avatars/${id}`);
    expect(response.error.code).toBe('not_found');
  });

  test.each([
    ['no name', { persona }, ['name']],
    ['no persona', { name: 'a' }, ['persona']],
    ['an empty persona', { name: 'a', persona: {} }, ['persona.prompt']],
    ['an empty prompt', { name: 'a', persona: { prompt: '' } }, ['persona.prompt']],
    [
      'a prompt of 32,001 characters',
      { name: 'a', persona: { prompt: 'x'.repeat(32_001) } },
      ['persona.prompt'],
    ],
    [
      'a greeting of 1001',
      { name: 'a', persona: { ...persona, greeting: 'x'.repeat(1001) } },
      ['persona.greeting'],
    ],
    [
      'English by name',
      { name: 'a', persona: { ...persona, language: 'english language' } },
      ['persona.language'],
    ],
    ['en_GB', { name: 'a', persona: { ...persona, language: 'en_GB' } }, ['persona.language']],
    ['no language', { name: 'a', persona: { ...persona, language: '' } }, ['persona.language']],
    ['an unknown member', { name: 'a', persona: { ...persona, mood: 'good' } }, ['persona.mood']],
    ['half a voice', { name: 'a', persona, voice: { provider: 'p' } }, ['voice.voiceId']],
    ['an http image', { name: 'a', persona, imageUrl: 'http://example.com/a.png' }, ['imageUrl']],
    ['an image with credentials', { name: 'a', persona, imageUrl: 'https://a:b@example.com/' }, ['imageUrl']],
    ['an image without slashes', { name: 'a', persona, imageUrl: 'https:example.com' }, ['imageUrl']],
    ['an image of no host', { name: 'a', persona, imageUrl: 'httpS://*lì«' }, ['imageUrl']],
    ['an image with an empty label', { name: 'a', persona, imageUrl: 'https://a..b.example' }, ['imageUrl']],
    ['an image that is no URL', { name: 'a', persona, imageUrl: 'https://' }, ['imageUrl']],
    [
      'an image with a line break',
      { name: 'a', persona, imageUrl: 'https://example.com/a\nb' },
      ['imageUrl'],
    ],
    ['an image of 2049', { name: 'a', persona, imageUrl: `https://a/${'x'.repeat(2039)}` }, ['imageUrl']],
    ['a tag twice', { name: 'a', persona, knowledgeTags: ['a', 'a'] }, ['knowledgeTags']],
    [
      '21 tags',
      { name: 'a', persona, knowledgeTags: Array.from({ length: 21 }, (_, i) => `${i}`) },
      ['knowledgeTags'],
    ],
    ['a blank tag', { name: 'a', persona, knowledgeTags: [' '] }, ['knowledgeTags.0']],
    ['a version', { name: 'a', persona, version: 2 }, ['version']],
    ['a status', { name: 'a', persona, status: 'archived' }, ['status']],
  ])('400 validation_error: %s', async (_, body, paths) => {
    const { error } = await create(body);
    expect(error.details?.map(({ path }) => path)).toEqual(paths);
  });

  test('twenty at once are twenty', async () => {
    const { createAvatar, send } = await openProject();
    const made = await Promise.all(Array.from({ length: 20 }, () => createAvatar()));
    const { data } = await send('GET', '/avatars');
    expect((data.items as { id: string }[]).map(({ id }) => id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    );
  });

  refuses('external_id_taken', 'another avatar of the project has the externalId', async () => {
    const { send, createAvatar } = await openProject();
    const first = await createAvatar({ externalId: 'x' });
    const response = await send('POST', '/avatars', { name: 'b', persona, externalId: 'x' });
    expect(response.error.message).toContain(first.id);
    expect((await send('GET', '/avatars')).data.items).toEqual([first]);
    return response;
  });
});
