/**
 * The author of what a request writes. The source address is that of the connection to the gateway (`identity.sourceIp`,
 * "the immediate TCP connection": "Variables for data transformations for API Gateway", Amazon API Gateway Developer Guide).
 */

import type { Author } from '../dynamodb/write.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';

export const authorOf = ({ id }: Pick<Endpoint, 'id'>, call: Call): Author => ({
  changedBy: call.caller?.id ?? 'public',
  changedThrough: id,
  changedIn: call.id,
  changedFrom: call.sourceAddress,
  nowMs: call.nowMs,
});
