/** The types of the pipeline: the endpoint, what its handler gets, the call, and the runtime. */

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller, Tenant } from '../base/caller.ts';
import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { FileAction, Files } from '../base/files.ts';
import type { IdKind } from '../base/ids.ts';
import type { Scope } from '../base/scopes.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { StageLimits, TenantLimits } from '../base/stage-limits.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import type { Downloads } from '../downloads/types.ts';
import type { Load } from '../dynamodb/load.ts';
import type { Session } from '../dynamodb/session.ts';
import type { ProjectStore, Store } from '../dynamodb/store.ts';
import type { Access } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { EventType } from '../events/types.ts';
import type { IdempotencyRecord, RecordKey, RecordRef } from '../idempotency/store.ts';
import type { Counting, Policy } from '../limits/limiter.ts';
import type { Network } from '../network/network.ts';
import type { StoredProject } from '../projects/store.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import type { EntityTagTest } from './entity-tags.ts';
import type { RequestHeaders } from './headers.ts';
import type { SignIn } from './sign-in.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A 304 has no body. Its data only sets the headers. */
/** A 302 has no body either: its data sets `Location`. */
export type SuccessStatus = 200 | 201 | 202 | 302 | 304;
export type ObjectSchema = z.ZodType<Record<string, unknown>>;
export type Responses = Partial<Record<SuccessStatus, ObjectSchema>>;

/** `any` accepts every valid credential; `public` requires no credential. */
export type Authorization = Scope | 'any' | 'public';

/** `bytes` is streamed, because API Gateway would return base64 (lib/http/stream.ts). */
export type RawBody = 'json' | 'text' | 'bytes';

/** `existing` includes archived projects, `active` does not. */
export type ProjectState = 'existing' | 'active';

/** `value` returns undefined to omit the header. */
export type Headers<Data> = Readonly<
  Record<string, { description: string; value: (data: Data, request: HeaderSource) => string | undefined }>
>;

export type HeaderSource = {
  /** The path of the request, as sent. */
  path: string;
  /** The request asked to wait, but did not, because too many others wait. */
  isWaitLimited: boolean;
};

export type OtherMethods = Readonly<Partial<Record<Method, string>>>;

/** An endpoint for the pipeline and the tools: its declaration with all defaults. */
export type Endpoint = {
  id: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  auth: Authorization;
  alsoFor: readonly Scope[];
  scopeFor: ((body: unknown) => Scope) | undefined;
  scopeForLoaded: ((loaded: Readonly<Record<string, unknown>>) => Scope) | undefined;
  project: ProjectState | undefined;
  loads: Readonly<Record<string, Load<unknown, LoadContext, unknown>>>;
  ifMatch: boolean;
  ifNoneMatch: boolean;
  /** The events that it can cause. */
  causes: readonly EventType[];
  waits: BindWait | undefined;
  otherMethods: OtherMethods;
  request: { params: ObjectSchema; query: ObjectSchema; body: z.ZodType | undefined };
  responses: Responses;
  headers: Headers<unknown>;
  secrets: readonly string[];
  encrypts: boolean;
  raw: RawBody | undefined;
  /** All of its errors. */
  errors: readonly ErrorCode[];
  /** All of its function's actions on tables, including the pipeline's. */
  access: Access;
  files: readonly FileAction[];
  /** Whether it serves downloads. */
  downloads: boolean;
  /** Whether it accepts an Idempotency-Key, as every POST does. */
  idempotent: boolean;
  handle(input: Input<unknown, unknown, unknown, unknown>): Promise<Reply>;
};

export type Reply =
  | {
      status: SuccessStatus;
      data: unknown;
      writes?: readonly Write[];
      steps?: readonly (readonly Write[])[];
    }
  | Failure<ErrorCode>;

/** The input of a handler. It reads through `store`, and gets time, ids and randomness only from here. */
export type Input<P, Q, B, Who, Project = unknown, L = unknown> = {
  params: P;
  query: Q;
  body: B;
  caller: Who;
  /** The project in the path, for an endpoint that declares one. */
  project: Project;
  /** The items that the endpoint loads. They are read again for each retry. */
  loaded: L;
  /** Whether If-Match names this version. Always true without an If-Match. */
  matches: EntityTagTest;
  /** Whether If-None-Match names this version. */
  isKnown: EntityTagTest;
  /** Bound to the caller's tenant, and to the project if the endpoint declares one. */
  store: Project extends StoredProject ? ProjectStore : Store;
  nowMs: number;
  /** With `atMs`, the id sorts by that time instead of now. */
  newId: (kind: IdKind, atMs?: number) => string;
  randomBytes: (size: number) => Uint8Array;
  /** For an endpoint that declares `encrypts`. */
  secretBox: Pick<SecretBox, 'encrypt'>;
  /** For URLs that callers choose. */
  network: Network;
  /** The commit from which the function was built. */
  commit: string;
  /** The OIDC client of the console, if the stage names one. */
  signIn: SignIn | undefined;
  /** For an endpoint that declares `waits`; for any other, it throws. */
  wait: Waiting<L>;
  /** Milliseconds since the start of the request, for work with a time limit. */
  elapsedMs: () => number;
  /** Creates and parses the cursors of this list. */
  cursor: Cursors;
  /** The limits and quotas of the caller's tenant. */
  limits: TenantLimits;
  /** Identifies the idempotency record of this request, if any, so that its response can be erased later. */
  recordRef: RecordRef | undefined;
  /** For an endpoint that declares `files`. */
  files: Files;
  /** For an endpoint that declares `downloads`. */
  downloads: Downloads;
  /** @returns the base URL that the caller used, such as `https://api.example.com/api/v1` */
  baseUrl: () => string;
};

export type Cursors = {
  /**
   * @param pattern the form of the list's positions, if they are not ids with a ULID
   * @throws ApiError validation_error if the cursor belongs to another list
   */
  position(cursor: string | undefined, pattern?: RegExp): string | undefined;
  next(position: string | null): string | null;
};

/** The input that decides whether a request may see a loaded item. */
export type LoadContext<Who = Caller | undefined, Project = StoredProject | undefined> = {
  caller: Who;
  project: Project;
  nowMs: number;
};

/** A failed result: one of the declared errors. */
export type Failure<Code extends ErrorCode> = {
  error: Code;
  message: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
};

export type Waiting<Loaded = unknown> = {
  /**
   * Reads at once, and then every second until `isDone` or until the time is up. If too many others wait, it reads only
   * once.
   * @param read gets the endpoint's current loads, and the time in epoch milliseconds
   * @param seconds how long to wait, from the start of the request; nothing is written if it does not wait
   * @returns the last result of `read`
   * @throws ApiError unauthorized, insufficient_scope, not_found or rate_limited, if a new request would get it, or
   *   quota_exceeded if the tenant's own quota of waits is used up
   */
  until<Read>(
    read: (nowMs: number, loaded: Loaded) => Promise<Read> | Read,
    isDone: (read: Read) => boolean,
    seconds: number,
  ): Promise<Read>;
};

export type Finders = Readonly<Record<string, (context: LoadContext) => unknown>>;

export type Verdict = {
  headers: Readonly<Record<string, string>>;
  /** Set if the request is refused. */
  refusal?: { message: string; retryAfterSeconds: number };
};

export type Limiter = (policies: readonly Policy[], counting: Counting) => Promise<Verdict>;

export type Runtime = BaseRuntime & {
  /** The accepted kinds of credential. */
  credentials: readonly CredentialKind[];
  /** The lifetime of an idempotency record. */
  retentionMs: number;
  /** The limits and quotas of tenants. */
  limits: StageLimits;
  limiter: () => Promise<Limiter>;
  /** A limit that cannot be counted in this time does not apply to the request. */
  limiterPatienceMs: number;
  /** For functions that serve downloads. */
  downloads: Downloads;
  /** The version of the service, which its clients have too; undefined if it is unknown. */
  version: string | undefined;
  /** The OIDC client of the console. */
  signIn: SignIn | undefined;
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

/** What a request with a credential claims before its credential is verified. */
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
 * The stages of a call. Each step takes the call of one stage, and makes that of the next: `begin`, `parsePath`, `prefetch`,
 * `authenticate`, `authorize`, `validate`, and `replay` for a method that changes something.
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
  /** What the caller sent as User-Agent. */
  userAgent: string | undefined;
  nowMs: number;
  /** On the runtime's monotonic clock. */
  begunMs: number;
  session: Session;
  /** Background work. It ends before the function does, and its failure does not fail the request. */
  background: Promise<unknown>[];
  headers: RequestHeaders;
  report: Report;
};

/** What happens to a call, for its response and its line in the log. All of its stages have the same report. */
export type Report = {
  /** How long the handler waited at the caller's request. */
  waitedMs: number;
  /** Set if the caller asked to wait and too many others wait. */
  isWaitLimited: boolean;
  /** The code of an error response. */
  errorCode: ErrorCode | null;
};

type Next<Before extends { stage: string }, Stage extends string, More = unknown> = Omit<Before, 'stage'> & {
  stage: Stage;
} & More;

/** An error in the path is reported after authorization. */
export type ParsedPath = { params: Params; error?: never } | { params?: never; error: z.core.$ZodError };

export type Addressed = Next<Begun, 'addressed', { parsedPath: ParsedPath }>;
/** A request to a public endpoint claims nothing. */
export type Prefetched = Next<Addressed, 'prefetched', { claim: Claim | 'public' }>;
export type Authenticated = Next<Prefetched, 'authenticated', { sender: Sender }>;
export type Authorized = Next<Authenticated, 'authorized'>;
export type Validated = Next<Authorized, 'validated', { params: Params; query: unknown; body: unknown }>;
/** `recording` is undefined without an Idempotency-Key. */
export type Recorded = Next<Validated, 'recorded', { recording: Recording | undefined }>;

export type Call = Begun | Addressed | Prefetched | Authenticated | Authorized | Validated | Recorded;

export type CallContext = Context & { call: Call };
export type Request = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallContext>;

/** The result of the handler or of a stored record, before it is rendered. */
export type Outcome = {
  status: number;
  data: unknown;
  /** `data` as JSON, if it has been stored in this form. */
  text?: string | undefined;
  replayed: boolean;
};

/** The end of the pipeline, which differs between methods that read and methods that change something. */
export type Core = {
  /** The last middlewares. */
  middlewares: readonly ((endpoint: Endpoint) => Middleware)[];
  answer(endpoint: Endpoint, runtime: Runtime, call: Call): Promise<Outcome>;
};

/** Binds the waiting of one request. @param loaded the items that its handler got */
export type BindWait = (
  endpoint: Endpoint,
  runtime: Runtime,
  call: Validated | Recorded,
  subject: { store: Store; project: StoredProject | undefined; loaded: Readonly<Record<string, unknown>> },
) => Waiting;
