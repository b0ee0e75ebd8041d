/**
 * The values in the path as they were meant. A REST API of API Gateway passes them on percent-encoded, as they came. Reads and sets
 * `event.pathParameters`. May answer `validation_error` for what is no percent-encoded UTF-8.
 */

import { invalidField } from '../../errors.ts';
import type { Middleware, Request } from '../call.ts';

export function decodePath(): Middleware {
  function decodePathBefore({ event }: Request): void {
    const parameters = event.pathParameters;
    for (const name in parameters) parameters[name] = decode(name, parameters[name] ?? '');
  }

  return { before: decodePathBefore };
}

function decode(name: string, segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidField(name, 'must be percent-encoded UTF-8');
  }
}
