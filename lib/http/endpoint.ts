/**
 * The declaration of an endpoint. Everything that is known about one stands in its file's `defineEndpoint`; the
 * handler, the route, the IAM policy, the OpenAPI document, the dev server and the contract tests come from it.
 */

import * as z from 'zod';
import type { Caller } from '../caller.ts';
import type { Load, Loaded, Loads } from '../dynamodb/load.ts';
import type { ProjectStore, Store } from '../dynamodb/store.ts';
import { type Access, mergeAccess } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { ErrorCode } from '../errors.ts';
import type { RecordRef } from '../idempotency/store.ts';
import type { IdKind } from '../ids.ts';
import type { StoredProject } from '../projects/store.ts';
import type { Scope } from '../scopes.ts';
import type { EntityTagTest } from './entity-tags.ts';
import { validationMessage } from './validation-messages.ts';
import type { Waiting } from './waiting.ts';

export { optional } from '../dynamodb/load.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A 304 has no body: its data only makes the headers. */
type SuccessStatus = 200 | 201 | 202 | 304;
type ObjectSchema = z.ZodType<Record<string, unknown>>;
type Responses = Partial<Record<SuccessStatus, ObjectSchema>>;

/** `any` takes every valid credential, `public` takes none. */
export type Authorization = Scope | 'any' | 'public';

/** `existing` takes archived ones too, `active` does not. */
export type ProjectState = 'existing' | 'active';

/** `value` may leave its header out. */
export type Headers<Data> = Readonly<
  Record<string, { description: string; value: (data: Data, request: HeaderSource) => string | undefined }>
>;

export type HeaderSource = {
  /** The path of the request as its caller wrote it. */
  path: string;
  /** The request wanted to wait, and was answered at once as too many wait already. */
  isWaitLimited: boolean;
};

/** What a handler may answer: one of the declared statuses with its data, and what should be written with it. */
type Success<R extends Responses, Code extends ErrorCode> = {
  [Status in keyof R]: R[Status] extends z.ZodType
    ? { status: Status; data: z.input<R[Status]>; writes?: readonly Write<Code>[] }
    : never;
}[keyof R];

/** Or one of the declared errors. */
export type Failure<Code extends ErrorCode> = { error: Code; message: string | undefined };

export const fail = <const Code extends ErrorCode>(error: Code, message?: string): Failure<Code> => ({
  error,
  message,
});

/** What a handler knows. It reads through `store`, and gets time, ids and randomness from here alone. */
export type Input<P, Q, B, Who, Within = unknown, L = unknown> = {
  params: P;
  query: Q;
  body: B;
  caller: Who;
  /** The project that the path names; for an endpoint that declares one. */
  project: Within;
  /** What the endpoint loads: read again whenever the handler decides again. */
  loaded: L;
  /** Whether the version that the caller has in mind is this one: any is, without an If-Match. */
  matches: EntityTagTest;
  /** Whether the caller has this version already: If-None-Match names it. */
  isKnown: EntityTagTest;
  /** Bound to the caller's tenant, and to the project for an endpoint that declares one. */
  store: Within extends StoredProject ? ProjectStore : Store;
  nowMs: number;
  /** With `atMs`, an id that sorts by that time and not by now. */
  newId: (kind: IdKind, atMs?: number) => string;
  randomBytes: (size: number) => Uint8Array;
  /** For an endpoint that declares `waits`. */
  wait: Waiting<L>;
  /** Milliseconds since the request began, for work that has a time limit. */
  elapsedMs: () => number;
  /** Makes and reads the cursors of this list. */
  cursor: Cursors;
  /** Names the record that will keep the answer, where it is kept: for what must be able to erase it there too. */
  recordRef: RecordRef | undefined;
};

export type Cursors = {
  /**
   * @param pattern what the list's positions look like, where they are no ids with a ULID
   * @throws ApiError validation_error when the cursor is another list's
   */
  position(cursor: string | undefined, pattern?: RegExp): string | undefined;
  next(position: string | null): string | null;
};

type Declaration<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  R extends Responses,
  Code extends ErrorCode,
  Auth extends Authorization,
  Within extends ProjectState | undefined,
  L,
> = {
  /** Its path below functions/, with a dot: also the operation id, the construct id and the metric's name. */
  id: string;
  method: Method;
  /** Below the base path, with parameters in braces. */
  path: `/${string}`;
  summary: string;
  /** For the documentation, in Markdown: what a caller should know that the schemas do not say. */
  description: string;
  auth: Auth;
  /** Scopes that open it too. What each of them shows is then for the handler to decide. */
  alsoFor?: readonly Scope[];
  /**
   * For what is below a project: which projects it works in. Any other one answers `not_found`, or
   * `project_archived`.
   */
  project?: Within;
  /**
   * Items that the path names, by the name that the handler knows them by. They are read side by side with the credential.
   * One that is not there answers `not_found`, unless it is `optional`.
   */
  loads?: L;
  /** Reads through `wait`, which checks the caller again and keeps leases. */
  waits?: boolean;
  /** Takes If-Match (RFC 9110 section 13.1.1): the handler asks `matches`, and answers `version_mismatch`. */
  ifMatch?: boolean;
  /** Takes If-None-Match (RFC 9110 section 13.1.2): the handler asks `isKnown`, and answers 304. */
  ifNoneMatch?: boolean;
  request?: { params?: P; query?: Q; body?: B };
  responses: R;
  /** Response headers, by name; made from the data alone, so that a replay has them too. */
  headers?: Headers<z.output<NonNullable<R[keyof R]>>>;
  /** Response members that are kept sealed where the response is kept. */
  secrets?: readonly string[];
  /** The response is the data itself, without an envelope. */
  raw?: boolean;
  /** The errors that the handler may answer beside those every endpoint of its kind answers. */
  errors?: readonly Code[];
  /** The tables that the handler uses, and what it does to them. */
  access?: Access;
  handle(
    input: Input<z.output<P>, z.output<Q>, z.output<B>, CallerOf<Auth>, ProjectIn<Within>, Loaded<L>>,
    // Only the declaration says which errors there are: none is inferred from what the handler answers.
  ): Promise<Success<R, NoInfer<Code>> | Failure<NoInfer<Code>>>;
};

type CallerOf<Auth extends Authorization> = Auth extends 'public' ? undefined : Caller;
type ProjectIn<Within> = Within extends ProjectState ? StoredProject : undefined;

/** What decides whether a loaded item is there for a request. */
export type LoadContext<Who = Caller | undefined, Within = StoredProject | undefined> = {
  caller: Who;
  project: Within;
  nowMs: number;
};

// Compiling validators pays off over millions of calls; a function starts cold far more often than that.
z.config({ jitless: true, customError: validationMessage });

type Empty = z.ZodObject<Record<never, never>, z.core.$strict>;
const empty: Empty = z.strictObject({});

/** An endpoint as the pipeline and the tools see it: what was declared, with nothing left out. */
export type Endpoint = {
  id: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  auth: Authorization;
  alsoFor: readonly Scope[];
  project: ProjectState | undefined;
  loads: Readonly<Record<string, Load<unknown, LoadContext, unknown>>>;
  ifMatch: boolean;
  ifNoneMatch: boolean;
  request: { params: ObjectSchema; query: ObjectSchema; body: z.ZodType | undefined };
  responses: Responses;
  headers: Headers<unknown>;
  secrets: readonly string[];
  raw: boolean;
  /** Every error that it may answer. */
  errors: readonly ErrorCode[];
  /** All that its function does to tables, the pipeline's own part included. */
  access: Access;
  /** Takes an Idempotency-Key: every POST does. */
  idempotent: boolean;
  handle(input: Input<unknown, unknown, unknown, unknown>): Promise<Reply>;
};

export type Reply = { status: SuccessStatus; data: unknown; writes?: readonly Write[] } | Failure<ErrorCode>;

/** What checking a credential needs: a key's record, and to note once an hour that it was used; a token's organisation. */
const credentialAccess: Access = { apiKeys: ['GetItem', 'UpdateItem'], organisations: ['GetItem'] };
const projectAccess: Access = { projects: ['GetItem'] };
/** Leases of waiting requests are in a partition of their own. */
const waitAccess: Access = { idempotency: ['Query', 'PutItem', 'DeleteItem'] };
const idempotencyAccess: Access = { idempotency: ['GetItem', 'PutItem'] };

export function defineEndpoint<
  const R extends Responses,
  const Auth extends Authorization,
  P extends ObjectSchema = Empty,
  Q extends ObjectSchema = Empty,
  B extends z.ZodType = z.ZodUndefined,
  const Code extends ErrorCode = never,
  const Within extends ProjectState | undefined = undefined,
  const L extends Loads<z.output<P>, LoadContext<CallerOf<Auth>, ProjectIn<Within>>> = Record<never, never>,
>(declaration: Declaration<P, Q, B, R, Code, Auth, Within, L>): Endpoint {
  const isPublic = declaration.auth === 'public';
  const idempotent = declaration.method === 'POST' && !isPublic;
  const loads = (declaration.loads ?? {}) as Endpoint['loads'];
  return {
    ...declaration,
    request: {
      params: declaration.request?.params ?? empty,
      query: declaration.request?.query ?? empty,
      body: declaration.request?.body,
    },
    alsoFor: declaration.alsoFor ?? [],
    project: declaration.project,
    loads,
    ifMatch: declaration.ifMatch ?? false,
    ifNoneMatch: declaration.ifNoneMatch ?? false,
    headers: (declaration.headers ?? {}) as Headers<unknown>,
    secrets: declaration.secrets ?? [],
    raw: declaration.raw ?? false,
    errors: errorsOf(declaration, idempotent),
    access: mergeAccess(
      declaration.access ?? {},
      isPublic ? {} : credentialAccess,
      declaration.project ? projectAccess : {},
      ...Object.values(loads).flatMap(({ tables }) =>
        tables.map((table) => ({ [table]: ['GetItem'] }) as const),
      ),
      idempotent ? idempotencyAccess : {},
      declaration.waits ? waitAccess : {},
    ),
    idempotent,
    handle: declaration.handle as Endpoint['handle'],
  };
}

/** The errors that follow from what an endpoint is, and then its own. */
function errorsOf(
  declaration: {
    auth: Authorization;
    project?: ProjectState | undefined;
    ifMatch?: boolean;
    request?: { params?: unknown; body?: unknown };
    secrets?: readonly string[];
    errors?: readonly ErrorCode[];
  },
  idempotent: boolean,
): ErrorCode[] {
  const { auth, project, ifMatch = false, request, secrets, errors = [] } = declaration;
  const has: [boolean, ErrorCode[]][] = [
    [true, ['validation_error', 'payload_too_large', 'unsupported_media_type']],
    [request?.body !== undefined, ['invalid_json']],
    [auth !== 'public', ['unauthorized']],
    [auth !== 'public' && auth !== 'any', ['insufficient_scope']],
    [request?.params !== undefined, ['not_found']],
    [project === 'active', ['project_archived']],
    [ifMatch, ['version_mismatch']],
    [idempotent, ['invalid_idempotency_key', 'idempotency_key_reused']],
    [secrets !== undefined, ['secret_unavailable']],
    [true, [...errors, 'rate_limited', 'internal_error', 'service_unavailable']],
  ];
  return [...new Set(has.flatMap(([applies, codes]) => (applies ? codes : [])))];
}
