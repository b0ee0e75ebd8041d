/**
 * The limit of the cold path: the same request as in handler.ts without a library. It signs two parallel reads with node:crypto (AWS,
 * "Create a signed AWS API request"), sends them by node:http, and checks the hash of the key. It has no retries, timeouts,
 * scopes, validation or log, so no service can reach it.
 */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

// A static import of node:crypto would load Web Crypto (scripts/bundle/lazy-builtins.ts).
const { createHash, createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');
const { Agent, request } = process.getBuiltinModule('node:http');

const { env } = process;
const endpoint = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? env.AWS_ENDPOINT_URL ?? '');
const agent = new Agent({ keepAlive: true });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function signedHeaders(body: string, at: string): Record<string, string> {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = env;
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host: endpoint.host,
    'x-amz-date': at,
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
  const scope = [at.slice(0, 8), AWS_REGION, 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`);
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${scope.join('/')}\n${sha256(canonical)}`;
  const credential = `Credential=${AWS_ACCESS_KEY_ID}/${scope.join('/')}`;
  const signature = hmac(key, toSign).toString('hex');
  headers.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

type Value = { S?: string; N?: string; M?: Record<string, Value>; NULL?: boolean };

const plain = ({ S, N, M }: Value): unknown => S ?? (N === undefined ? (M ? plainItem(M) : null) : Number(N));
const plainItem = (item: Record<string, Value>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]));

function read(variable: string, tenant: string, id: string): Promise<Record<string, unknown> | undefined> {
  const body = JSON.stringify({
    TableName: env[variable],
    Key: { tenant: { S: tenant }, id: { S: id } },
    ConsistentRead: true,
  });
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return new Promise((resolve, reject) => {
    const sent = request(
      endpoint,
      { method: 'POST', agent, headers: signedHeaders(body, at) },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const { Item } = JSON.parse(text) as { Item?: Record<string, Value> };
          resolve(Item && plainItem(Item));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const response = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const token = (event.headers.Authorization ?? '').replace(/^Bearer /, '');
  const tenant = `org_${token.slice(8, 34)}#live`;
  const [key, project] = await Promise.all([
    read('API_KEYS_TABLE', tenant, `key_${token.slice(34, 60)}`),
    read('PROJECTS_TABLE', tenant, event.pathParameters?.project_id ?? ''),
  ]);
  const actual = createHash('sha256').update(token).digest('base64url');
  if (!key || !timingSafeEqual(Buffer.from(actual), Buffer.from(String(key.secretHash)))) {
    return response(401, { success: false, error: { code: 'unauthorized' } });
  }
  if (!project) return response(404, { success: false, error: { code: 'not_found' } });
  const { id, name, description, metadata, status, createdAt, updatedAt, createdBy } = project;
  return response(200, {
    success: true,
    data: { id, name, description, metadata, status, createdAt, updatedAt, createdBy },
  });
}
