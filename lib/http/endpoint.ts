/**
 * The declaration of an endpoint. Its file's `defineEndpoint` declares everything; the handler, the route, the IAM
 * policy, the OpenAPI document, the dev server and the contract tests are derived from it.
 */

import * as z from 'zod';
import '../base/zod-config.ts';
import type { Caller } from '../base/caller.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { FileAction } from '../base/files.ts';
import type { Scope } from '../base/scopes.ts';
import type { Load, Loaded, Loads } from '../dynamodb/load.ts';
import { type Access, mergeAccess } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { EventType } from '../events/types.ts';
import type { StoredProject } from '../projects/store.ts';
import type { Failure, Input, LoadContext } from './handler.ts';

export { optional } from '../dynamodb/load.ts';
export { fail } from './handler.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A 304 has no body. Its data only sets the headers. */
type SuccessStatus = 200 | 201 | 202 | 304;
type ObjectSchema = z.ZodType<Record<string, unknown>>;
type Responses = Partial<Record<SuccessStatus, ObjectSchema>>;

/** `any` accepts every valid credential; `public` requires none. */
export type Authorization = Scope | 'any' | 'public';

export type RawBody = 'json' | 'text';

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

/**
 * A successful result of a handler: a declared status with its data, and the writes to commit in one transaction. `steps` are
 * committed before, in a transaction each: only for what means the same when a part of it was committed earlier.
 */
type Success<R extends Responses, Code extends ErrorCode> = {
  [Status in keyof R]: R[Status] extends z.ZodType
    ? {
        status: Status;
        data: z.input<R[Status]>;
        writes?: readonly Write<Code>[];
        steps?: readonly (readonly Write<Code>[])[];
      }
    : never;
}[keyof R];

/** The events that an endpoint can cause, or why it causes none. */
type Causes = readonly [EventType, ...EventType[]] | { nothing: string };

type OtherMethods = Readonly<Partial<Record<Method, string>>>;

/** Whoever changes something says which events follow. */
type Effect = { method: 'GET'; causes?: never } | { method: Exclude<Method, 'GET'>; causes: Causes };

type Declaration<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  R extends Responses,
  Code extends ErrorCode,
  Auth extends Authorization,
  Project extends ProjectState | undefined,
  L,
> = Effect & {
  /** Its path below functions/, with dots. Also the operation id, the construct id and the name of its metrics. */
  id: string;
  /** Below the base path, with parameters in braces. */
  path: `/${string}`;
  summary: string;
  /** For the API documentation, in Markdown: what the schemas do not say. */
  description: string;
  auth: Auth;
  /** Other scopes that are accepted. The handler decides what a caller with each scope may see. */
  alsoFor?: readonly Scope[];
  /** The one of these scopes that this body requires. Checked before a stored response is replayed. */
  scopeFor?: (body: z.output<B>) => Scope;
  /** The one of these scopes that the loaded items require. Checked before a stored response is replayed, too. */
  scopeForLoaded?: (loaded: Loaded<L>) => Scope;
  /** For an endpoint below a project: the projects in which it works. Others get `not_found` or `project_archived`. */
  project?: Project;
  /**
   * The items that the path names, by the handler's name for them. They are read in parallel with the credential. If
   * one is missing, the response is `not_found`, unless it is `optional`.
   */
  loads?: L;
  /** Reads through `wait`, which checks the caller again and holds leases. */
  waits?: boolean;
  /** By a method that the path does not support: where a caller finds what it probably wants, as a sentence. */
  otherMethods?: OtherMethods;
  /** Accepts If-Match (RFC 9110 section 13.1.1): the handler calls `matches`, and fails with `version_mismatch`. */
  ifMatch?: boolean;
  /** Accepts If-None-Match (RFC 9110 section 13.1.2): the handler calls `isKnown`, and returns 304. */
  ifNoneMatch?: boolean;
  request?: { params?: P; query?: Q; body?: B };
  responses: R;
  /** Response headers by name, computed from the data only, so that a replay has them too. */
  headers?: Headers<z.output<NonNullable<R[keyof R]>>>;
  /** Response fields that are sealed in a stored response. */
  secrets?: readonly string[];
  /** The body without an envelope: the data as JSON, or the `text` of the data. */
  raw?: RawBody;
  /** The errors of the handler, in addition to those of every endpoint of its kind. */
  errors?: readonly Code[];
  /** Whether the handler encrypts secrets: `secretBox`. */
  encrypts?: boolean;
  /** The tables that the handler uses, with the actions. */
  access?: Access;
  /** What the handler does with files. */
  files?: readonly FileAction[];
  handle(
    input: Input<z.output<P>, z.output<Q>, z.output<B>, CallerOf<Auth>, ProjectIn<Project>, Loaded<L>>,
    // Only the declaration defines the errors. None is inferred from the handler's results.
  ): Promise<Success<R, NoInfer<Code>> | Failure<NoInfer<Code>>>;
};

type CallerOf<Auth extends Authorization> = Auth extends 'public' ? undefined : Caller;
type ProjectIn<Project> = Project extends ProjectState ? StoredProject : undefined;

type Empty = z.ZodObject<Record<never, never>, z.core.$strict>;
const empty: Empty = z.strictObject({});

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

/**
 * Access for checking a credential: its organisation, a key's item, an hourly update of the key's last use, and the
 * counters of limits.
 */
const credentialAccess: Access = {
  apiKeys: ['GetItem', 'UpdateItem'],
  organisations: ['GetItem'],
  limits: ['UpdateItem'],
};
const projectAccess: Access = { projects: ['GetItem'] };
/** Access to the leases of waiting requests, which have their own partition. */
const waitAccess: Access = { idempotency: ['Query', 'PutItem', 'DeleteItem'] };
const idempotencyAccess: Access = { idempotency: ['GetItem', 'PutItem'] };

export function defineEndpoint<
  const R extends Responses,
  const Auth extends Authorization,
  P extends ObjectSchema = Empty,
  Q extends ObjectSchema = Empty,
  B extends z.ZodType = z.ZodUndefined,
  const Code extends ErrorCode = never,
  const Project extends ProjectState | undefined = undefined,
  const L extends Loads<z.output<P>, LoadContext<CallerOf<Auth>, ProjectIn<Project>>> = Record<never, never>,
>(declaration: Declaration<P, Q, B, R, Code, Auth, Project, L>): Endpoint {
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
    scopeFor: declaration.scopeFor as Endpoint['scopeFor'],
    scopeForLoaded: declaration.scopeForLoaded as Endpoint['scopeForLoaded'],
    project: declaration.project,
    loads,
    otherMethods: declaration.otherMethods ?? {},
    ifMatch: declaration.ifMatch ?? false,
    ifNoneMatch: declaration.ifNoneMatch ?? false,
    causes: !declaration.causes || 'nothing' in declaration.causes ? [] : declaration.causes,
    headers: (declaration.headers ?? {}) as Headers<unknown>,
    secrets: declaration.secrets ?? [],
    encrypts: declaration.encrypts ?? false,
    raw: declaration.raw,
    errors: allErrors(declaration, idempotent),
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
    files: declaration.files ?? [],
    idempotent,
    handle: declaration.handle as Endpoint['handle'],
  };
}

/** Whether the path names something that may not exist. What has an externalId is created if it does not. */
export const mayBeMissing = (path: string): boolean => /\{(?!external_id\})/.test(path);

/** The errors of the kind of endpoint, followed by its own. */
function allErrors(
  declaration: {
    path: string;
    auth: Authorization;
    project?: ProjectState | undefined;
    ifMatch?: boolean;
    waits?: boolean;
    request?: { body?: unknown };
    secrets?: readonly string[];
    errors?: readonly ErrorCode[];
  },
  idempotent: boolean,
): ErrorCode[] {
  const { path, auth, project, ifMatch = false, waits = false, request, secrets, errors = [] } = declaration;
  const has: [boolean, ErrorCode[]][] = [
    [true, ['validation_error', 'payload_too_large', 'unsupported_media_type']],
    [request?.body !== undefined, ['invalid_json']],
    [auth !== 'public', ['unauthorized', 'organisation_suspended']],
    [auth !== 'public' && auth !== 'any', ['insufficient_scope']],
    [mayBeMissing(path), ['not_found']],
    [project === 'active', ['project_archived']],
    [ifMatch, ['version_mismatch']],
    [idempotent, ['invalid_idempotency_key', 'idempotency_key_reused']],
    [secrets !== undefined, ['secret_unavailable']],
    [waits, ['quota_exceeded']],
    [true, [...errors, 'rate_limited', 'internal_error', 'service_unavailable']],
  ];
  return [...new Set(has.flatMap(([applies, codes]) => (applies ? codes : [])))];
}
