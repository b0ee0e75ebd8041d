/** The stages of a call, from the gateway's event to the handler. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller, Tenant } from '../base/caller.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import type { IdempotencyRecord, RecordKey } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
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
  /** Set if the request is refused. */
  refusal?: { message: string; retryAfterSeconds: number };
};

type Closed<Value> = PromiseSettledResult<Value>;

/** The results of the first round trip, even errors. Each is hidden until a later step opens it. */
export type FirstReads = {
  /** The item of the credential. Opened by `authenticate`. */
  caller: Closed<Caller>;
  /** The record of the Idempotency-Key, if one was sent. Opened by `replay`. */
  record: Closed<IdempotencyRecord | undefined>;
  /** The project in the path, for an endpoint that declares one. Opened for the handler. */
  project: Closed<StoredProject | undefined>;
  /** The endpoint's loads. Opened for the handler. */
  loads: Closed<Finders>;
};

/** The parameters in the path. */
export type Params = Readonly<Record<string, unknown>>;

/** A valid Idempotency-Key, and the place of its record. */
export type IdempotencyKey = { key: string; recordKey: RecordKey };

/** The claims of a request with a credential, before the credential is verified. */
export type Claim = {
  /** As sent. */
  credential: string;
  /** The claimed id of an API key. */
  keyId: string | undefined;
  idempotency: IdempotencyKey | undefined;
  firstReads: FirstReads;
};

/** The sender of a verified credential. */
export type KnownSender = {
  kind: 'caller';
  /** The principal of the caller. */
  id: string;
  tenant: Tenant;
  caller: Caller;
  claim: Claim;
  /** For a limited caller: the result of counting the request. Never rejected. */
  limits: Promise<Verdict> | undefined;
};

/** Anybody: the sender of a request to a public endpoint. */
export type AnySender = { kind: 'public'; id: 'public'; tenant: 'public'; caller?: never; limits?: never };

export type Sender = KnownSender | AnySender;

/** Identifies the idempotency record of a request, with everything that its content depends on. */
export type Recording = IdempotencyKey & { credential: string; fingerprint: string };

/**
 * The stages of a call. Each step takes the call of one stage, and makes the call of the next stage: `begin`, `parsePath`,
 * `prefetch`, `authenticate`, `authorize`, `validate`, and `replay` for a method that changes something.
 */
export type Begun = {
  stage: 'begun';
  /** The gateway's request id: only for responses and logs, because clients can choose it. */
  requestId: string;
  /** The path as sent, with the stage or base path. */
  path: string;
  /** The host that the caller used, with its port; undefined in a test without a gateway. */
  host: string | undefined;
  /** The service's own id of the call, which clients cannot choose: the stamp on every item that it changes. */
  id: string;
  /** The address that the gateway's connection came from. No header can change it. */
  sourceAddress: string | undefined;
  /** As the caller sent it. */
  userAgent: string | undefined;
  nowMs: number;
  /** On the runtime's monotonic clock. */
  begunMs: number;
  session: Session;
  /** Background work. It ends before the function does, and its failure does not fail the request. */
  background: Promise<unknown>[];
  headers: RequestHeaders;
  /** @param name in lower case. @returns the values of a header, as sent */
  headerValues: (name: string) => readonly string[];
  report: Report;
};

/** Facts about a call, for its response and its line in the log. All stages of a call share the report. */
export type Report = {
  /** How long the handler waited at the caller's request. */
  waitedMs: number;
  /** Set if the caller asked to wait, and too many other requests wait. */
  isWaitLimited: boolean;
  /** The code of an error response. */
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
export type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;
