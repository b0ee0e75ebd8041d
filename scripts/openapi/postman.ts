/**
 * Writes the Postman collection: a folder per tag, a request per operation, with the recorded example
 * (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html). Its variables are `baseUrl`, `apiKey` and the
 * ids in paths. A request that creates something sets its id, so the next request finds it.
 */

import { type Operation, type Parameter, readDocument } from './read.ts';
import type { Json } from './schemas.ts';

/** @param json the OpenAPI document */
export function postmanCollection(json: Json): Json {
  const { info, tags, operations } = readDocument(json);
  const idNames = idNamesIn(operations);
  return {
    info: {
      name: info.title,
      description: `${info.summary}\n\nSet the variables \`baseUrl\` and \`apiKey\` of the collection.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000/api/v1', description: 'Ends with /api/v1.' },
      { key: 'apiKey', value: '', description: 'An API key: sk_live_… or sk_test_….' },
      ...[...idNames.values()].map((key) => ({
        key,
        value: '',
        description: 'Set by the request that creates it.',
      })),
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map((operation) => itemOf(operation, idNames)),
    })),
  };
}

/** @returns the path parameters that are ids, by the prefix of the ids */
function idNamesIn(operations: readonly Operation[]): Map<string, string> {
  const inPaths = operations.flatMap(({ parameters }) => parameters.filter((one) => one.in === 'path'));
  return new Map(
    inPaths.flatMap(({ name, example }) => {
      const prefix = prefixOf(example);
      return prefix ? [[prefix, name] as const] : [];
    }),
  );
}

/** @returns `proj` for `proj_01JZ…` */
const prefixOf = (value: unknown) => /^([a-z]+)_[0-9A-Z]{26}$/.exec(String(value))?.[1];

function itemOf(operation: Operation, idNames: ReadonlyMap<string, string>): Json {
  const { id, summary, response } = operation;
  const request = requestOf(operation);
  const { id: createdId } = (response?.body.data ?? {}) as { id?: unknown };
  const isCreation = operation.method === 'POST' && (response?.status ?? 0) > 200;
  const created = isCreation ? idNames.get(prefixOf(createdId) ?? '') : undefined;
  return {
    id,
    name: summary,
    ...(created && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepId(created) } }],
    }),
    request,
    response: response
      ? [
          {
            name: String(response.status),
            originalRequest: request,
            code: response.status,
            header: [{ key: 'Content-Type', value: 'application/json' }],
            body: JSON.stringify(response.body, null, 2),
          },
        ]
      : [],
  };
}

const keepId = (variable: string) => [
  `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', pm.response.json().data.id);`,
];

function requestOf({ method, path, description, isPublic, parameters, body }: Operation): Json {
  const among = (where: Parameter['in']) => parameters.filter((parameter) => parameter.in === where);
  // Postman has a colon where OpenAPI has braces.
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = among('query').map((parameter) => ({ ...pair(parameter), disabled: !parameter.required }));
  const sent = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const headers = among('header').map((parameter) => ({
    ...pair(parameter),
    // A value of its own for each request.
    ...(parameter.name === 'Idempotency-Key' ? { value: '{{$guid}}' } : { disabled: true }),
  }));
  return {
    method,
    description,
    ...(isPublic && { auth: { type: 'noauth' } }),
    header: [...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...headers],
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
      host: ['{{baseUrl}}'],
      path: segments,
      ...(query.length > 0 && { query }),
      variable: among('path').map((parameter) => ({
        ...pair(parameter),
        ...(prefixOf(parameter.example) && { value: `{{${parameter.name}}}` }),
      })),
    },
    ...(body && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
  };
}

const pair = ({ name, description, example }: Parameter) => ({
  key: name,
  value: example === undefined ? '' : String(example),
  description,
});
