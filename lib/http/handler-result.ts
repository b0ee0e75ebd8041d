/** The result of a Lambda handler, which may be streamed. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ErrorCode } from '../base/errors.ts';

/** The chunks of a streamed response, in order. The function is called once. After an abort, nothing reads the chunks. */
export type Events = (signal: AbortSignal) => AsyncIterable<string>;

/** The data of an endpoint of events. `failure` makes the last chunk, if an error ends the response after its first byte. */
export type StreamedEvents = {
  events: Events;
  failure: (error: { code: ErrorCode; message: string }) => string;
};

/** The body is empty if there are `events`. */
export type HandlerResult = APIGatewayProxyResult & { events?: Events };
