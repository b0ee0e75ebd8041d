/** Times and names in requests have one form everywhere. */

import { describe, expect, test } from 'vitest';
import { type Json, openApi } from '../../samples/api.ts';
import { identityBody } from '../../samples/samples.ts';

const refused = [
  ...['2026-03-01t09:30:00Z', '2026-03-01T09:30:00z', '2026-03-01 09:30:00Z', '2026-03-01T09:30Z'],
  ...[
    '2026-03-01T09:30:00',
    '2026-03-01T10:30:00+01',
    '2026-03-01T10:30:00+1:00',
    '2026-03-01',
    '1772357400',
  ],
];
/** The same time. Python's `%z` writes an offset without a colon. */
const accepted = [
  ...['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000000Z', '2026-03-01T10:30:00+01:00'],
  ...['2026-03-01T09:30:00+0000', '2026-03-01T10:30:00+0100', '2026-03-01T04:00:00-0530'],
];

describe('a time', () => {
  test('has capital letters, seconds and an offset, in queries and in bodies', async () => {
    const { call, runtime } = await openApi();
    const nextYear = new Date(runtime.nowMs()).getUTCFullYear() + 1;
    const inQuery = (time: string) => call('GET', `/projects?createdFrom=${encodeURIComponent(time)}`);
    const inBody = (time: string) => {
      const expiresAt = time.replace('2026', `${nextYear}`);
      const subject = `at ${time}`;
      return call('POST', '/workload-identities', { body: { ...identityBody, subject, expiresAt } });
    };
    for (const time of refused) {
      const details = (path: string) => ({
        code: 'validation_error',
        details: [{ path, message: expect.stringContaining('must be an ISO 8601 time') }],
      });
      expect((await inQuery(time)).error, time).toMatchObject(details('createdFrom'));
      expect((await inBody(time)).error, time).toMatchObject(details('expiresAt'));
    }
    for (const time of accepted) {
      expect((await inQuery(time)).status, time).toBe(200);
      expect((await inBody(time)).data, time).toMatchObject({ expiresAt: `${nextYear}-03-01T09:30:00.000Z` });
    }
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
