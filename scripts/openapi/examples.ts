/**
 * The examples of the document: a request to each endpoint that the tests really sent, and its response. `npm run generate`
 * records them; with `--check`, it compares them with the present responses of the API.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import recorded from './examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';

export type Example = {
  /** With the query. */
  path: string;
  body?: Json;
  status: number;
  /** Not of a raw document. */
  data?: Json;
};

/** @returns undefined for an endpoint that is not recorded yet */
export const exampleOf = ({ id }: Endpoint): Example | undefined => (recorded as Record<string, Example>)[id];

/** @returns the values of the path and query parameters of the recorded request, by name */
export function exampleParameters(endpoint: Endpoint): Record<string, string> {
  const example = exampleOf(endpoint);
  if (!example) return {};
  const url = new URL(example.path, 'http://localhost');
  const segments = url.pathname.split('/');
  const inPath = endpoint.path.split('/').flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name ? [[name, decodeURIComponent(segments[index] ?? '')] as const] : [];
  });
  return { ...Object.fromEntries(inPath), ...Object.fromEntries(url.searchParams) };
}
