/**
 * Writes the Postman collection: a folder per tag, a request per operation, with the recorded example
 * (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html). Its variables are `baseUrl`, `apiKey` and the
 * path parameters.
 */

import { type Operation, type Parameter, readDocument } from './read.ts';
import type { Json } from './schemas.ts';

/** @param json the OpenAPI document */
export function postmanCollection(json: Json): Json {
  const { info, tags, operations } = readDocument(json);
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
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map(itemOf),
    })),
  };
}

function itemOf(operation: Operation): Json {
  const { id, summary, response } = operation;
  const request = requestOf(operation);
  return {
    id,
    name: summary,
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
      variable: among('path').map(pair),
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
