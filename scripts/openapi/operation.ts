/** An operation of the OpenAPI document, from its declaration. */

import type * as z from 'zod';
import type { ScopeSets } from '../../lib/base/scopes.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errorSentence, failures, succeeded } from './errors.ts';
import { type Example, exampleParameters } from './examples.ts';
import { operationExtensions } from './extensions.ts';
import { tagOf } from './overview.ts';
import { limitHeaders, parametersOf } from './parameters.ts';
import { codeSamples } from './samples.ts';
import type { Components, Json } from './schemas.ts';

export function operation(endpoint: Endpoint, components: Components, example: Example | undefined): Json {
  const { auth, request } = endpoint;
  const parameters = parametersOf(endpoint, components, exampleParameters(endpoint, example));
  const sentences = [endpoint.description, authSentence(endpoint), errorSentence(endpoint)];
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint.id)],
    summary: endpoint.summary,
    description: sentences.filter((sentence) => sentence !== undefined).join('\n\n'),
    ...(auth === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request.body && { requestBody: requestBody(endpoint, request.body, components, example) }),
    responses: { ...successes(endpoint, components, example), ...failures(endpoint) },
    ...operationExtensions(endpoint),
    ...codeSamples(endpoint, example),
  };
}

function authSentence({ auth }: Endpoint): string {
  if (auth === 'public') return 'Requires no credential.';
  if (auth === 'any') return 'Requires any valid credential.';
  const wide = auth.filter((set) => !set.includes('runtime:write'));
  const own =
    wide.length < auth.length &&
    ' With `runtime:write`, only the conversations that the credential has created exist.';
  return `Requires ${alternatives(own ? wide : auth)}.${own || ''}`;
}

/** @returns ``the scope `a` or `b` ``, or ``the scope `a`, or the scopes `b` and `c` `` */
function alternatives(sets: ScopeSets): string {
  const texts = sets.map((set) => set.map((scope) => `\`${scope}\``).join(' and '));
  if (sets.every((set) => set.length === 1)) return `the scope ${listed(texts)}`;
  return sets.map(({ length }, at) => `the scope${length > 1 ? 's' : ''} ${texts[at]}`).join(', or ');
}

/** @returns `a, b or c` */
const listed = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(' or ');

function requestBody(
  endpoint: Endpoint,
  body: z.ZodType,
  components: Components,
  example: Example | undefined,
): Json {
  const name = `${schemaName(endpoint.id)}Request`;
  const schema = components.of(body, 'input');
  const description = `The body of \`${endpoint.id}\`.`;
  return {
    required: true,
    content: {
      'application/json': {
        schema: components.add(name, { description, ...schema }),
        ...(example?.body && { example: example.body }),
      },
    },
  };
}

/** @returns `KnowledgeDocumentCreate` for `knowledge.documents.create`, `Health` for `health` */
function schemaName(operationId: string): string {
  const parts = operationId
    .split('.')
    .map((part) => part.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const verb = parts.pop() ?? '';
  return parts.map((part) => part.replace(/ies$/, 'y').replace(/s$/, '')).join('') + verb;
}

const reasons = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  304: 'The version in `If-None-Match` is current. There is no body.',
} as const;

function successes(endpoint: Endpoint, components: Components, example: Example | undefined): Json {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => [
      status,
      {
        description: reasons[Number(status) as keyof typeof reasons],
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(endpoint.idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/Replayed' } }),
          ...(endpoint.auth !== 'public' && limitHeaders),
          ...headersOf(endpoint),
        },
        ...(status !== '304' && {
          content: contentOf(endpoint, Number(status), schema, components, example),
        }),
      },
    ]),
  );
}

const headersOf = ({ headers }: Endpoint): Json =>
  Object.fromEntries(
    Object.entries(headers)
      // The content of the response has its type.
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, { description }]) => [name, { description, schema: { type: 'string' } }]),
  );

const eventStream = { schema: { type: 'string', description: 'Server-sent events.' } };

const contentOf = (
  endpoint: Endpoint,
  ...rest: [number, z.ZodType, Components, Example | undefined]
): Json =>
  endpoint.raw === 'events'
    ? { 'text/event-stream': eventStream }
    : { 'application/json': success(endpoint, ...rest) };

/** The schema of the response with its envelope, and the example. */
function success(
  endpoint: Endpoint,
  status: number,
  schema: z.ZodType,
  components: Components,
  example: Example | undefined,
): Json {
  const data = components.of(schema, 'output');
  if (endpoint.raw) return { schema: data };
  const { $ref } = data;
  if (typeof $ref !== 'string')
    throw new Error(`The response ${status} of ${endpoint.id} needs a schema with an id.`);
  return {
    schema: components.add(`${$ref.split('/').at(-1)}Response`, envelope(data)),
    ...(example?.status === status && { example: { success: true, data: example.data } }),
  };
}

const envelope = (data: Json): Json => ({
  description: 'The response to a request that succeeded.',
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: succeeded(true),
    data: { ...data, description: 'The result.' },
  },
});
