/**
 * The baseline of the pipeline's own time: Middy with its usual middlewares and zod. It checks the key, validates the
 * request and its response, and does nothing else: no scopes, no idempotency, no errors in an envelope, no log.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import type { Client } from '../../lib/dynamodb/session.ts';

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

/** @returns the handlers of GET and POST of projects */
export function naiveHandlers(client: Client, tables: Tables) {
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

  const authenticated = (
    handle: (event: APIGatewayProxyEvent, tenant: string) => Promise<APIGatewayProxyResult>,
  ) =>
    middy()
      .use(httpJsonBodyParser({ disableContentTypeError: true }))
      .handler(async (request) => {
        const event = request as APIGatewayProxyEvent;
        const tenant = await authenticate(event);
        return tenant === undefined ? response(401, { success: false }) : handle(event, tenant);
      });

  return {
    get: authenticated(async ({ pathParameters }, tenant) => {
      const { project_id: id } = Params.parse(pathParameters);
      const project = await read(tables.projects, tenant, id);
      if (!project) return response(404, { success: false });
      return response(200, { success: true, data: Project.parse(project) });
    }),
    create: authenticated(async ({ body }, tenant) => {
      const { name, description = null, metadata = {} } = Body.parse(body);
      const at = new Date().toISOString();
      const id = `proj_${createHash('sha256').update(at).digest('hex').slice(0, 26)}`;
      const project = { id, name, description, metadata, createdAt: at, updatedAt: at };
      const Item = { tenant, ...project };
      const ConditionExpression = 'attribute_not_exists(id)';
      await client.send(new PutCommand({ TableName: tables.projects, Item, ConditionExpression }));
      return response(201, { success: true, data: Project.parse(project) });
    }),
  };
}

const response = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
