/** The stages of a call, from the gateway's event to the handler. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller, Tenant } from '../base/caller.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import type { IdempotencyRecord, RecordKey } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
import type { HandlerResult } from './handler-result.ts';
import type { RequestHeaders } from './headers.ts';

/** The input that decides whether a request may see a loaded item. */
export type LoadContext<Who = Caller | undefined, Project = StoredProject | undefined> = {
  caller: Who;
  project: Project;
  nowMs: number;
};

export type Finders = Readonly<Record<string, (context: LoadContext) => unknown>>;

export type Verdict = {
  headers: Readonly<Record<string, string>>;
  refusal?: { message: string; retryAfterSeconds: number };
};

export type Closed<Value> = PromiseSettledResult<Value>;

/** The results of the first round trip, even errors. Each result is hidden until a later step opens it. */
export type FirstReads = {
  /** `authenticate` opens the item of the credential. */
  caller: Closed<Caller>;
  /** `replay` opens the record of the Idempotency-Key. */
  record: Closed<IdempotencyRecord | undefined>;
  /** The project in the path. It is opened for the handler. */
  project: Closed<StoredProject | undefined>;
  /** The endpoint's loads. They are opened for the handler. */
  loads: Closed<Finders>;
};

export type Params = Readonly<Record<string, unknown>>;

/** A valid Idempotency-Key, and the place of its record. */
export type IdempotencyKey = { key: string; recordKey: RecordKey };

/** The claims of a request with a credential, before the credential is verified. */
export type Claim = {
  credential: string;
  keyId: string | undefined;
  idempotency: IdempotencyKey | undefined;
  firstReads: FirstReads;
};

/** The sender of a verified credential. */
export type KnownSender = {
  kind: 'caller';
  id: string;
  tenant: Tenant;
  caller: Caller;
  claim: Claim;
  /** The result of counting the request; undefined if the caller has no limit. The promise is never rejected. */
  limits: Promise<Verdict> | undefined;
};

/** The sender of a request to a public endpoint. */
export type AnySender = { kind: 'public'; id: 'public'; tenant: 'public'; caller?: never; limits?: never };

export type Sender = KnownSender | AnySender;

/** Identifies the idempotency record of a request, with everything that its content depends on. */
export type Recording = IdempotencyKey & {
  credential: string;
  fingerprint: string;
  /** `reachOf` the sender. */
  reach: string | undefined;
};

/**
 * The stages of a call. Each step takes the call of one stage, and makes the call of the next stage: `begin`, `parsePath`,
 * `prefetch`, `authenticate`, `authorize`, `validate`, and `replay` for a method that changes something.
 */
export type Begun = {
  stage: 'begun';
  /** The request id of the gateway. Clients can choose it, so it is only for responses and logs. */
  requestId: string;
  /** The path as sent, with the stage or base path. */
  path: string;
  /** The host that the caller used, with its port; undefined in a test without a gateway. */
  host: string | undefined;
  /** The id that the service gives the call. Clients cannot choose it. Every changed item has it as a stamp. */
  id: string;
  /** The address that the gateway's connection came from. No header can change it. */
  sourceAddress: string | undefined;
  userAgent: string | undefined;
  nowMs: number;
  begunMs: number;
  session: Session;
  /** The background work of the call. It ends before the function does, and its failure does not fail the request. */
  background: Promise<unknown>[];
  headers: RequestHeaders;
  /** @param name in lower case. @returns the values of a header, as sent */
  headerValues: (name: string) => readonly string[];
  report: Report;
};

/** Facts about a call, for its response and its line in the log. All stages of a call share the report. */
export type Report = {
  /** The time that the handler waited at the request of the caller. */
  waitedMs: number;
  /** The caller asked to wait, but too many other requests wait. */
  isWaitLimited: boolean;
  errorCode: ErrorCode | null;
};

type Next<Before extends { stage: string }, Stage extends string, More = unknown> = Omit<Before, 'stage'> & {
  stage: Stage;
} & More;

/** An error in the path is reported after authorization. */
type ParsedPath = { params: Params; error?: never } | { params?: never; error: z.core.$ZodError };

export type Addressed = Next<Begun, 'addressed', { parsedPath: ParsedPath }>;
/** A request to a public endpoint claims nothing. */
export type Prefetched = Next<Addressed, 'prefetched', { claim: Claim | 'public' }>;
type Authenticated = Next<Prefetched, 'authenticated', { sender: Sender }>;
type Authorized = Next<Authenticated, 'authorized'>;
export type Validated = Next<Authorized, 'validated', { params: Params; query: unknown; body: unknown }>;
/** `recording` is undefined without an Idempotency-Key. */
export type Recorded = Next<Validated, 'recorded', { recording: Recording | undefined }>;

export type Call = Begun | Addressed | Prefetched | Authenticated | Authorized | Validated | Recorded;

export type CallContext = Context & { call: Call };
export type Request = middy.Request<APIGatewayProxyEvent, HandlerResult, Error, CallContext>;
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, HandlerResult, Error, CallContext>;
