/**
 * The baselines of the pipeline's own time: Middy with its usual middlewares and zod. They check the key, validate the
 * request and its response, and do nothing else: no scopes, no errors in an envelope, no log. `createOnce` also has the
 * idempotency of Powertools, as its guide shows it.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import type { Client } from '../../lib/dynamodb/session.ts';
import { loadPowertools } from './powertools.ts';

const Params = z.object({ project_id: z.string().regex(/^proj_[0-9A-HJKMNP-TV-Z]{26}$/) });
const Metadata = z.record(z.string(), z.string());
const Body = z.strictObject({
  name: z.string().min(1).max(100),
  description: z.string().max(1000).nullish(),
  metadata: Metadata.optional(),
});
const Project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  metadata: Metadata,
  createdAt: z.string(),
  updatedAt: z.string(),
});

type Tables = { apiKeys: string; projects: string };

/** @returns the middleware of Powertools, whose commands `client` responds to */
async function idempotent(client: Client) {
  const { DynamoDBPersistenceLayer, IdempotencyConfig, makeHandlerIdempotent } = await loadPowertools();
  const awsSdkV3Client = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), {
    send: client.send.bind(client),
  });
  return makeHandlerIdempotent({
    persistenceStore: new DynamoDBPersistenceLayer({ tableName: 'records', awsSdkV3Client }),
    config: new IdempotencyConfig({
      eventKeyJmesPath: 'headers."Idempotency-Key"',
      payloadValidationJmesPath: 'body',
      throwOnNoIdempotencyKey: true,
    }),
  });
}

/** @returns the handlers of GET and POST of projects */
export async function naiveHandlers(client: Client, tables: Tables) {
  const read = async (TableName: string, tenant: string, id: string) =>
    (await client.send(new GetCommand({ TableName, Key: { tenant, id }, ConsistentRead: true }))).Item;

  /** @returns the tenant, if the key is right */
  async function authenticate({ headers }: APIGatewayProxyEvent): Promise<string | undefined> {
    const token = (headers.Authorization ?? '').replace(/^Bearer /, '');
    const tenant = `org_${token.slice(8, 34)}#live`;
    const key = await read(tables.apiKeys, tenant, `key_${token.slice(34, 60)}`);
    const actual = Buffer.from(createHash('sha256').update(token).digest('base64url'));
    const expected = Buffer.from(String(key?.secretHash));
    return expected.length === actual.length && timingSafeEqual(actual, expected) ? tenant : undefined;
  }

  type Handle = (event: APIGatewayProxyEvent, tenant: string) => Promise<APIGatewayProxyResult>;
  const authenticated = (handle: Handle, ...further: middy.MiddlewareObj[]) =>
    middy()
      .use([httpJsonBodyParser({ disableContentTypeError: true }), ...further])
      .handler(async (request) => {
        const event = request as APIGatewayProxyEvent;
        const tenant = await authenticate(event);
        return tenant === undefined ? response(401, { success: false }) : handle(event, tenant);
      });

  const create: Handle = async ({ body }, tenant) => {
    const { name, description = null, metadata = {} } = Body.parse(body);
    const at = new Date().toISOString();
    const id = `proj_${createHash('sha256').update(at).digest('hex').slice(0, 26)}`;
    const project = { id, name, description, metadata, createdAt: at, updatedAt: at };
    const Item = { tenant, ...project };
    const ConditionExpression = 'attribute_not_exists(id)';
    await client.send(new PutCommand({ TableName: tables.projects, Item, ConditionExpression }));
    return response(201, { success: true, data: Project.parse(project) });
  };

  return {
    get: authenticated(async ({ pathParameters }, tenant) => {
      const { project_id: id } = Params.parse(pathParameters);
      const project = await read(tables.projects, tenant, id);
      if (!project) return response(404, { success: false });
      return response(200, { success: true, data: Project.parse(project) });
    }),
    create: authenticated(create),
    createOnce: authenticated(create, await idempotent(client)),
  };
}

const response = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
