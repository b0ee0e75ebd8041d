/**
 * The examples of the document: a request to each endpoint that the tests really sent, and its response. `npm run generate`
 * records them; with `--check`, it compares them with the present responses of the API. They are stored only in openapi.json.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { root } from '../shared/root.ts';
import type { Json } from './schemas.ts';

export type Example = {
  /** The path with the query. */
  path: string;
  body?: Json;
  status: number;
  /** Not of a raw document. */
  data?: Json;
};

/** By the id of the endpoint. An endpoint that is not recorded yet has none. */
export type Examples = Readonly<Record<string, Example>>;

type Shown = { example?: unknown };
type Content = { content?: { 'application/json'?: Shown } };
type Documented = {
  operationId: string;
  parameters?: readonly (Shown & { name: string; in: string })[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
};

/** @returns the examples that openapi.json has */
export function storedExamples(): Examples {
  const document = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => [operation.operationId, exampleIn(path, operation)]),
    ),
  );
}

function exampleIn(path: string, { parameters = [], requestBody, responses }: Documented): Example {
  const [status = '200', response = {}] =
    Object.entries(responses).find(([, one]) => exampleOf(one)) ?? Object.entries(responses)[0] ?? [];
  const values = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const sent = values('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(values('query').map(({ name, example }) => [name, String(example)]));
  const body = exampleOf(requestBody) as Json | undefined;
  const answer = exampleOf(response) as { data: Json } | undefined;
  return {
    path: query.size > 0 ? `${sent}?${query}` : sent,
    ...(body && { body }),
    status: Number(status),
    ...(answer && { data: answer.data }),
  };
}

const exampleOf = (one: Content = {}) => one.content?.['application/json']?.example;

/** @returns the values of the path and query parameters of the recorded request, by name */
export function exampleParameters(endpoint: Endpoint, example: Example | undefined): Record<string, string> {
  if (!example) return {};
  const url = new URL(example.path, 'http://localhost');
  const segments = url.pathname.split('/');
  const inPath = endpoint.path.split('/').flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name ? [[name, decodeURIComponent(segments[index] ?? '')] as const] : [];
  });
  return { ...Object.fromEntries(inPath), ...Object.fromEntries(url.searchParams) };
}
