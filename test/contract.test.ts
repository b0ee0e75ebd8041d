/** Every endpoint keeps the contract: each row of it is shown by each endpoint that it applies to. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../functions/index.ts';
import { allScopes, setsIn } from '../lib/base/scopes.ts';
import { openApi } from '../samples/api.ts';
import { sampleOf } from '../samples/samples.ts';
import { acceptsSet, contract, organisations, send, setsForSample } from './support/contract.ts';
import { refuses } from './support/responses.ts';
import { shownContract } from './support/shown-contract.ts';
import { walkOptions } from './support/walks.ts';

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** The endpoints and rows of `npm test`. */
const shown = shownContract(endpoints);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('answers in the envelope, with what its schema declares and nothing else', async () => {
    const api = await openApi();
    // Only idempotent endpoints read the key.
    const key = !endpoint.idempotent && { idempotencyKey: 'not a key: \u00e9' };
    const answer = await send(endpoint, api, { requestId: 'the-request', ...key });
    const schema = endpoint.responses[answer.status as 200];
    expect(schema, answer.text).toBeDefined();
    const isMessage = endpoint.raw === 'message';
    const isStream = endpoint.raw === 'events';
    const own = endpoint.raw &&
      !isMessage &&
      !isStream && { 'Cache-Control': expect.stringMatching(/^public, /) };
    const isDocument = endpoint.raw === 'text' || endpoint.raw === 'bytes' || isStream;
    const type = isDocument && {
      'Content-Type': expect.stringMatching(/^(text\/|application\/octet-stream$)/),
    };
    expect(answer.headers).toMatchObject({ ...headers, ...own, ...type, 'X-Request-Id': 'the-request' });
    if (isDocument || isMessage) return;
    const body = JSON.parse(answer.text);
    const data = endpoint.raw ? body : answer.data;
    if (!endpoint.raw) expect(body).toEqual({ success: true, data });
    expect(schema?.parse(data)).toEqual(data);
    expect(answer.text).not.toMatch(/secretHash|changed(By|Through|In|From)|"tenant"|"ttl"/);
  });

  const options = walkOptions(endpoints, endpoint);
  const organisationFor = organisations(() => openApi());
  for (const row of contract.filter(({ applies }) => applies(endpoint))) {
    const act = async () => {
      const answer = await row.act(endpoint, await organisationFor(row));
      expect(answer.headers).toMatchObject(headers);
      expect(answer.headers['X-Request-Id']).toBe(answer.error.requestId);
      expect(JSON.parse(answer.text).success).toBe(false);
      return answer;
    };
    refuses(row.proves, row.when, act, shown.get(endpoint)?.includes(row) ? {} : { tags: ['long'] });
  }

  if (setsIn(endpoint.auth).length > 0) {
    test('each of its sets of scopes is enough', options, async () => {
      const api = await organisationFor();
      const sets = await setsForSample(endpoint, api);
      expect(sets.length).toBeGreaterThan(0);
      for (const set of sets) expect([set, await acceptsSet(endpoint, api, set)]).toEqual([set, true]);
    });
  }

  if (endpoint.auth !== 'public') {
    test('a wrong prefix is refused by name', options, async () => {
      const answer = await send(endpoint, await organisationFor(), { key: 'pk_live_abc' });
      expect(answer.error.message).toBe('Invalid API key prefix');
    });
  }

  if (endpoint.idempotent) {
    test('is replayed to the byte, and says so', options, async () => {
      const api = await openApi();
      const { path, body } = await sampleOf(endpoint.id, api);
      const request = { ...(body && { body }), idempotencyKey: 'again' };
      const first = await api.call(endpoint.method, path, request);
      const second = await api.call(endpoint.method, path, request);
      expect(first.headers['Idempotent-Replayed']).toBeUndefined();
      expect(second.headers['Idempotent-Replayed']).toBe('true');
      expect([second.status, second.text]).toEqual([first.status, first.text]);
    });

    test('is not replayed to a caller who lost the right to it', options, async () => {
      const api = await openApi();
      const { path, body } = await sampleOf(endpoint.id, api);
      // Some bodies need further scopes.
      const { id, secret } = await api.createKey({ scopes: allScopes });
      const scopes = body?.scopes
        ? { body: { ...body, scopes: setsIn(endpoint.auth).flat() } }
        : body && { body };
      const request = { ...scopes, idempotencyKey: 'mine', key: secret };
      expect((await api.call('POST', path, request)).status).toBeLessThan(300);
      await api.call('PATCH', `/api-keys/${id}`, { body: { scopes: ['audit:read'] } });
      expect((await api.call('POST', path, request)).error.code).toBe('insufficient_scope');
      await api.call('DELETE', `/api-keys/${id}`);
      expect((await api.call('POST', path, request)).error.code).toBe('unauthorized');
    });
    if (endpoint.project) {
      test('is replayed as it was also when its project is archived or deleted since', options, async () => {
        const api = await openApi();
        const { path, body } = await sampleOf(endpoint.id, api);
        const project = path.split('/').slice(0, 3).join('/');
        const request = { ...(body && { body }), idempotencyKey: 'again' };
        const first = await api.call('POST', path, request);
        await api.call('PATCH', project, { body: { status: 'archived' } });
        expect((await api.call('POST', path, request)).text).toBe(first.text);
        await api.call('DELETE', project);
        expect((await api.call('POST', path, request)).text).toBe(first.text);
      });
    }
  }
});
