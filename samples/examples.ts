/**
 * Records the examples of the OpenAPI document: the sample request of each endpoint, sent to the real handlers. Time, ids and
 * randomness are fixed, so the same code records the same examples.
 */

import { createHash } from 'node:crypto';
import { noFiles } from '../lib/base/files.ts';
import { newIdFactory } from '../lib/base/ids.ts';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import { type CallOptions, call as send } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import type { Example } from '../scripts/openapi/examples.ts';
import {
  apiOf,
  type ContractApi,
  countConversations,
  indexMessages,
  logChanges,
  testModeKeyOf,
  workOff,
} from './api.ts';
import { testDownloads } from './downloads.ts';
import { fakeModels } from './models.ts';
import { sampleOf } from './samples.ts';

const startMs = Date.parse('2026-03-02T09:30:00Z');

/** @returns the request and the response of an endpoint, in an organisation of its own */
export async function record(endpoint: Endpoint, base: Runtime): Promise<Example> {
  const api = await fixedApi(endpoint.id, base);
  const { path, body, key } = await sampleOf(endpoint.id, api);
  const response = await api.call(endpoint.method, path, { ...(body && { body }), ...(key && { key }) });
  if (response.status >= 300) throw new Error(`${endpoint.method} ${path}: ${response.text}`);
  return {
    path,
    ...(body && { body }),
    status: response.status,
    ...(!endpoint.raw && { data: withoutSecrets(response.data) }),
  };
}

/** @param seed makes the ids differ from those of other recordings, which are in the same tables */
async function fixedApi(seed: string, base: Runtime): Promise<ContractApi> {
  let calls = 0;
  const fraction = fractions(seed);
  const runtime: Runtime = {
    ...base,
    // Each request is a second later.
    nowMs: () => startMs + calls * 1000,
    newId: newIdFactory(fraction),
    randomFraction: fraction,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(fraction() * 256)),
    log: () => {},
    fence: { writeMs: 60_000, waitMs: 0 },
    downloads: testDownloads(),
    models: fakeModels(),
    files: {
      ...noFiles,
      uploadLink: async (key) => `https://bucket.s3.eu-central-1.amazonaws.com/${key}?X-Amz-Signature=…`,
    },
  };
  const { organisationId, secret: rootKey } = await bootstrapOrganisation(runtime, 'Acme', 'live');
  const routes = routesOf(runtime);
  const call = (method: string, path: string, options: CallOptions = {}) => {
    calls += 1;
    // Events of the audit log show it.
    const requestId = uuidFrom(fraction);
    const headers = { Host: 'api.example.com', ...options.headers };
    return send(routes, method, path, { key: rootKey, requestId, ...options, headers });
  };
  // The first use of a key is noted in parallel with the request, whose response may show it or not.
  await call('GET', '/api-keys/me');
  const tenant = `${organisationId}#live` as const;
  return {
    ...apiOf({ call, rootKey, organisationId }),
    testModeKey: () => testModeKeyOf(runtime, organisationId),
    workOff: (project, job) => workOff(runtime, tenant, project, job, {}),
    indexMessages: (project) => indexMessages(runtime, tenant, project),
    countConversations: (project) => countConversations(runtime, tenant, project),
    logChanges: () => logChanges(runtime, organisationId),
    another: () => fixedApi(`${seed} another`, base),
  };
}

/** @returns a UUID of version 4 that looks random */
const uuidFrom = (fraction: () => number): string =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(fraction() * 16).toString(16));

/** @returns numbers from 0 to below 1 that look random and depend only on the seed */
function fractions(seed: string): () => number {
  let index = 0;
  return () => {
    index += 1;
    return createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** A secret in a public file would alarm secret scanners. */
const withoutSecrets = (data: Record<string, unknown>) =>
  typeof data.secret === 'string' ? { ...data, secret: `${data.secret.slice(0, 12)}…` } : data;
