/** Turns a declaration into a Lambda handler. Every request passes these steps, in this order. */

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { CallContext } from '../call.ts';
import { decide } from '../decide.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Runtime } from '../runtime.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { begin } from './begin.ts';
import { finish } from './finish.ts';
import { parseBody } from './parse-body.ts';
import { parsePath } from './parse-path.ts';
import { prefetch } from './prefetch.ts';
import { replay } from './replay.ts';
import { respond } from './respond.ts';
import { validate } from './validate.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export function createHandler(endpoint: Endpoint, runtime: Runtime): Handler {
  return middy({ requestEnd: finish(endpoint, runtime), timeoutEarlyInMillis: 0 })
    .use([
      begin(endpoint, runtime),
      respond(endpoint, runtime),
      parsePath(endpoint),
      prefetch(endpoint, runtime),
      authenticate(endpoint, runtime),
      authorize(endpoint),
      parseBody(endpoint),
      validate(endpoint),
      replay(endpoint),
    ])
    .handler((_event, context) =>
      decide(endpoint, runtime, (context as CallContext).call),
    ) as unknown as Handler;
}
