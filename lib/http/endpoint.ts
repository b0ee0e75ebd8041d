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
import type { Loaded, Loads } from '../dynamodb/load.ts';
import { type Access, mergeAccess } from '../dynamodb/tables.ts';
import type { Write } from '../dynamodb/write.ts';
import type { EventType } from '../events/types.ts';
import type { StoredProject } from '../projects/store.ts';
import type { LoadContext } from './call.ts';
import type {
  Authorization,
  BindWait,
  Endpoint,
  Failure,
  Headers,
  Input,
  Method,
  ObjectSchema,
  OtherMethods,
  ProjectState,
  RawBody,
  Responses,
} from './types.ts';

export { optional } from '../dynamodb/load.ts';
export { fail } from './fail.ts';
export type {
  Authorization,
  Endpoint,
  HeaderSource,
  Headers,
  Method,
  ProjectState,
  RawBody,
  Reply,
} from './types.ts';

/**
 * A successful result of a handler: a declared status with its data, and the writes to commit in one transaction. `steps` are
 * committed before the writes, in a transaction each. Use them only for changes that may be committed in part, and completed by
 * a retry.
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

/** The events that an endpoint can cause, or why it causes no event. */
type Causes = readonly [EventType, ...EventType[]] | { nothing: string };

/**
 * An endpoint that changes something says which events follow. If it deletes or ends something, and is no DELETE, `removes` says
 * what, in a sentence: agents may not use it then (docs/mcp.md). If only an argument does so, its schema says that:
 * `.meta({ removes: '…' })`, and with `removesIf` the value that does. What disappears later, by a refresh or a timer, counts too.
 * Replacing a value does not.
 */
type Effect =
  | { method: 'GET'; causes?: never; removes?: never }
  | { method: Exclude<Method, 'GET'>; causes: Causes; removes?: string };

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
  /** For the API documentation, in Markdown: everything that the schemas do not say. */
  description: string;
  auth: Auth;
  /** Other scopes that are accepted. The handler decides what a caller with each scope may see. */
  alsoFor?: readonly Scope[];
  /** Which of these scopes this body requires. Checked before a stored response is replayed. */
  scopeFor?: (body: z.output<B>) => Scope;
  /** Which of these scopes the loaded items require. Also checked before a stored response is replayed. */
  scopeForLoaded?: (loaded: Loaded<L>) => Scope;
  /**
   * For an endpoint below a project: the projects in which it works. In other projects, the response is `not_found` or
   * `project_archived`.
   */
  project?: Project;
  /**
   * The items that the path names, by the handler's name for them. They are read in parallel with the credential. If an item is
   * missing, the response is `not_found`, unless the item is `optional`.
   */
  loads?: L;
  /** `bindWait`, for an endpoint that reads through `wait`, which checks the caller again and holds leases. */
  waits?: BindWait;
  /**
   * By a method that the path does not support: a sentence that names the right endpoint for the caller's probable intention.
   */
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
  /** The body without an envelope: the data as JSON, or the `text` or the `bytes` of the data. */
  raw?: RawBody;
  /** The errors of the handler, in addition to those of every endpoint of its kind. */
  errors?: readonly Code[];
  /** Whether the handler encrypts secrets: `secretBox`. */
  encrypts?: boolean;
  /** Whether the handler needs the list of the stage's models: `models`. */
  models?: boolean;
  /** The tables that the handler uses, with the actions. */
  access?: Access;
  /** The actions of the handler on files. */
  files?: readonly FileAction[];
  /** Whether the handler serves downloads. */
  downloads?: boolean;
  /** Whether the handler forwards requests to the API: `api`. */
  forwards?: boolean;
  /** The memory of its function. Default: 1024, which is half a core. */
  memoryMb?: number;
  handle(
    input: Input<z.output<P>, z.output<Q>, z.output<B>, CallerOf<Auth>, ProjectIn<Project>, Loaded<L>>,
    // Only the declaration defines the errors. No error is inferred from the handler's results.
  ): Promise<Success<R, NoInfer<Code>> | Failure<NoInfer<Code>>>;
};

type CallerOf<Auth extends Authorization> = Auth extends 'public' ? undefined : Caller;
type ProjectIn<Project> = Project extends ProjectState ? StoredProject : undefined;

type Empty = z.ZodObject<Record<never, never>, z.core.$strict>;
const empty: Empty = z.strictObject({});

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

/** CPU is proportional to memory. This is half a core, which a cold start uses. */
const defaultMemoryMb = 1024;

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
  const {
    request: { params = empty, query = empty, body } = {},
    causes,
    auth,
    alsoFor = [],
    scopeFor,
    scopeForLoaded,
    project,
    loads = {},
    waits,
    otherMethods = {},
    ifMatch = false,
    ifNoneMatch = false,
    headers = {},
    secrets = [],
    raw,
    errors = [],
    encrypts = false,
    models = false,
    access = {},
    files = [],
    downloads = false,
    forwards = false,
    memoryMb = defaultMemoryMb,
    handle,
    ...required
  } = declaration;
  const kind = {
    ...required,
    auth,
    project,
    ifMatch,
    waits,
    secrets,
    request: { params, query, body },
    idempotent: declaration.method === 'POST' && auth !== 'public',
  };
  const read = Object.values(loads as Endpoint['loads']).flatMap(({ tables }) => tables);
  return {
    ...kind,
    alsoFor,
    scopeFor: scopeFor as Endpoint['scopeFor'],
    scopeForLoaded: scopeForLoaded as Endpoint['scopeForLoaded'],
    loads: loads as Endpoint['loads'],
    otherMethods,
    ifNoneMatch,
    causes: !causes || 'nothing' in causes ? [] : causes,
    headers: headers as Headers<unknown>,
    encrypts,
    models,
    raw,
    errors: allErrors(kind, errors),
    access: mergeAccess(
      access,
      auth === 'public' ? {} : credentialAccess,
      project ? projectAccess : {},
      ...read.map((table) => ({ [table]: ['GetItem'] }) as const),
      kind.idempotent ? idempotencyAccess : {},
      waits ? waitAccess : {},
    ),
    files,
    downloads,
    forwards,
    memoryMb,
    handle: handle as Endpoint['handle'],
  };
}

/**
 * Whether the path names a resource that may not exist. A resource that is named by its externalId is created if it does not
 * exist.
 */
export const mayBeMissing = (path: string): boolean => /\{(?!external_id\})/.test(path);

type Kind = Pick<
  Endpoint,
  'path' | 'auth' | 'project' | 'ifMatch' | 'waits' | 'request' | 'secrets' | 'idempotent'
>;

/** The errors of the kind of endpoint, followed by its own. */
function allErrors(
  { path, auth, project, ifMatch, waits, request, secrets, idempotent }: Kind,
  errors: readonly ErrorCode[],
): ErrorCode[] {
  const has: [boolean, ErrorCode[]][] = [
    [true, ['validation_error', 'payload_too_large', 'unsupported_media_type']],
    [request.body !== undefined, ['invalid_json']],
    [auth !== 'public', ['unauthorized', 'organisation_suspended']],
    [auth !== 'public' && auth !== 'any', ['insufficient_scope']],
    [mayBeMissing(path), ['not_found']],
    [project === 'active', ['project_archived']],
    [ifMatch, ['version_mismatch']],
    [idempotent, ['invalid_idempotency_key', 'idempotency_key_reused']],
    [secrets.length > 0, ['secret_unavailable']],
    [waits !== undefined, ['quota_exceeded']],
    [true, [...errors, 'rate_limited', 'internal_error', 'service_unavailable']],
  ];
  return [...new Set(has.flatMap(([applies, codes]) => (applies ? codes : [])))];
}
