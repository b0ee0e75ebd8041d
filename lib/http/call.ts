/** One request on its way through the pipeline: what the middlewares have found out so far. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { core } from 'zod';
import type { Caller } from '../caller.ts';
import type { Session } from '../dynamodb/session.ts';
import type { ErrorCode } from '../errors.ts';
import type { RecordKey } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
import type { FirstReads } from './first-reads.ts';
import type { RequestHeaders } from './headers.ts';

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
  background: Promise<unknown>[];
  headers: RequestHeaders;
  /** Set by `parsePath`: the parameters in the path, or what is wrong with them. */
  params?: Readonly<Record<string, unknown>>;
  pathError?: core.$ZodError;
  /** Set by `prefetch`: the raw credential, and where it is an API key, the id that it claims. */
  credential?: string;
  callingKeyId?: string | undefined;
  /** Set by `prefetch` where a valid Idempotency-Key was sent: the key, and where its record is. */
  idempotency?: { key: string; recordKey: RecordKey };
  /** Set by `prefetch`, for an endpoint that takes a credential. */
  firstReads?: FirstReads;
  /** Set by `authenticate`. */
  caller?: Caller;
  /** Set by `decide` where the endpoint is below a project: the one in the path, if it exists. */
  project?: StoredProject | undefined;
  /** Set by `decide`: what the endpoint loads, as the handler was last given it. */
  loaded?: Readonly<Record<string, unknown>>;
  /** Set by `validate`. */
  query?: unknown;
  body?: unknown;
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
