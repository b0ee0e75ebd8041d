/**
 * Decodes and parses the parameters in the path; a REST API of API Gateway does not decode them. Reads
 * `event.pathParameters`; sets `parsedPath`, whose error `validate` reports after authentication. May
 * fail with `validation_error` for invalid percent-encoded UTF-8, which no later step could read.
 */

import { invalidField } from '../../base/errors.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

export function parsePath({ request }: Endpoint): Middleware {
  function parsePathBefore({ event, context }: Request): void {
    const call = callAt(context.call, 'begun');
    const parameters = event.pathParameters;
    for (const name in parameters) parameters[name] = decode(name, parameters[name] ?? '');
    const { data: params, error } = request.params.safeParse(parameters ?? {});
    context.call = { ...call, stage: 'addressed', parsedPath: error ? { error } : { params } };
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
