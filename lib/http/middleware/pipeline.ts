/** Turns a declaration into a Lambda handler. Every request passes these steps, in this order. */

import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { CallContext } from '../call.ts';
import type { HandlerResult } from '../handler-result.ts';
import type { Core, Endpoint, Runtime } from '../types.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { begin } from './begin.ts';
import { finish } from './finish.ts';
import { parseBody } from './parse-body.ts';
import { parsePath } from './parse-path.ts';
import { prefetch } from './prefetch.ts';
import { respond } from './respond.ts';
import { validate } from './validate.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<HandlerResult>;

/** @param core the end of the pipeline, for the method of the endpoint */
export function createHandler(endpoint: Endpoint, runtime: Runtime, core: Core): Handler {
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
      ...core.middlewares.map((middleware) => middleware(endpoint)),
    ])
    .handler((_event, context) =>
      core.answer(endpoint, runtime, (context as CallContext).call),
    ) as unknown as Handler;
}
