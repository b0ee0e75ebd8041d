/** One request on its way through the pipeline: what the middlewares have found out so far. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Caller } from '../caller.ts';
import type { Session } from '../dynamodb/session.ts';
import type { Place } from '../dynamodb/store.ts';
import type { ErrorCode } from '../errors.ts';
import type { IdempotencyRecord } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
import type { EntityTagTest } from './if-match.ts';

export type Call = {
  /** The gateway's name for the request: shown and logged, and nothing more, as clients can choose it. */
  requestId: string;
  /** The path as the caller wrote it, with the stage or base path before it. */
  path: string;
  /** Our own name for the call, which nobody can choose: the stamp on what it changes. */
  id: string;
  nowMs: number;
  /** On the runtime's steady clock. */
  begunMs: number;
  /** How long the handler waited because the caller asked it to. */
  waitedMs: number;
  /** Set where the caller asked to wait and too many wait already. */
  isWaitLimited?: boolean;
  session: Session;
  /** Work beside the answer; it ends before the function does, and its failure fails nobody. */
  aside: Promise<unknown>[];
  /** Set by `authenticate`: who calls, and with which raw credential. */
  caller?: Caller;
  credential?: string;
  /** Set by `authenticate` where an Idempotency-Key was sent: the key, where its record is, and what is stored there. */
  idempotency?: { key: string; place: Place; record: IdempotencyRecord | undefined };
  /** Set by `authenticate` where the endpoint is below a project: the one in the path, if it exists. */
  project?: StoredProject | undefined;
  /** Set by `validate`. */
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** Set by `validate` where the endpoint takes If-Match. */
  matches?: EntityTagTest;
  /** Set by `validate` where the endpoint takes If-None-Match. */
  isKnown?: EntityTagTest;
  /** Set by `respond`: the code of an answer that is an error. */
  errorCode?: ErrorCode;
  /** Set by `replay`: what the Idempotency-Key stands for. */
  fingerprint?: string;
};

export type CallContext = Context & { call: Call };
export type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;

/** What the handler or a stored record answers, before it is rendered. */
export type Outcome = { status: number; data: unknown; replayed: boolean };

/**
 * Reads a header whatever its case: gateways pass names on as clients wrote them.
 * @returns every value that was sent under that name
 */
export function headerValues(event: APIGatewayProxyEvent, name: string): string[] {
  const values: string[] = [];
  const headers = event.multiValueHeaders ?? event.headers ?? {};
  for (const key in headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const sent = headers[key];
    if (sent !== undefined) values.push(...[sent].flat());
  }
  return values;
}
