/** What an endpoint loads is read before the caller is known. A refused caller learns nothing about it. */

import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { allScopes, setsIn } from '../../../lib/base/scopes.ts';
import { makeApiKey, parseApiKey } from '../../../lib/credentials/api-key.ts';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { type ApiResponse, type CallOptions, openApi } from '../../../samples/api.ts';
import { sampleOf } from '../../../samples/samples.ts';
import { intercept } from '../../support/faults.ts';
import { walkOptions } from '../../support/walks.ts';

/** The caller's own key is nothing to hide. */
const ofCaller = ['api-keys.me', 'api-keys.revoke-me'];
const loading = endpoints.filter(({ id, loads }) => Object.keys(loads).length > 0 && !ofCaller.includes(id));

/** @returns the API; while `faults.on`, whatever GetItem reads besides the caller's key and organisation fails */
async function openFaulty() {
  const faults = { on: false, gets: [] as string[] };
  const api = await openApi(({ client }) => ({
    client: intercept(client, (command) => {
      if (!(command instanceof GetCommand)) return undefined;
      const { TableName = '', Key } = command.input;
      faults.gets.push(`${TableName.split('-').at(-1)} ${Key?.id}`);
      return faults.on && !callers.has(Key?.id) ? Promise.reject(new Error('the read failed')) : undefined;
    }),
  }));
  const callers = new Set<unknown>();
  const asCaller = (key: string) => {
    const location = parseApiKey(key);
    callers.add(location?.keyId).add(location?.organisationId);
    return key;
  };
  return { ...api, faults, asCaller };
}

type Faulty = Awaited<ReturnType<typeof openFaulty>>;
type Refused = [
  who: string,
  status: number,
  options: (api: Faulty, endpoint: Endpoint) => Promise<CallOptions> | CallOptions,
];

/** Of another resource, because a write scope includes the read scope. */
function scopeOfAnotherResource(scopes: readonly string[]) {
  const resources = scopes.map((scope) => scope.split(':')[0]);
  const other = allScopes.find((scope) => !resources.includes(scope.split(':')[0]));
  if (!other) throw new Error('every resource is accepted');
  return other;
}

/** In the order in which they are refused: each of them is right in what is checked before. */
const refused: Refused[] = [
  [
    'a key with another secret',
    401,
    ({ rootKey }) => {
      const location = parseApiKey(rootKey);
      if (!location) throw new Error('the root key does not parse');
      return { key: makeApiKey(location, randomBytes).secret };
    },
  ],
  [
    'a key without the scope',
    403,
    async (api, endpoint) => ({
      key: (await api.createKey({ scopes: [scopeOfAnotherResource(setsIn(endpoint.auth).flat())] })).secret,
    }),
  ],
  [
    'a key that is bound to another project',
    404,
    async (api) => {
      const projectIds = [await api.createProject()];
      return { key: (await api.createKey({ scopes: allScopes, projectIds })).secret };
    },
  ],
  [
    'a request with a body of another type',
    415,
    () => ({ headers: { 'Content-Type': 'text/plain' }, rawBody: 'x' }),
  ],
  ['a request with an unknown query parameter', 400, () => ({ query: '?colour=red' }) as CallOptions],
];

/** The same path with another id, or another name, at its end. */
const missing = (path: string): string =>
  path.replace(/(_[0-9A-Z]{26}|production)(?!.*(_[0-9A-Z]{26}|production))/, (last) =>
    last === 'production' ? 'elsewhere' : '_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  );

const shown = ({ status, error }: ApiResponse) => {
  const { requestId: _, ...rest } = error ?? {};
  return { status, ...rest };
};

describe.each(loading.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const options = walkOptions(loading, endpoint);
  const send = ({ call }: Faulty, path: string, body: object | undefined, options: object) => {
    const { query = '', ...rest } = options as CallOptions & { query?: string };
    const joined = path.includes('?') ? query.replace('?', '&') : query;
    return call(endpoint.method, path + joined, { ...(body && { body }), ...rest } as CallOptions);
  };

  test('refused callers see neither the item nor a failure to read it', options, async () => {
    const api = await openFaulty();
    const { path, body } = await sampleOf(id, api);
    for (const [who, status, makeOptions] of refused) {
      if (status === 404 && !path.startsWith('/projects/')) continue;
      const options = await makeOptions(api, endpoint);
      api.asCaller(options.key ?? api.rootKey);
      const there = await send(api, path, body, options);
      const gone = await send(api, missing(path), body, options);
      api.faults.on = true;
      const failed = await send(api, path, body, options);
      api.faults.on = false;
      expect(there.status, `${who}: ${there.text}`).toBe(status);
      expect(shown(gone), who).toEqual(shown(there));
      expect(shown(failed), who).toEqual(shown(there));
    }
    api.faults.on = true;
    expect((await send(api, path, body, {})).status).toBe(500);
  });

  test(
    'a malformed key costs no read, and a malformed path reads the key and its organisation alone',
    options,
    async () => {
      const api = await openFaulty();
      const { path, body } = await sampleOf(id, api);
      api.faults.gets.length = 0;
      await send(api, path, body, { key: `${api.rootKey}x` });
      expect(api.faults.gets).toEqual([]);
      const malformed = missing(path).replace(/_01JZ4Y7Q8R5T2V9W3X6B0C1D4E|elsewhere/, '..%2F%00');
      expect((await send(api, malformed, body, {})).status).toBeGreaterThanOrEqual(400);
      const caller = parseApiKey(api.rootKey);
      expect(api.faults.gets).toEqual([
        `apiKeys ${caller?.keyId}`,
        `organisations ${caller?.organisationId}`,
      ]);
    },
  );
});
