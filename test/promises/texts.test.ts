/** Times and names in requests have one form everywhere. */

import { describe, expect, test } from 'vitest';
import { type Json, openApi } from '../support/api.ts';

const refused = [
  ...['2026-03-01t09:30:00Z', '2026-03-01T09:30:00z', '2026-03-01 09:30:00Z', '2026-03-01T09:30Z'],
  ...['2026-03-01T09:30:00', '2026-03-01T09:30:00+0100', '2026-03-01', '1772357400'],
];
const accepted = ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123456Z', '2026-03-01T10:30:00+01:00'];

describe('a time', () => {
  test('has capital letters, seconds and an offset, in queries and in bodies', async () => {
    const { call } = await openApi();
    for (const time of refused) {
      const query = await call('GET', `/projects?createdFrom=${encodeURIComponent(time)}`);
      expect(query.error, time).toMatchObject({
        code: 'validation_error',
        details: [{ path: 'createdFrom' }],
      });
      const body = { name: 'a', scopes: ['projects:read'], expiresAt: time.replace('2026', '2046') };
      const sent = await call('POST', '/api-keys', { body });
      expect(sent.error, time).toMatchObject({ code: 'validation_error', details: [{ path: 'expiresAt' }] });
    }
    for (const time of accepted)
      expect((await call('GET', `/projects?createdFrom=${encodeURIComponent(time)}`)).status).toBe(200);
  });
});

describe('a name', () => {
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];

  test('is stored as it was sent, and names that only look the same are different', async () => {
    const { call, createProject } = await openApi();
    const avatars = `/projects/${await createProject()}/avatars`;
    const put = (externalId: string) =>
      call('PUT', `${avatars}/by-external-id/${encodeURIComponent(externalId)}`, {
        body: {
          name: externalId,
          persona: { prompt: 'p', language: 'fr' },
          metadata: { [externalId]: externalId },
        },
      });
    const [one, other] = [await put(composed), await put(decomposed)];
    expect([one.data.outcome, other.data.outcome]).toEqual(['created', 'created']);
    for (const [name, { data }] of [
      [composed, one],
      [decomposed, other],
    ] as const) {
      const avatar = data.avatar as Json;
      expect(avatar).toMatchObject({ externalId: name, name, metadata: { [name]: name } });
      expect((await put(name)).data).toEqual({ outcome: 'unchanged', avatar });
    }
    // A search for people ignores the difference.
    const found = await call('GET', `${avatars}?namePrefix=${encodeURIComponent(decomposed)}`);
    expect(found.data.items).toHaveLength(2);
  });
});
