/**
 * Decodes and parses the parameters in the path; a REST API of API Gateway does not decode them. Reads
 * `event.pathParameters`; sets `call.params`, or `call.pathError`, which `validate` reports after authentication. May
 * fail with `validation_error` for invalid percent-encoded UTF-8, which no later step could read.
 */

import { invalidField } from '../../base/errors.ts';
import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';

export function parsePath({ request }: Endpoint): Middleware {
  function parsePathBefore({ event, context: { call } }: Request): void {
    const parameters = event.pathParameters;
    for (const name in parameters) parameters[name] = decode(name, parameters[name] ?? '');
    const { data, error } = request.params.safeParse(parameters ?? {});
    if (error) call.pathError = error;
    else call.params = data;
  }

  return { before: parsePathBefore };
}

function decode(name: string, segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidField(name, 'must be percent-encoded UTF-8');
  }
}
