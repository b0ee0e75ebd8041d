/**
 * The values in the path as they were meant. A REST API of API Gateway passes them on percent-encoded, as they came. Reads and sets
 * `event.pathParameters`; answers nothing itself.
 */

import type { Middleware, Request } from '../call.ts';

export function decodePath(): Middleware {
  function decodePathBefore({ event }: Request): void {
    const parameters = event.pathParameters;
    for (const name in parameters) parameters[name] = decode(parameters[name] ?? '');
  }

  return { before: decodePathBefore };
}

/** What is not valid percent-encoding stays as it is: no id looks like that. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
