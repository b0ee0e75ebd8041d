/**
 * The author of the items that a request writes. The source address is the address of the connection to the gateway
 * (`identity.sourceIp`, "the immediate TCP connection": "Variables for data transformations for API Gateway", Amazon API
 * Gateway Developer Guide).
 */

import { statedOf } from '../audit/stated.ts';
import type { Author } from '../dynamodb/write.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './types.ts';

const maxAgentCharacters = 200;
/** Clients can choose the id of a request. The ids of the gateway have 36 characters. */
const maxRequestIdLength = 128;

/** @param changedBy the id of the sender */
export const authorOf = (
  { id, causes }: Pick<Endpoint, 'id' | 'causes'>,
  call: Call,
  changedBy: string,
): Author => ({
  changedBy,
  changedThrough: id,
  changedAs: statedOf(causes),
  changedIn: call.id,
  ...originOf(call),
  nowMs: call.nowMs,
});

/** @returns the stamps that say where a request came from */
const originOf = ({ sourceAddress, userAgent, requestId }: Call) => ({
  changedFrom: sourceAddress,
  changedUsing: userAgent ? cut(userAgent) : undefined,
  changedRequest: requestId.slice(0, maxRequestIdLength),
});

/** @returns the first characters; a character of two UTF-16 units is not split */
const cut = (text: string): string =>
  text.length <= maxAgentCharacters ? text : Array.from(text).slice(0, maxAgentCharacters).join('');
