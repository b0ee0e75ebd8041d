/** The API as tests call it: real proxy events through the exported pipeline, on DynamoDB Local. */

import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { inject } from 'vitest';
import { bootstrapOrganisation, bootstrapRootKey } from '../../lib/bootstrap.ts';
import type { ErrorCode, ErrorDetail } from '../../lib/errors.ts';
import type { LogLine } from '../../lib/log.ts';
import { createRuntime, type Runtime } from '../../lib/runtime.ts';
import { localCredentials, tableVariables } from '../../scripts/local/dynamodb.ts';
import { match, proxyEvent } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { tablePrefix } from './global-setup.ts';

export type Json = Record<string, unknown>;

export type CallOptions = {
  /** The bearer token; the root key when left out, none when null. */
  key?: string | null;
  body?: unknown;
  /** The body as it goes out, where it is not JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  requestId?: string;
};

export type Answer = {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** `data` of a success; an empty object for an error. */
  data: Json;
  error: { code?: ErrorCode; message?: string; details?: ErrorDetail[]; resource?: Json; requestId?: string };
};

export type TestApi = Awaited<ReturnType<typeof openApi>>;

/** Settings that reach this run's DynamoDB Local. */
export function testRuntime(): Runtime {
  Object.assign(process.env, localCredentials, { AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint') });
  return createRuntime(tableVariables(tablePrefix));
}

/**
 * Opens the API for a new organisation.
 * @param adjust puts something else in the place of a part of the outside world
 */
export async function openApi(adjust: (runtime: Runtime) => Partial<Runtime> = () => ({})) {
  const log: LogLine[] = [];
  const clock = { offsetMs: 0 };
  const real = testRuntime();
  const base: Runtime = {
    ...real,
    nowMs: () => Date.now() + clock.offsetMs,
    log: (line) => void log.push(line),
  };
  const runtime: Runtime = { ...base, ...adjust(base) };
  const { organisationId, secret: rootKey } = await bootstrapOrganisation(base, 'Test', 'live');
  const routes = routesOf(runtime);

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const url = new URL(path, 'http://localhost');
    const found = match(routes, method, url.pathname);
    if ('allow' in found) throw new Error(`no endpoint answers ${method} ${path}`);
    const { key = rootKey, body, rawBody, headers = {}, idempotencyKey } = options;
    const text = rawBody ?? (body === undefined ? '' : JSON.stringify(body));
    const sent = {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(text !== '' && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    };
    const event = proxyEvent({
      method,
      path: `/api/v1${url.pathname}`,
      resource: found.route.endpoint.path,
      pathParameters: found.pathParameters,
      query: url.searchParams,
      headers: Object.entries(sent),
      body: text,
      requestId: options.requestId ?? randomUUID(),
    });
    const result = await found.route.handler(event, {} as Context);
    const parsed = JSON.parse(result.body) as { data?: Json; error?: Answer['error'] };
    return {
      status: result.statusCode,
      headers: result.headers as Record<string, string>,
      text: result.body,
      data: parsed.data ?? {},
      error: parsed.error ?? {},
    };
  }

  return {
    call,
    runtime,
    log,
    organisationId,
    rootKey,
    /** Lets time pass for the API, and only for it. */
    advance: (ms: number) => {
      clock.offsetMs += ms;
    },
    /** @returns a test-mode root key of the same organisation */
    async testModeKey(): Promise<string> {
      const key = await bootstrapRootKey(base, organisationId, 'test');
      if (!key) throw new Error('the organisation is gone');
      return key.secret;
    },
    /** @returns a new key's secret and id */
    async createKey(body: Json = {}, key?: string): Promise<{ id: string; secret: string }> {
      const answer = await call('POST', '/api-keys', {
        body: { name: 'a key', scopes: ['projects:read'], ...body },
        ...(key !== undefined && { key }),
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.data as { id: string; secret: string };
    },
    /** @returns a new project's id */
    async createProject(body: Json = {}, key?: string): Promise<string> {
      const answer = await call('POST', '/projects', {
        body: { name: 'a project', ...body },
        ...(key !== undefined && { key }),
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.data.id as string;
    },
  };
}
