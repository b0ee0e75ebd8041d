/**
 * The declaration of an endpoint. The file of an endpoint declares everything; the handler, the route, the IAM policy, the
 * OpenAPI document, the dev server and the contract tests are derived from it.
 */

import * as z from 'zod';
import '../base/zod-config.ts';
import type { Caller } from '../base/caller.ts';
import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { FileAction } from '../base/files.ts';
import type { RequiredScopes } from '../base/scopes.ts';
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
  EnvironmentRule,
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
 * An endpoint that changes something says which events follow. If it deletes or ends something and is no DELETE, `removes` says
 * what, in a sentence. Agents may not use it then (docs/mcp.md). If only an argument does so, its schema says that:
 * `.meta({ removes: '…' })`, and with `removesIf` the value that does. A removal that happens later, by a refresh or a timer,
 * counts too. Replacing a value does not.
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
  /** The path of its file below functions/, with dots: also the operation id, the construct id, and the name of metrics. */
  id: string;
  /** The path below the base path, with parameters in braces. */
  path: `/${string}`;
  summary: string;
  /** Everything that the schemas do not say, in Markdown, for the API documentation. */
  description: string;
  /** With several sets of scopes, the handler decides what a caller with each set may see. */
  auth: Auth;
  /**
   * What this request requires in addition to `auth`; undefined for nothing. It is checked before the items are looked at,
   * before a stored response is replayed, and again while the request waits.
   */
  scopesFor?: (request: { query: z.output<Q>; body: z.output<B> }) => RequiredScopes | undefined;
  /** What the loaded items require in addition. It is checked before a stored response is replayed, too. */
  scopesForLoaded?: (loaded: Loaded<L>) => RequiredScopes;
  /** An endpoint below a project works in these projects. In others, it fails with `not_found` or `project_archived`. */
  project?: Project;
  /**
   * The items that the path names, by the handler's name for them. They are read in parallel with the credential. If an item is
   * missing, the response is `not_found`, unless the item is `optional`.
   */
  loads?: L;
  /**
   * How the endpoint keeps a credential in its environments. An endpoint of deployments, conversations, events, webhooks or the audit
   * log must declare it: without it, the endpoint refuses bound credentials, and a test fails.
   */
  environments?: EnvironmentRule<
    Input<z.output<P>, z.output<Q>, z.output<B>, CallerOf<Auth>, ProjectIn<Project>, Loaded<L>>
  >;
  /** `bindWait` for an endpoint that reads through `wait`. It checks the caller again and holds leases. */
  waits?: BindWait;
  /** A sentence for each method that the path does not support. It names the endpoint that the caller probably looks for. */
  otherMethods?: OtherMethods;
  /** With If-Match (RFC 9110 section 13.1.1), the handler calls `matches`, and fails with `version_mismatch`. */
  ifMatch?: boolean;
  /** With If-None-Match (RFC 9110 section 13.1.2), the handler calls `isKnown`, and returns 304. */
  ifNoneMatch?: boolean;
  request?: { params?: P; query?: Q; body?: B };
  /** Parses the body in place of `parseJson`, and throws as it does. */
  parseBody?: (json: string) => unknown;
  responses: R;
  /** Response headers by name, computed from the data only, so that a replay has them too. */
  headers?: Headers<z.output<NonNullable<R[keyof R]>>>;
  /** Response fields that are sealed in a stored response. */
  secrets?: readonly string[];
  /** What the body has in place of an envelope: the data as JSON, or the `text` or the `bytes` of the data. */
  raw?: RawBody;
  /** The errors of the handler, in addition to those of every endpoint of its kind. */
  errors?: readonly Code[];
  /** The handler encrypts secrets (`secretBox`). */
  encrypts?: boolean;
  /** The handler reads the models of the stage (`models`). */
  models?: boolean;
  access?: Access;
  files?: readonly FileAction[];
  downloads?: boolean;
  /** The handler forwards requests to the API (`api`). */
  forwards?: boolean;
  /** The memory of its function. CPU is proportional to memory. */
  memoryMb?: number;
  handle(
    input: Input<z.output<P>, z.output<Q>, z.output<B>, CallerOf<Auth>, ProjectIn<Project>, Loaded<L>>,
    // The declaration defines the errors, so they are not inferred from the results of the handler.
  ): Promise<Success<R, NoInfer<Code>> | Failure<NoInfer<Code>>>;
};

type CallerOf<Auth extends Authorization> = Auth extends 'public' ? undefined : Caller;
type ProjectIn<Project> = Project extends ProjectState ? StoredProject : undefined;

type Empty = z.ZodObject<Record<never, never>, z.core.$strict>;
const empty: Empty = z.strictObject({});

/** The check of a credential reads its organisation and its item, updates its last use, and counts in limits. */
const credentialAccess: Access = {
  apiKeys: ['GetItem', 'UpdateItem'],
  organisations: ['GetItem'],
  limits: ['UpdateItem'],
};
const projectAccess: Access = { projects: ['GetItem'] };
/** A deployment that a request names has its environment. Only a credential that is bound to environments causes the read. */
const environmentAccess: Access = { deployments: ['GetItem'] };
/** Leases of waiting requests have a partition of their own. */
const waitAccess: Access = { idempotency: ['Query', 'PutItem', 'DeleteItem'] };
const idempotencyAccess: Access = { idempotency: ['GetItem', 'PutItem'] };

/** A function has half a core with this memory. A cold start uses all of it. */
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
    auth: declaredAuth,
    scopesFor,
    scopesForLoaded,
    project,
    loads = {},
    environments,
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
  const auth = normalAuth(declaredAuth);
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
  const loadedTables = Object.values(loads as Endpoint['loads']).flatMap(({ tables }) => tables);
  return {
    ...kind,
    scopesFor: scopesFor as Endpoint['scopesFor'],
    scopesForLoaded: scopesForLoaded as Endpoint['scopesForLoaded'],
    loads: loads as Endpoint['loads'],
    environments: environments as Endpoint['environments'],
    otherMethods,
    ifNoneMatch,
    causes: !causes || 'nothing' in causes ? [] : causes,
    headers: headers as Headers<unknown>,
    encrypts,
    models,
    raw,
    // Only the API documentation and tests need the errors, so a cold start does not collect them.
    get errors() {
      return allErrors(kind, errors);
    },
    access: mergeAccess(
      access,
      auth === 'public' ? {} : credentialAccess,
      project ? projectAccess : {},
      typeof environments === 'function' ? environmentAccess : {},
      ...loadedTables.map((table) => ({ [table]: ['GetItem'] }) as const),
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

const normalAuth = (auth: Authorization): Endpoint['auth'] =>
  auth === 'any' || auth === 'public' || typeof auth !== 'string' ? auth : [[auth]];

/** The path may name a resource that does not exist. A resource that is named by its externalId is created instead. */
export const mayBeMissing = (path: string): boolean => /\{(?!external_id\})/.test(path);

type Kind = Pick<
  Endpoint,
  'path' | 'auth' | 'project' | 'ifMatch' | 'waits' | 'request' | 'secrets' | 'idempotent'
>;

/** @returns the errors of all endpoints of this kind, followed by those of the handler */
function allErrors(
  { path, auth, project, ifMatch, waits, request, secrets, idempotent }: Kind,
  errors: readonly ErrorCode[],
): ErrorCode[] {
  const codesOfKinds: [boolean, ErrorCode[]][] = [
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
  return [...new Set(codesOfKinds.flatMap(([applies, codes]) => (applies ? codes : [])))];
}

/** @returns the error of a handler */
export const fail = <const Code extends ErrorCode>(
  error: Code,
  message?: string,
  details?: readonly ErrorDetail[],
): Failure<Code> => ({ error, message, details });
