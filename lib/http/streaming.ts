/**
 * Responses that are streamed as server-sent events. Everything before the first byte is as for other endpoints: an error is an
 * envelope with its status. Later, the status is sent already, so the last chunk says what went wrong. Only the functions of
 * endpoints with `raw: 'events'` load this file.
 */

import type { Call } from './call.ts';
import type { StreamedEvents } from './handler-result.ts';
import { noteIfRefused } from './note-refusal.ts';
import { publicError } from './public-error.ts';
import type { Endpoint, Runtime } from './types.ts';

/** @returns the chunks of the handler. An error becomes the last chunk, and is logged as that of another response is */
export async function* guardedEvents(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Call,
  { events, failure }: StreamedEvents,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  try {
    yield* events(signal);
  } catch (thrown) {
    const error = publicError(endpoint, runtime, thrown, call.requestId);
    call.report.errorCode = error.code;
    noteIfRefused(endpoint, call, error);
    const { errors } = await import('./errors.ts');
    const { code, publicMessage: message = errors[code].message } = error;
    yield failure({ code, message });
  }
}
