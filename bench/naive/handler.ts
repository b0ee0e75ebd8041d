/**
 * The baseline: the same libraries used as their guides show (Middy, `import { z }`, the document client, esbuild's
 * defaults). It has one endpoint, GET /projects/{project_id}, with the same checks as ours.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { z } from 'zod';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const Params = z.object({ project_id: z.string().regex(/^proj_[0-9A-HJKMNP-TV-Z]{26}$/) });
const Project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  status: z.enum(['active', 'archived', 'deleted']),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: z.string(),
});

const read = async (variable: string, tenant: string, id: string) => {
  const command = new GetCommand({
    TableName: process.env[variable],
    Key: { tenant, id },
    ConsistentRead: true,
  });
  return (await client.send(command)).Item;
};

const response = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

async function getProject(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const token = (event.headers.Authorization ?? '').replace(/^Bearer /, '');
  const tenant = `org_${token.slice(8, 34)}#live`;
  const key = await read('API_KEYS_TABLE', tenant, `key_${token.slice(34, 60)}`);
  const actual = createHash('sha256').update(token).digest('base64url');
  if (!key || !timingSafeEqual(Buffer.from(actual), Buffer.from(key.secretHash))) {
    return response(401, { success: false, error: { code: 'unauthorized' } });
  }
  const { project_id } = Params.parse(event.pathParameters);
  const project = await read('PROJECTS_TABLE', tenant, project_id);
  if (!project) return response(404, { success: false, error: { code: 'not_found' } });
  return response(200, { success: true, data: Project.parse(project) });
}

export const handler = middy()
  .use(httpJsonBodyParser({ disableContentTypeError: true }))
  .handler((event) => getProject(event as APIGatewayProxyEvent));
