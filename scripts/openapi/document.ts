/** Builds the OpenAPI 3.1 document from the declarations. */

import { endpoints } from '../../functions/index.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errors } from '../../lib/http/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { Components, type Json } from './schemas.ts';

const overview = `
The control plane of your platform: projects with avatars, knowledge, deployments and conversations, and the API keys
that access them.

**Authentication.** Send an API key: \`Authorization: Bearer sk_live_…\`. A key belongs to an organisation and a mode. Data
of \`sk_live_\` and \`sk_test_\` keys is separate. The key's scopes are what it may do; \`write\` includes \`read\`. A revoked key
is refused from the next request on.

If an OIDC issuer is configured, its access tokens (JWTs) are accepted wherever a key is, in the same header. Their claims
contain the organisation, the mode and the scopes. \`createdBy\` is then \`sub:\` and the subject of the token.
\`GET /api-keys/me\` works with keys only. A secret can be read again only with the same token that created it.

**Responses.** Every response is \`{"success":true,"data":{…}}\` or
\`{"success":false,"error":{"code","message","requestId"}}\`. Use \`code\` in programs. Quote \`requestId\` (also in the header
\`X-Request-Id\`) when you ask for help.

**Retries.** Send an \`Idempotency-Key\`, such as a UUID, with every POST. The request then takes effect once, even if it is
sent several times or at the same time. Every repetition gets the first response, with \`Idempotent-Replayed: true\`. Errors
are not stored, so you can repeat a failed request unchanged. A key is remembered for 24 hours, per organisation, mode and
project in the path. With another method, path or body, it is refused with 422 \`idempotency_key_reused\`. The order of
fields and white space in the body do not matter.

**Bodies** are uncompressed JSON in UTF-8, at most 256 KB. A character that is escaped as \`\\uXXXX\` counts as six bytes, so
do not escape it. Text must be well-formed Unicode.

**Lists** are sorted newest first, environments by name. A page has up to \`limit\` items (default 25, at most 100). To get
the next page, send \`nextCursor\` as \`cursor\`. It is null on the last page.
`.trim();

const tags = {
  'api-keys': ['API keys', 'Keys that call this API.'],
  projects: ['Projects', 'Containers of everything else.'],
  jobs: ['Jobs', 'Background work, such as re-indexing.'],
  knowledge: ['Knowledge', 'Texts that a project knows, and the search in them.'],
  avatars: ['Avatars', 'Personas with a voice and an image. Every change creates a version.'],
  deployments: ['Deployments', 'Snapshots of avatars and knowledge, which are promoted and rolled back.'],
  environments: ['Environments', 'Named places that serve a deployment, such as production.'],
  conversations: [
    'Conversations',
    'Messages between users and avatars: store, read, search, count and erase them.',
  ],
  health: ['Service', 'The service itself.'],
  openapi: ['Service', 'The service itself.'],
} as const;

export function openApiDocument(): Json {
  const components = new Components();
  const responses: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] as Json, {
      [endpoint.method.toLowerCase()]: operation(endpoint, components, responses),
    });
  }
  const names = new Map(Object.values(tags).map(([name, description]) => [name, description]));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Platform API',
      version: manifest.version,
      description: overview,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ bearer: [] }],
    tags: [...names].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(responses),
      headers: { RequestId: requestIdHeader, Replayed: replayedHeader, RetryAfter: retryAfterHeader },
      parameters: {
        IdempotencyKey: idempotencyKeyParameter,
        IfMatch: ifMatchParameter,
        IfNoneMatch: ifNoneMatchParameter,
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`sk_live_…` or `sk_test_…`), or an access token (JWT) of the configured OIDC issuer.',
        },
      },
    },
  };
}

function operation(endpoint: Endpoint, components: Components, responses: Record<string, Json>): Json {
  const { auth, request } = endpoint;
  const scope = {
    public: 'Requires no credential.',
    any: 'Requires any valid credential.',
  }[auth as 'public' | 'any'];
  const parameters = [
    ...parametersOf(endpoint, 'path', components),
    ...parametersOf(endpoint, 'query', components),
    ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(endpoint.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(endpoint.ifNoneMatch ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${scope ?? `Requires the scope \`${auth}\`.`}`,
    ...(auth === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.of(request.body, 'input') } },
      },
    }),
    responses: { ...successes(endpoint, components), ...failures(endpoint, responses) },
  };
}

function tagOf({ id }: Endpoint): string {
  const group = id.split('.')[0] as keyof typeof tags;
  const tag = tags[group];
  if (!tag) throw new Error(`scripts/openapi/document.ts has no tag for "${group}"`);
  return tag[0];
}

function parametersOf(endpoint: Endpoint, where: 'path' | 'query', components: Components): Json[] {
  const schema = where === 'path' ? endpoint.request.params : endpoint.request.query;
  const { properties = {}, required = [] } = components.of(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...rest }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(deprecated === true && { deprecated }),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

const reasons = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  304: 'The version in `If-None-Match` is current. There is no body.',
} as const;

function successes(endpoint: Endpoint, components: Components): Json {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => {
      const data = components.of(schema, 'output');
      const enveloped = {
        type: 'object',
        required: ['success', 'data'],
        properties: { success: { const: true }, data },
      };
      return [
        status,
        {
          description: reasons[Number(status) as keyof typeof reasons],
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/RequestId' },
            ...(endpoint.idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/Replayed' } }),
            ...headersOf(endpoint),
          },
          ...(status !== '304' && {
            content: { 'application/json': { schema: endpoint.raw ? data : enveloped } },
          }),
        },
      ];
    }),
  );
}

const headersOf = ({ headers }: Endpoint): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description }]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

/** Codes with the same status share one response, which all endpoints with the same codes reference. */
function failures(endpoint: Endpoint, responses: Record<string, Json>): Json {
  const byStatus = Map.groupBy(endpoint.errors, (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => {
        const name = codes.toSorted().map(pascalCase).join('Or');
        responses[name] ??= failure(status, codes);
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
  );
}

const pascalCase = (code: string) =>
  code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function failure(status: number, codes: readonly ErrorCode[]): Json {
  const examples = codes.map((code) => {
    const error = { code, message: errors[code].message, requestId: '7d0c7d33-8a3c-4b0e-9d0f-2f4a4a1f6c55' };
    return [code, { value: { success: false, error } }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...([429, 503].includes(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': { schema: errorSchema(codes), examples: Object.fromEntries(examples) },
    },
  };
}

const errorSchema = (codes: readonly ErrorCode[]) => ({
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { enum: codes, description: 'The error code, for programs.' },
        message: { type: 'string', description: 'The error message, for people.' },
        requestId: { type: 'string', description: 'Identifies this request in the logs.' },
        ...(codes.includes('validation_error') && { details: detailsSchema }),
        ...(codes.includes('secret_unavailable') && { resource: resourceSchema }),
      },
    },
  },
});

const detailsSchema = {
  type: 'array',
  description: 'For `validation_error`: the invalid fields, and why.',
  items: {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', examples: ['metadata.colour'] },
      message: { type: 'string', examples: ['must be at most 500 characters'] },
    },
  },
};

const resourceSchema = {
  type: 'object',
  description: 'For `secret_unavailable`: the resource that the first request created, without its secret.',
};

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat. Choose 1 to 255 printable ASCII characters that are unique to ' +
    'the operation, such as a UUID. Remembered for 24 hours.',
  // For a quoted string (RFC 8941), its content counts.
  schema: { type: 'string', pattern: String.raw`^([ !#-~][ -~]{0,254}|"([ !#-\[\]-~]|\\["\\]){1,255}")$` },
  example: '0b7cf2f4-5f0c-4f6e-9f4e-2a1f6f7f0c11',
};
const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have. If it is current, the response is 304 without a body.',
  schema: { type: 'string', examples: ['"3"'] },
};

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version to change. If the resource has another version, the response is 412. ' +
    'Without this header, the last write wins.',
  schema: { type: 'string' },
  example: '"3"',
};
const requestIdHeader = { description: 'Identifies this request in the logs.', schema: { type: 'string' } };
const replayedHeader = {
  description: 'Present if the response comes from an earlier request with the same Idempotency-Key.',
  schema: { const: 'true' },
};
const retryAfterHeader = {
  description: 'Seconds to wait before you retry.',
  schema: { type: 'integer' },
};

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
