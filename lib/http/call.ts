/** The state of one request in the pipeline. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { core } from 'zod';
import type { Caller } from '../base/caller.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import type { RecordKey } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
import type { FirstReads } from './first-reads.ts';
import type { RequestHeaders } from './headers.ts';
import type { Verdict } from './limiter.ts';

export type Call = {
  /** The gateway's request id: only for responses and logs, because clients can choose it. */
  requestId: string;
  /** The path as sent, with the stage or base path. */
  path: string;
  /** The service's own id of the call, which clients cannot choose: the stamp on what it changes. */
  id: string;
  /** The address that the gateway's connection came from. No header can change it. */
  sourceAddress: string | undefined;
  /** What the caller sent as User-Agent. */
  userAgent: string | undefined;
  nowMs: number;
  /** On the runtime's monotonic clock. */
  begunMs: number;
  /** How long the handler waited at the caller's request. */
  waitedMs: number;
  /** Set if the caller asked to wait and too many others wait. */
  isWaitLimited?: boolean;
  session: Session;
  /** Background work. It ends before the function does, and its failure does not fail the request. */
  background: Promise<unknown>[];
  headers: RequestHeaders;
  /** Set by `parsePath`: the parameters in the path, or its error. */
  params?: Readonly<Record<string, unknown>>;
  pathError?: core.$ZodError;
  /** Set by `prefetch`: the raw credential, and the claimed id of an API key. */
  credential?: string;
  callingKeyId?: string | undefined;
  /** Set by `prefetch` for a valid Idempotency-Key: the key, and the place of its record. */
  idempotency?: { key: string; recordKey: RecordKey };
  /** Set by `prefetch`, for an endpoint with a credential. */
  firstReads?: FirstReads;
  /** Set by `authenticate`. */
  caller?: Caller;
  /** Set by `authenticate` for a limited caller: the result of counting the request. Never rejected. */
  limits?: Promise<Verdict> | undefined;
  /** Set by `decide` for an endpoint below a project: the project in the path, if it exists. */
  project?: StoredProject | undefined;
  /** Set by `decide`: the loaded items of the last attempt. */
  loaded?: Readonly<Record<string, unknown>>;
  /** Set by `validate`. */
  query?: unknown;
  body?: unknown;
  /** Set by `respond`: the code of an error response. */
  errorCode?: ErrorCode;
  /** Set by `replay`: the fingerprint of the request. */
  fingerprint?: string;
};

export type CallContext = Context & { call: Call };
export type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;

/** Adds background work to the call. Nobody awaits it yet, so its failure must not count as unhandled. */
export function inBackground(call: Pick<Call, 'background'>, work: Promise<unknown>): void {
  work.catch(() => {});
  call.background.push(work);
}

/** The result of the handler or of a stored record, before it is rendered. */
export type Outcome = { status: number; data: unknown; replayed: boolean };
