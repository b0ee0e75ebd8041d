/** The types of the pipeline: an endpoint, the input of its handler, and the runtime. The stages of a call are in call.ts. */

import type * as z from 'zod';
import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { FileAction, Files } from '../base/files.ts';
import type { IdKind } from '../base/ids.ts';
import type { RequiredScopes, ScopeSets } from '../base/scopes.ts';
import type { TenantLimits } from '../base/stage-limits.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import type { Downloads } from '../downloads/types.ts';
import type { Load } from '../dynamodb/load.ts';
import type { ProjectStore, Store } from '../dynamodb/store.ts';
import type { Access } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { EventType } from '../events/types.ts';
import type { RecordRef } from '../idempotency/store.ts';
import type { Counting, Policy } from '../limits/limiter.ts';
import type { Model } from '../models/models.ts';
import type { StoredProject } from '../projects/store.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import type { SecretBox } from '../runtime/secret-box.ts';
import type { Call, LoadContext, Middleware, Recorded, Validated, Verdict } from './call.ts';
import type { EntityTagTest } from './entity-tags.ts';
import type { Events } from './handler-result.ts';
import type { OwnApi } from './own-api.ts';
import type { SignIn } from './sign-in.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A 304 and a 302 have no body: their data only sets headers. */
type SuccessStatus = 200 | 201 | 202 | 302 | 304;
/** Only messages of JSON-RPC, which has errors of its own, have these statuses. Their body is not the envelope. */
type MessageStatus = 400 | 404 | 406;
export type ObjectSchema = z.ZodType<Record<string, unknown>>;
export type Responses = Partial<Record<SuccessStatus | MessageStatus, ObjectSchema>>;

/** `any` accepts every valid credential; `public` requires no credential. */
export type Authorization = RequiredScopes | 'any' | 'public';

/**
 * `bytes` is streamed, because API Gateway would return base64 (lib/http/lambda/downloads.ts). `message` is the `text` of a message of
 * JSON-RPC. If the text is empty, there is no body. `events` are server-sent events: the data is `StreamedEvents`, and the response is
 * streamed while the handler's function makes it (lib/http/streaming.ts).
 */
export type RawBody = 'json' | 'text' | 'bytes' | 'message' | 'events';

/** `existing` includes archived projects, `active` does not. */
export type ProjectState = 'existing' | 'active';

/** `value` returns undefined to omit the header. */
export type Headers<Data> = Readonly<
  Record<string, { description: string; value: (data: Data, request: HeaderSource) => string | undefined }>
>;

export type HeaderSource = {
  path: string;
  /** The request asked to wait, but did not, because too many other requests wait. */
  isWaitLimited: boolean;
};

export type OtherMethods = Readonly<Partial<Record<Method, string>>>;

/** A declaration with all defaults, for the pipeline and the tools. */
export type Endpoint = {
  id: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  auth: ScopeSets | 'any' | 'public';
  scopesFor: ((request: { query: unknown; body: unknown }) => RequiredScopes | undefined) | undefined;
  scopesForLoaded: ((loaded: Readonly<Record<string, unknown>>) => RequiredScopes) | undefined;
  project: ProjectState | undefined;
  loads: Readonly<Record<string, Load<unknown, LoadContext, unknown>>>;
  environments: EnvironmentRule<Input<unknown, unknown, unknown, unknown>> | undefined;
  ifMatch: boolean;
  ifNoneMatch: boolean;
  causes: readonly EventType[];
  removes?: string;
  waits: BindWait | undefined;
  otherMethods: OtherMethods;
  request: { params: ObjectSchema; query: ObjectSchema; body: z.ZodType | undefined };
  parseBody?: (json: string) => unknown;
  responses: Responses;
  headers: Headers<unknown>;
  secrets: readonly string[];
  encrypts: boolean;
  models: boolean;
  raw: RawBody | undefined;
  errors: readonly ErrorCode[];
  /** The actions of its function on tables, including those of the pipeline. */
  access: Access;
  files: readonly FileAction[];
  downloads: boolean;
  forwards: boolean;
  memoryMb: number;
  /** Every POST with a credential accepts an Idempotency-Key. */
  idempotent: boolean;
  handle(input: Input<unknown, unknown, unknown, unknown>): Promise<Reply>;
};

/**
 * How an endpoint keeps a credential that is bound to environments in them: the environments (by name) and deployments (by id)
 * that a request names; or the handler leaves other environments out; or the resource belongs to no environment; or the endpoint
 * refuses such a credential, for a reason: a sentence for the caller.
 */
export type EnvironmentRule<Request> =
  | ((request: Request) => readonly (string | null | undefined)[])
  | 'left_out'
  | 'none'
  | 'refused'
  | { refused: string };

export type Reply =
  | {
      status: SuccessStatus | MessageStatus;
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
  /** Tells whether If-Match names this version. Without If-Match, every version matches. */
  matches: EntityTagTest;
  /** Tells whether If-None-Match names this version. */
  isKnown: EntityTagTest;
  /** The tables of the tenant of the caller, and of the project if the endpoint declares one. */
  store: Project extends StoredProject ? ProjectStore : Store;
  nowMs: number;
  /** An id with `atMs` sorts by that time instead of now. */
  newId: (kind: IdKind, atMs?: number) => string;
  randomBytes: (size: number) => Uint8Array;
  /** Only an endpoint that declares `encrypts` can use it. */
  secretBox: Pick<SecretBox, 'encrypt'>;
  /** The models of the stage; empty unless the endpoint declares `models`. */
  models: readonly Model[];
  network: BaseRuntime['network'];
  version: string;
  /** The commit from which the function was built. */
  commit: string;
  /** The OIDC client of the console, if the stage names one. */
  signIn: SignIn | undefined;
  /** The origin to which the console sends files; undefined if it is that of the API. */
  uploadOrigin: string | undefined;
  /** It throws unless the endpoint declares `waits`. */
  wait: Waiting<L>;
  /** The time since the start of the request, for work with a time limit. */
  elapsedMs: () => number;
  cursor: Cursors;
  limits: TenantLimits;
  /** Identifies the idempotency record of this request, if any, so that its response can be erased later. */
  recordRef: RecordRef | undefined;
  files: Files;
  downloads: Downloads;
  api: OwnApi;
  /** @param name in lower case. @returns the values of a header, as sent */
  headerValues: (name: string) => readonly string[];
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

export type Failure<Code extends ErrorCode> = {
  error: Code;
  message: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
};

export type Waiting<Loaded = unknown> = {
  /**
   * Reads at once, and then every second until `isDone` or until the time is up. If too many other requests wait, it reads only
   * once.
   * @param read gets the endpoint's current loads, and the time in epoch milliseconds
   * @param seconds how long to wait, from the start of the request; nothing is written if it does not wait
   * @returns the last result of `read`
   * @throws ApiError unauthorized, insufficient_scope, not_found or rate_limited, if a new request would get it, or
   *   quota_exceeded if the tenant's own quota of waits is used up
   */
  until<Read>(
    read: (nowMs: number, loaded: Loaded) => Promise<Read> | Read,
    isDone: (result: Read) => boolean,
    seconds: number,
  ): Promise<Read>;
  /**
   * Reads for a streamed response, until `isDone` or until the time is up. The first read and the lease come before the response, so
   * their errors are ordinary ones. Later, the caller is admitted again before it gets something new, and at least each second.
   * @param read gets the endpoint's current loads, and the time in epoch milliseconds
   * @returns the reads: those with something new, and at least one a second. An error ends them: the one that a new request would get
   * @throws ApiError rate_limited if too many other requests wait, or quota_exceeded if the tenant's own quota of waits is used up
   */
  follow<Read>(
    read: (nowMs: number, loaded: Loaded) => Promise<Read> | Read,
    options: FollowOptions<Read>,
  ): Promise<(signal: AbortSignal) => AsyncIterable<Read>>;
};

export type FollowOptions<Read> = {
  isDone: (result: Read) => boolean;
  isNew: (result: Read) => boolean;
  /** From the start of the request. At most `maxStreamSeconds`. */
  seconds: number;
};

export type Limiter = (policies: readonly Policy[], counting: Counting) => Promise<Verdict>;

export type Runtime = BaseRuntime & {
  credentials: readonly CredentialKind[];
  retentionMs: number;
  limiter: () => Promise<Limiter>;
  /** A limit that cannot be counted in this time does not apply to the request. */
  limiterPatienceMs: number;
  downloads: Downloads;
  api: OwnApi;
  /** The version of the service, which its clients have too; `unknown` if the environment does not name it. */
  version: string;
  /** The OIDC client of the console. */
  signIn: SignIn | undefined;
  uploadOrigin: string | undefined;
};

/** The result of the handler or of a stored record, before it is rendered. */
export type Outcome = {
  status: number;
  data: unknown;
  /** `data` as JSON, if it has been stored in this form. */
  text?: string | undefined;
  replayed: boolean;
  /** The body of a streamed response. */
  events?: Events;
};

/** The end of the pipeline, which differs between methods that read and methods that change something. */
export type Core = {
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
