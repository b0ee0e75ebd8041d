// Written by `npm run generate`.

/** An API key, without its secret. */
export type ApiKey = {
  /** The id of the API key. */
  id: string;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The permissions of the key. */
  scopes: Scope[];
  /** The projects that the key can access. Null for all projects. */
  projectIds: string[] | null;
  /** The environments that the key can access. Null for all environments. */
  environments: string[] | null;
  /** The addresses from which the key may be used. Null for everywhere. */
  allowedCidrs: string[] | null;
  /** The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the keys above it. */
  rateLimit: RateLimit | null;
  /** Whether the key accesses live or test data. They are separate. */
  mode: Mode;
  /** The first and last characters of the secret. */
  hint: string;
  /** Whether the key is accepted: only an `active` key is accepted. */
  status: ApiKeyStatus;
  /** When the key was created. */
  createdAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. `bootstrap` for a root key. */
  createdBy: string;
  /** When the key expires. Null for a root key, which does not expire. */
  expiresAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody requested it. */
  childrenRevocation: ChildrenRevocation | null;
  /** The end of the secret from before the last rotation. Null if there is no such secret. */
  previousSecretExpiresAt: string | null;
  /** When the key was last used, accurate to the hour. Null if it was not used. */
  lastUsedAt: string | null;
  /** The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address. */
  lastUsedFrom: string | null;
};

/** The body of `api-keys.create`. */
export type ApiKeyCreateRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The permissions of the key. */
  scopes: Scope[];
  /** The lifetime of the key: a whole number of hours, days or weeks, at most 365 days. Default: `90d`, but not longer than the creating credential is valid. */
  expiresIn?: string | undefined;
  /** The projects that the key can access. Default: all projects, or those of the creating credential. */
  projectIds?: string[] | undefined;
  /** The environments that the key can access, by name, in each of its projects. Conversations follow their deployment. Default: all environments, or those of the creating credential. They cannot be changed. */
  environments?: string[] | undefined;
  /** The addresses from which the key may be used, as CIDR blocks of IPv4 or IPv6; the bits behind the prefix are ignored. From other addresses, the key is treated as unknown. Default: everywhere, or the addresses of the creating credential. */
  allowedCidrs?: string[] | undefined;
  /** The limit of requests. Default: the limit of the creating key, or no limit. */
  rateLimit?: RateLimit | null | undefined;
};

/** An API key was created. */
export type ApiKeyCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** An API key has expired. */
export type ApiKeyExpiredEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.expired';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** An API key expires soon: in 7 days, or in a tenth of its lifetime if that is less. */
export type ApiKeyExpiringEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.expiring';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** A page of a list. */
export type ApiKeyList = {
  /** The items of the page. */
  items: ApiKey[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** An API key was revoked. */
export type ApiKeyRevokedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.revoked';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** The body of `api-keys.rotate`. */
export type ApiKeyRotateRequest = {
  /** How long the old secret stays valid: `0s` (or `0`), or a whole number of hours, days or weeks, at most 7 days. Default: `24h`. */
  overlap?: 0 | string | undefined;
  /** Whether the secret from before the last rotation ends at once, although its end was announced for later. Default: false. Then the rotation is refused while that secret is valid. */
  endPrevious?: boolean | undefined;
};

/** An API key has a new secret. */
export type ApiKeyRotatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.rotated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** Whether the key is accepted: only an `active` key is accepted. */
export type ApiKeyStatus = 'active' | 'revoked' | 'expired';

/** The body of `api-keys.update`. */
export type ApiKeyUpdateRequest = {
  /** A display name. Not blank, without control characters. */
  name?: string | undefined;
  /** The permissions of the key. */
  scopes?: Scope[] | undefined;
  /** The lifetime of the key from now: a whole number of hours, days or weeks, at most 365 days. */
  expiresIn?: string | undefined;
  /** The addresses from which the key may be used. Null for everywhere. */
  allowedCidrs?: string[] | null | undefined;
  /** The limit of requests. Null removes the limit. */
  rateLimit?: RateLimit | null | undefined;
};

/** An API key was changed. */
export type ApiKeyUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'api_key.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: ApiKey | RemovedResource;
};

/** A new API key, with its secret. */
export type ApiKeyWithSecret = {
  /** The id of the API key. */
  id: string;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The permissions of the key. */
  scopes: Scope[];
  /** The projects that the key can access. Null for all projects. */
  projectIds: string[] | null;
  /** The environments that the key can access. Null for all environments. */
  environments: string[] | null;
  /** The addresses from which the key may be used. Null for everywhere. */
  allowedCidrs: string[] | null;
  /** The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the keys above it. */
  rateLimit: RateLimit | null;
  /** Whether the key accesses live or test data. They are separate. */
  mode: Mode;
  /** The first and last characters of the secret. */
  hint: string;
  /** Whether the key is accepted: only an `active` key is accepted. */
  status: ApiKeyStatus;
  /** When the key was created. */
  createdAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. `bootstrap` for a root key. */
  createdBy: string;
  /** When the key expires. Null for a root key, which does not expire. */
  expiresAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody requested it. */
  childrenRevocation: ChildrenRevocation | null;
  /** The end of the secret from before the last rotation. Null if there is no such secret. */
  previousSecretExpiresAt: string | null;
  /** When the key was last used, accurate to the hour. Null if it was not used. */
  lastUsedAt: string | null;
  /** The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address. */
  lastUsedFrom: string | null;
  /** The key itself. Only this response shows it; the service stores only its hash. */
  secret: string;
};

/** A message, and whether it was already stored. */
export type AppendedMessage = {
  /** The id of the message. */
  id: string;
  /** The number of the message in the conversation: 1, 2, 3, without gaps. */
  seq: number;
  /** Who said it. */
  role: MessageRole;
  /** The text of the message: at most 16 KB of UTF-8. */
  text: string;
  /** When it was said. */
  at: string;
  /** Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. Not blank, without control characters. Null if not set. */
  clientMessageId: string | null;
  /** The documents that the message is based on. */
  citations: Citation[];
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together. */
  metadata: MessageMetadata;
  /** When the message was stored. */
  createdAt: string;
  /** Whether the message was already stored under its `clientMessageId`, so that nothing was added. */
  duplicate: boolean;
};

/** One result per message, in the order of the request. */
export type AppendedMessages = {
  /** The messages as they are stored. */
  messages: AppendedMessage[];
};

/** Who did it. */
export type AuditActor = {
  /** The kind of the actor. Values: `key`, `identity`, `token`, `worker`, `operator`. More may be added. */
  kind: 'key' | 'identity' | 'token' | 'worker' | 'operator' | (string & {});
  /** The id of an API key or of a workload identity, `sub:` and the subject of an access token, `worker:` and the name of a worker, or the name of an operator's command. */
  id: string;
  /** The subject of the token with which a workload identity was used. Null for other actors. */
  subject: string | null;
  /** The name of the API key or of the workload identity when the event was written. Null for other actors. */
  name: string | null;
};

/** A change of one resource by one call, or a refused request. */
export type AuditEvent = {
  /** The id of the audit event. */
  id: string;
  /** When the request started. Events are sorted by it. */
  at: string;
  /** Who did it. */
  actor: AuditActor;
  /** The called operation: the `operationId` of an endpoint, `worker:` and the name of a worker, or `script:` and the name of a command. */
  action: string;
  /** Whether the request succeeded or was refused. */
  outcome: AuditOutcome;
  /** Why the request was refused. Null if it succeeded. Values: `key_revoked`, `key_expired`, `identity_deleted`, `identity_expired`, `identity_suspended`, `address_not_allowed`, `escalation`. More may be added. */
  reason: 'key_revoked' | 'key_expired' | 'identity_deleted' | 'identity_expired' | 'identity_suspended' | 'address_not_allowed' | 'escalation' | (string & {}) | null;
  /** The changed resource. */
  resource: AuditedResource;
  /** The id of the project. Null if the resource belongs to no project. */
  projectId: string | null;
  /** The changed fields. Null if the request was refused, or if an operator has replayed the change. For conversations, documents and the prompts of avatars, only the names of the fields are logged. */
  changes: AuditedChanges | null;
  /** The `X-Request-Id` of the request. Null if there was no request. */
  requestId: string | null;
  /** The id of the call of the service. Changes of several resources by one request have the same id. */
  callId: string;
  /** Where the request came from. Null for workers and commands, and after 90 days. */
  origin: RequestOrigin | null;
};

/** A page of a list. */
export type AuditEventList = {
  /** The items of the page. */
  items: AuditEvent[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Which audit events to export. */
export type AuditExportFilters = {
  /** Only events of this actor. */
  actor?: string | undefined;
  /** Only events of this action. */
  action?: string | undefined;
  /** Only events of this resource. */
  resourceId?: string | undefined;
  /** Only events at this time or later. */
  from?: string | Date | undefined;
  /** Only events before this time. */
  to?: string | Date | undefined;
};

/** A request to export `audit`. */
export type AuditExportRequest = {
  /** The content to export. */
  what: 'audit';
  /** As in the list. Default: everything. */
  filters?: AuditExportFilters | undefined;
  /**
   * JSON lines, compressed with gzip. There is no other format yet.
   * Default: `'jsonl'`.
   */
  format?: 'jsonl' | undefined;
};

/** Whether the request succeeded or was refused. */
export type AuditOutcome = 'succeeded' | 'refused';

/** The changed fields. */
export type AuditedChanges = {
  /** The fields that have changed, or the fields of a new resource that have a value. */
  fields: string[];
  /** The values before, of the fields that may be logged. Null for a new or deleted resource. */
  before: AuditedValues | null;
  /** The values after. Null for a deleted resource. */
  after: AuditedValues | null;
  /** The fields that are too long for the log: their values are left out. */
  omitted: string[];
};

/** The changed resource. */
export type AuditedResource = {
  /** The kind of the resource. Values: `organisation`, `api_key`, `workload_identity`, `access_token`, `project`, `avatar`, `knowledge_document`, `knowledge_source`, `job`, `upload`, `deployment`, `environment`, `rollout`, `conversation`, `evaluator`, `webhook`. More may be added. */
  type: 'organisation' | 'api_key' | 'workload_identity' | 'access_token' | 'project' | 'avatar' | 'knowledge_document' | 'knowledge_source' | 'job' | 'upload' | 'deployment' | 'environment' | 'rollout' | 'conversation' | 'evaluator' | 'webhook' | (string & {});
  /** The id of the resource, or the name of an environment. */
  id: string;
};

/** The values of fields, by name. */
export type AuditedValues = Record<string, unknown>;

/** A persona with a voice and an image. */
export type Avatar = {
  /** The id of the avatar. */
  id: string;
  /** Your own id of the avatar, unique in the project. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId: string | null;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** Who the avatar is and how it speaks. */
  persona: Persona;
  /** The voice of the avatar. Null if not set. */
  voice: Voice | null;
  /** The https address of its image. Null if not set. */
  imageUrl: string | null;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags: string[];
  /** The model that answers for the avatar. Null if not set. */
  model: AvatarModel | null;
  /** JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads it. */
  runtime: unknown;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** Whether deployments include the avatar: they include only active avatars. */
  status: AvatarStatus;
  /** The version of the avatar, which increases by one with each change. */
  version: number;
  /** When the avatar was created. */
  createdAt: string;
  /** When the avatar was last changed. */
  updatedAt: string;
  /** The credential that created it. */
  createdBy: string;
};

/** The body of `avatars.create`. */
export type AvatarCreateRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** Who the avatar is and how it speaks. */
  persona: PersonaInput;
  /** The voice of the avatar. Null if not set. */
  voice?: VoiceInput | null | undefined;
  /** The https address of its image, without a user name and a password. It is stored and shown as it was sent. Null if not set. */
  imageUrl?: string | null | undefined;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags?: string[] | undefined;
  /** The model that answers for the avatar. Null if not set. */
  model?: AvatarModelInput | null | undefined;
  /** JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart from further digits of a fraction. */
  runtime?: unknown | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** Your own id of the avatar, unique in the project. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
};

/** An avatar was created. */
export type AvatarCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'avatar.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Avatar | RemovedResource;
};

/** An avatar was deleted. */
export type AvatarDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'avatar.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Avatar | RemovedResource;
};

/** A page of a list. */
export type AvatarList = {
  /** The items of the page. */
  items: Avatar[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The model that answers for the avatar. */
export type AvatarModel = {
  /** The id of the model, one of GET /models. A reply refuses a model that the service does not list. Not blank, without control characters. */
  modelId: string;
  /** How much answers vary, from 0 to 1. Missing for the default of the model. */
  temperature?: number | undefined;
  /** The most tokens of an answer. Missing for 1024. */
  maxTokens?: number | undefined;
};

/** The model that answers for the avatar. */
export type AvatarModelInput = {
  /** The id of the model, one of GET /models. A reply refuses a model that the service does not list. Not blank, without control characters. */
  modelId: string;
  /** At most two decimals. */
  temperature?: number | undefined;
  /** The most tokens of an answer. Missing for 1024. */
  maxTokens?: number | undefined;
};

/** The body of `avatars.put`. */
export type AvatarPutRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** Who the avatar is and how it speaks. */
  persona: PersonaInput;
  /** The voice of the avatar. Null if not set. */
  voice?: VoiceInput | null | undefined;
  /** The https address of its image, without a user name and a password. It is stored and shown as it was sent. Null if not set. */
  imageUrl?: string | null | undefined;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags?: string[] | undefined;
  /** The model that answers for the avatar. Null if not set. */
  model?: AvatarModelInput | null | undefined;
  /** JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart from further digits of a fraction. */
  runtime?: unknown | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** It must equal the externalId of the path, if it is sent. Not blank, without control characters. */
  externalId?: string | undefined;
};

/** Whether deployments include the avatar: they include only active avatars. */
export type AvatarStatus = 'active' | 'archived';

/** The body of `avatars.update`. */
export type AvatarUpdateRequest = {
  /** Your own id of the avatar, unique in the project. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
  /** A display name. Not blank, without control characters. */
  name?: string | undefined;
  /** The changes to the character of the avatar and its way of speaking. Other fields keep their values. */
  persona?: PersonaChange | undefined;
  /** The voice of the avatar. Null if not set. */
  voice?: VoiceInput | null | undefined;
  /** The https address of its image, without a user name and a password. It is stored and shown as it was sent. Null if not set. */
  imageUrl?: string | null | undefined;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags?: string[] | undefined;
  /** The model that answers for the avatar. Null if not set. */
  model?: AvatarModelInput | null | undefined;
  /** JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads it. At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart from further digits of a fraction. */
  runtime?: unknown | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** Whether deployments include the avatar: they include only active avatars. */
  status?: AvatarStatus | undefined;
};

/** An avatar has a new version. */
export type AvatarUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'avatar.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Avatar | RemovedResource;
};

/** An avatar as it was after one change. Versions never change. */
export type AvatarVersion = {
  /** The id of the avatar. */
  avatarId: string;
  /** The version of the avatar, which increases by one with each change. */
  version: number;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** Who the avatar is and how it speaks. */
  persona: Persona;
  /** The voice of the avatar. Null if not set. */
  voice: Voice | null;
  /** The https address of its image. Null if not set. */
  imageUrl: string | null;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags: string[];
  /** The model that answers for the avatar. Null if not set. */
  model: AvatarModel | null;
  /** JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not interpret it. Do not store secrets in it: whoever reads the avatar reads it. */
  runtime: unknown;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** Whether deployments include the avatar: they include only active avatars. */
  status: AvatarStatus;
  /** When the version was created. */
  createdAt: string;
  /** The credential that made this change. */
  createdBy: string;
};

/** A page of a list. */
export type AvatarVersionList = {
  /** The items of the page. */
  items: AvatarVersion[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** True or false. */
export type BooleanOutput = {
  /** The type of the values. */
  type: 'boolean';
};

/** One side of a breached guard. */
export type BreachSide = {
  /** The units with a value. */
  units: number;
  /** The share, or the mean. */
  mean: number;
};

/** One of some categories. */
export type CategoryOutput = {
  /** The type of the values. */
  type: 'category';
  /** The categories: 2 to 20. */
  values: string[];
};

/** The end of the keys and workload identities that a credential created, and of those that they created. */
export type ChildrenRevocation = {
  /** When it was last requested. */
  requestedAt: string;
  /** When it ended. Null while it runs. */
  finishedAt: string | null;
  /** How many keys it has revoked, and how many workload identities it has deleted. */
  revoked: number;
  /** How many keys and identities stay active, because they have a scope that the caller does not have. */
  skipped: number;
  /** The webhooks that are disabled (`key_revoked`), because this credential or an ended credential below it had set their URL, content or secret. If this credential is bound to projects, the list has only the webhooks of its projects. */
  webhookIds: string[];
};

/** A document that the message is based on. */
export type Citation = {
  /** The id of the cited document. */
  documentId: string;
  /** The title of the document. Null if not set. */
  title: string | null;
  /** The cited text. Null if not set. */
  snippet: string | null;
  /** The page of the document, from 1. Null if not set. */
  page: number | null;
  /** The `pieceId` of the cited piece in the index version that was searched. */
  pieceId?: string | undefined;
  /** The part of the text of the piece that `snippet` shows. Left out if it is not known. */
  span?: TextSpan | undefined;
};

/** A document that the message is based on. */
export type CitationInput = {
  /** The id of the cited document. */
  documentId: string;
  /** The title of the document. Null if not set. */
  title?: string | null | undefined;
  /** The cited text. Null if not set. */
  snippet?: string | null | undefined;
  /** The page of the document, from 1. Null if not set. */
  page?: number | null | undefined;
  /** The `pieceId` of the cited piece in the index version that was searched. Null if not set. */
  pieceId?: string | null | undefined;
  /** The part of the text of the piece that `snippet` shows. */
  span?: TextSpanInput | null | undefined;
};

/** A guard, with the comparison of its score. */
export type ComparedGuard = {
  /** The name of the evaluator and of its scores, unique in the project. */
  score: string;
  /** The category. Null for no category. */
  value: string | null;
  /** `breached`: the whole confidence sequence says that the candidate is worse by more than `maxHarm`. `passed`: enough units have values, few have none, and it is not breached. `undecided` otherwise. */
  verdict: GuardVerdict;
  /** Why it is undecided. Null if it is not. */
  undecidedReason: 'nothing_evaluated' | 'too_few_units' | 'too_many_unknown' | null;
  /** One side of a comparison. */
  current: ComparedSide;
  /** One side of a comparison. */
  candidate: ComparedSide;
  /** Candidate less current. Null without values on both sides. */
  difference: number | null;
  /** The lower end of the confidence sequence of the difference, which holds at every look. Null if it has no bound yet. */
  low: number | null;
  /** Its upper end. Null if it has no bound yet. */
  high: number | null;
};

/** A comparison of both sides, within spans. */
export type ComparedMeasure = {
  /** One side of a comparison. */
  current: ComparedSide;
  /** One side of a comparison. */
  candidate: ComparedSide;
  /** Candidate less current. Null without values on both sides. */
  difference: number | null;
  /** The lower end of the confidence sequence of the difference, which holds at every look. Null if it has no bound yet. */
  low: number | null;
  /** Its upper end. Null if it has no bound yet. */
  high: number | null;
};

/** A rollout, with the comparison of its candidate with the current deployment. */
export type ComparedRollout = {
  /** The id of the rollout. */
  id: string;
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The candidate. */
  deploymentId: string;
  /** The deployment that was current at the start. */
  currentDeploymentId: string;
  /** The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final. */
  status: RolloutStatus;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason. */
  reason: string | null;
  /** When it got this status, or its last percent. */
  since: string;
  /** The credential that has moved it, or `worker:` and the name of the worker. */
  by: string;
  /** The number of the span: the time from one change of the percent to the next. From 1. */
  span: number;
  /** The steps. Null for a rollout without steps. */
  steps: RolloutStep[] | null;
  /** The number of the present step, from 1. Null without steps. */
  step: number | null;
  /** When the present step has been held. It is later by the time of a suspension of the organisation. Null if no time is held: without steps, in a step with `pause`, while it is paused, and at the end. */
  holdUntil: string | null;
  /** The guards. */
  guards: RolloutGuard[];
  /** What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides. */
  onBreach: RolloutOnBreach;
  /** The last breach of a guard. Null if there was none. */
  breach: RolloutBreach | null;
  /** The spans, the oldest first. */
  spans: RolloutSpan[];
  /** When it was started. */
  createdAt: string;
  /** The credential that started it. */
  createdBy: string;
  /** When it ended. Null before. */
  endedAt: string | null;
  /** The number of its changes, for `If-Match`: it increases by one with each change. */
  version: number;
  /** The last 100 moves, the oldest first. */
  history: RolloutMove[];
  /** The comparison of the candidate with the current deployment, over units. */
  comparison: RolloutComparison;
};

/** One side of a comparison. */
export type ComparedSide = {
  /** The units, each with its first conversation. */
  units: number;
  /** The units whose conversation has not ended. */
  open: number;
  /** The share of the ended units that have no value. Null if no unit has ended. */
  unknown: number | null;
  /** The share, or the mean of the values, combined over the spans. Null without values. */
  mean: number | null;
};

/** The counted units of both sides. */
export type ComparedUnits = {
  /** The units of the current deployment. */
  current: number;
  /** The units of the candidate. */
  candidate: number;
};

/** A conversation with an avatar and its scores, without its messages. */
export type Conversation = {
  /** The id of the conversation. */
  id: string;
  /** The id of the avatar that the conversation is with. */
  avatarId: string;
  /** Your own id of the conversation, unique in the project. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId: string | null;
  /** Your own id of the user. Not blank, without control characters. Null if not set. */
  externalUserId: string | null;
  /** Where it takes place, such as `web`. Not blank, without control characters. Null if not set. */
  channel: string | null;
  /** Labels to filter by. */
  tags: string[];
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** The id of the deployment that the avatar runs in. Null for no deployment. */
  deploymentId: string | null;
  /** The `assignment` of the configuration that the user has got, while a rollout runs: `<rollout id>.<span>.<variant>.<16 hex digits>`. Null for no assignment. */
  assignment: string | null;
  /** Whether it counts in the comparison of its rollout: it is the first conversation of its unit, and came at most 10 minutes after the end of the span of its `assignment`. */
  counted: boolean;
  /** Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when it is created. */
  test: boolean;
  /** Whether the conversation accepts messages: only an `active` conversation accepts them. */
  status: ConversationStatus;
  /** When it started. Lists sort by it. */
  startedAt: string;
  /** When it ended. Null while it is active. */
  endedAt: string | null;
  /** The reason that `end` was called with, or `timeout`. Null if there is no reason. */
  endReason: string | null;
  /** The number of messages, which equals the `seq` of the last message. */
  messageCount: number;
  /** The number of messages, by who said them. */
  messageCountByRole: MessageCountByRole;
  /** The seconds from the start to the latest message; 0 without messages. */
  durationSeconds: number;
  /** The earliest `at` of its messages. Null without messages. */
  firstMessageAt: string | null;
  /** The latest `at` of its messages. Null without messages. */
  lastMessageAt: string | null;
  /** When the latest messages were stored, which can be later than their `at`. Initially the creation time. */
  lastActivityAt: string;
  /** When it was stored. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** The effective scores, by name. */
  scores: ConversationScore[];
};

/** The body of `conversations.append`. */
export type ConversationAppendRequest = {
  /** The messages, in order. */
  messages: MessageInput[];
};

/** The body of `conversations.create`. */
export type ConversationCreateRequest = {
  /** The id of the avatar that the conversation is with. */
  avatarId: string;
  /** Your own id of the user. Not blank, without control characters. Null if not set. */
  externalUserId?: string | null | undefined;
  /** Where it takes place, such as `web`. Not blank, without control characters. Null if not set. */
  channel?: string | null | undefined;
  /** Labels to filter by. */
  tags?: string[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The id of the deployment that the avatar runs in. Null for no deployment. Default: that of the `assignment`, or null. */
  deploymentId?: string | null | undefined;
  /** Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when it is created. */
  test?: boolean | undefined;
  /** When it started. Default: now. For an import, when the conversation started. At most 5 minutes in the future. In 1970 or later. */
  startedAt?: string | Date | undefined;
  /** The `assignment` of the configuration that the user has got, while a rollout runs: `<rollout id>.<span>.<variant>.<16 hex digits>`. Null for no assignment. */
  assignment?: string | null | undefined;
  /** Your own id of the conversation, unique in the project. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
};

/** A conversation was deleted: nobody can read it any more. */
export type ConversationDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** The body of `conversations.end`. */
export type ConversationEndRequest = {
  /** Why it ended: `completed`, `abandoned`, `error`, or your own word. Not blank, without control characters. */
  reason: string;
  /** When the conversation ended: not before its start or its last message, and at most 5 minutes in the future. Default: now. Send it for an import. In 1970 or later. */
  endedAt?: string | Date | undefined;
};

/** A conversation was ended, or has timed out. */
export type ConversationEndedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.ended';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** The body of `conversations.erase`. */
export type ConversationEraseRequest = {
  /** Your own id of the user. Not blank, without control characters. */
  externalUserId: string;
};

/** Nothing of a deleted conversation is stored any more. */
export type ConversationErasedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.erased';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** Which conversations to export. */
export type ConversationExportFilters = {
  /** Only conversations with this avatar. */
  avatarId?: string | undefined;
  /** Only conversations with this user. Not blank, without control characters. */
  externalUserId?: string | undefined;
  /** Only conversations with this deployment. */
  deploymentId?: string | undefined;
  /** Only conversations on this channel. Not blank, without control characters. */
  channel?: string | undefined;
  /** Only conversations with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only conversations with this status. */
  status?: ConversationStatus | undefined;
  /** Only test conversations, or with false only the others. Default: both. */
  test?: boolean | undefined;
  /** Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`, `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of that name is left out, also by `ne`. */
  scores?: string[] | undefined;
  /** Only conversations started at this time or later. */
  startedFrom?: string | Date | undefined;
  /** Only conversations started before this time. */
  startedBefore?: string | Date | undefined;
};

/** A request to export `conversations`. */
export type ConversationExportRequest = {
  /** The content to export. */
  what: 'conversations';
  /** As in the list. Default: everything. */
  filters?: ConversationExportFilters | undefined;
  /**
   * JSON lines, compressed with gzip. There is no other format yet.
   * Default: `'jsonl'`.
   */
  format?: 'jsonl' | undefined;
};

/** The body of `conversations.import-file`. */
export type ConversationImportFileRequest = {
  /** The id of the uploaded file. */
  uploadId: string;
};

/** The body of `conversations.import`. */
export type ConversationImportRequest = {
  /** The conversations with their messages. */
  conversations: ImportedConversation[];
};

/** A page of a list. */
export type ConversationList = {
  /** The items of the page. */
  items: Conversation[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The body of `conversations.put`. */
export type ConversationPutRequest = {
  /** The id of the avatar that the conversation is with. */
  avatarId: string;
  /** Your own id of the user. Not blank, without control characters. Null if not set. */
  externalUserId?: string | null | undefined;
  /** Where it takes place, such as `web`. Not blank, without control characters. Null if not set. */
  channel?: string | null | undefined;
  /** Labels to filter by. */
  tags?: string[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The id of the deployment that the avatar runs in. Null for no deployment. Default: that of the `assignment`, or null. */
  deploymentId?: string | null | undefined;
  /** Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when it is created. */
  test?: boolean | undefined;
  /** When it started. Default: now. For an import, when the conversation started. At most 5 minutes in the future. In 1970 or later. */
  startedAt?: string | Date | undefined;
  /** The `assignment` of the configuration that the user has got, while a rollout runs: `<rollout id>.<span>.<variant>.<16 hex digits>`. Null for no assignment. */
  assignment?: string | null | undefined;
  /** It must equal the externalId of the path, if it is sent. Not blank, without control characters. */
  externalId?: string | undefined;
  /** Whether to return an existing conversation as it is, unless it has ended. Default: false. */
  resume?: boolean | undefined;
};

/** The effective score of one name. */
export type ConversationScore = {
  /** The name of the evaluator and of its scores, unique in the project. */
  name: string;
  /** The value. Null for a text or an object, which `GET …/scores` returns, and if it is unknown: then `reason` says why. */
  value: boolean | number | string | null;
  /** Why there is no value. Null if there is a value. */
  reason: string | null;
  /** Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`). */
  source: ScoreSource;
  /** The version of the evaluator. */
  version: number;
  /** Whether messages were added since, so that the score is about the first messages only. */
  stale: boolean;
};

/** The body of `conversations.scores.put`. */
export type ConversationScorePutRequest = {
  /** A value of the output of the evaluator. */
  value: unknown;
  /**
   * Why it has this value. Without control characters other than tabs and line breaks. Null if not set.
   * Default: `null`.
   */
  rationale?: string | null | undefined;
  /**
   * The messages that show it, by their `seq`.
   * Default: `[]`.
   */
  evidence?: number[] | undefined;
  /**
   * Who gives the score: your program (`api`), or a person (`human`).
   * Default: `'api'`.
   */
  source?: SentScoreSource | undefined;
};

/** A conversation has a new score, or another value of one. `scores` has the effective ones. */
export type ConversationScoredEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.scored';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** A conversation has started. */
export type ConversationStartedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.started';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** Counts of conversations, messages and scores. */
export type ConversationStats = {
  /** The counts of each day, avatar, channel, deployment or value. */
  items: ConversationStatsItem[];
  /** The counts of the whole range. */
  totals: ConversationStatsTotals;
  /** The time of the latest counted change, to the second; null if no change is counted. */
  countedThrough: string | null;
};

/** The counts of a day, an avatar, a channel, a deployment or a value of a score. */
export type ConversationStatsItem = {
  /** The day (`2026-03-01`), the avatar's id, the channel, the deployment's id, or the value of the score as in `shares`; null for conversations without a channel, deployment or value. */
  key: string | null;
  /** The number of conversations that started in this period. */
  conversations: number;
  /** The number of their messages. */
  messages: number;
  /** The mean of their `durationSeconds`; 0 without conversations. */
  meanDurationSeconds: number;
  /** Their scores. Only in responses to requests with `score`. */
  score?: ScoreStats | undefined;
};

/** The counts of the whole range. */
export type ConversationStatsTotals = {
  /** The number of conversations that started in this period. */
  conversations: number;
  /** The number of their messages. */
  messages: number;
  /** The mean of their `durationSeconds`; 0 without conversations. */
  meanDurationSeconds: number;
  /** Their scores. Only in responses to requests with `score`. */
  score?: ScoreStats | undefined;
};

/** Whether the conversation accepts messages: only an `active` conversation accepts them. */
export type ConversationStatus = 'active' | 'ended';

/** The body of `conversations.update`. */
export type ConversationUpdateRequest = {
  /** Labels to filter by. */
  tags?: string[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
};

/** A conversation has new messages, or was changed. */
export type ConversationUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'conversation.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Conversation | RemovedResource;
};

/** The result of `conversations.reindex`. */
export type ConversationsReindexResult = {
  /** The number of conversations that were indexed and counted. */
  conversations: number;
};

/** A quota of money, and what is spent, in US dollars. */
export type CostQuota = {
  /** The quota. Null if there is no quota. */
  limit: number | null;
  /** What is spent, with what is reserved for calls that are under way, even without a quota. Null if it is not shown to this key. */
  used: number | null;
  /** The time of the request. Null if nothing is shown. */
  countedThrough: string | null;
  /** When the count starts again. */
  resetsAt: string;
};

/** A new deployment, with warnings. */
export type CreatedDeployment = {
  /** The id of the deployment. */
  id: string;
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The deployed commit. Null if the request had no commit. */
  git: GitCommit | null;
  /** The reason, for people. Null if not set. */
  reason: string | null;
  /** Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded` when another deployment has replaced it. */
  phase: DeploymentPhase;
  /** The frozen versions, sorted by avatar id. */
  avatars: DeployedAvatar[];
  /** The index that was published at that time; null if no index was published. */
  knowledgeIndexVersion: string | null;
  /** SHA-256 of the content. Deployments with equal content have equal hashes. */
  configHash: string;
  /** The deployment of another environment whose avatars, index and commit it has. Null if it was made from the project. */
  promotedFrom: string | null;
  /** When the deployment was created. */
  createdAt: string;
  /** The credential that deployed it. */
  createdBy: string;
  /** When it last became current. Null if it was never promoted. */
  promotedAt: string | null;
  /** Whether it stays staged because a rollback has pinned its environment, or because a rollout runs in it. Promote it yourself. */
  heldBack: boolean;
  /** Why it is held back. Null if it is not. */
  heldBackReason: 'rollback' | 'rollout' | null;
  /** Stored data that the deployment does not include, documents that were read in part, and avatars whose tags match no document. Usually empty. */
  warnings: DeploymentWarning[];
};

/** What an organisation has used, by day. */
export type DailyUsage = {
  /** The days on which something was used, oldest first. */
  items: UsageDay[];
  /** What was used in the whole range. */
  totals: UsageDaysTotals;
  /** The time of the latest counted change. Null if no change is counted. */
  countedThrough: string | null;
  /** The same by project. Null without `groupBy=project`. */
  projects: UsageByProject | null;
};

/** A deleted project. */
export type DeletedProject = {
  /** The id of the project. */
  id: string;
  /** Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId: string | null;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The purpose of the project. Null if not set. */
  description: string | null;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** The settings of the project. */
  settings: ProjectSettings;
  /** Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to DELETE. */
  status: ProjectStatus;
  /** When the project was created. */
  createdAt: string;
  /** When the project was last changed. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** Until when it can be restored. Then it is purged. */
  purgeAt: string;
};

/** A workload identity, and the resources that it created or set. */
export type DeletedWorkloadIdentity = {
  /** The id of the workload identity. */
  id: string;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not need to reach it. */
  issuer: string;
  /** The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/` separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`. A segment has at most one `*`, and the first two segments have none. */
  subject: string;
  /** Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later. */
  claims: IdentityClaims;
  /** The only audience (`aud`) that a token for this identity may have. */
  audience: string;
  /** The permissions of its tokens. */
  scopes: Scope[];
  /** The projects that its tokens can access. Null for all projects. */
  projectIds: string[] | null;
  /** The environments that its tokens can access. Null for all environments. */
  environments: string[] | null;
  /** The addresses from which its tokens may be used. Null for everywhere. */
  allowedCidrs: string[] | null;
  /** The limit of all its tokens together. Null if it has no limit of its own. Its requests also count in the limits of the credentials above it. */
  rateLimit: RateLimit | null;
  /** When it expires. Null if it does not expire. */
  expiresAt: string | null;
  /** Whether its tokens are accepted: only those of an `active` identity are. */
  status: WorkloadIdentityStatus;
  /** The public keys of an issuer that the service cannot reach, such as a private cluster: at most 20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of the issuer. */
  jwks: PublicJwks | null;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** When it was created. */
  createdAt: string;
  /** When a request last changed it. */
  updatedAt: string;
  /** When it was deleted. Null if it was not. */
  deletedAt: string | null;
  /** When it was last used, accurate to the hour. Null if it was not used. */
  lastUsedAt: string | null;
  /** The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address. */
  lastUsedFrom: string | null;
  /** The end of the keys and identities that this identity created, and of their webhooks. Null if nobody requested it. */
  childrenRevocation: ChildrenRevocation | null;
  /** The number of enabled webhooks whose URL, content or secret the credential has set. They stay on, unless the request has `children=true`. With `dryRun=true` and `children=true`, the number includes the webhooks of the credentials below it. A caller that is bound to projects counts only webhooks of these projects. */
  webhooks: number;
  /** The number of active keys and workload identities below it that the caller may end, among the 1000 that were created after it. Null without `dryRun=true`. */
  children: number | null;
  /** The number of sources of documents that act on behalf of the credential and are not paused. `children=true` pauses them. With `children=true`, the number includes the sources of the credentials below it. At most 100 sources of each credential count. A caller that is bound to projects counts only sources of these projects. Null without `dryRun=true`. */
  sources: number | null;
  /** The number of evaluators that score conversations by themselves on behalf of the credential. `children=true` pauses them. They are counted as `sources` are. Null without `dryRun=true`. */
  evaluators: number | null;
  /** The number of rollouts that act on behalf of the credential, have not ended and are not paused. `children=true` pauses them. They are counted as `sources` are. Null without `dryRun=true`. */
  rollouts: number | null;
};

/** An event for one webhook, with the attempts to send it. */
export type Delivery = {
  /** The id of the delivery. */
  id: string;
  /** The id of the event, which is the `webhook-id` of the request. */
  eventId: string;
  /** The type of the event. */
  eventType: string;
  /** Whether the receiver has the event: `pending` while attempts are left. */
  status: DeliveryStatus;
  /** The attempts to send it, oldest first: at most the last 20. */
  attempts: DeliveryAttempt[];
  /** When the next attempt is due. Null unless it is pending. */
  nextAttemptAt: string | null;
  /** When the delivery was created. */
  createdAt: string;
};

/** One request to the receiver. */
export type DeliveryAttempt = {
  /** When the request was sent. */
  at: string;
  /** The HTTP status of the response. Null if there was no response. */
  status: number | null;
  /** How long it took, in milliseconds. Null while it runs. */
  durationMs: number | null;
  /** The first 16 KB of the response. Null if there was no response, if later attempts need the space, or if the webhook sends messages and the caller does not have `conversations:read`. */
  body: string | null;
  /** Why there is no usable response. `interrupted` if the attempt still runs, or if its end is unknown. Null with a usable response. */
  error: DeliveryError | null;
};

/** Why an attempt led to no usable response. */
export type DeliveryError = 'name_not_found' | 'address_not_allowed' | 'connection_failed' | 'tls_failed' | 'timeout' | 'redirect' | 'invalid_response' | 'interrupted';

/** A page of a list. */
export type DeliveryList = {
  /** The items of the page. */
  items: Delivery[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Whether the receiver has the event: `pending` while attempts are left. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** An avatar in a deployment. */
export type DeployedAvatar = {
  /** The id of the avatar. */
  avatarId: string;
  /** The version of the avatar, which increases by one with each change. */
  version: number;
};

/** A snapshot of a project's avatars and knowledge. */
export type Deployment = {
  /** The id of the deployment. */
  id: string;
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The deployed commit. Null if the request had no commit. */
  git: GitCommit | null;
  /** The reason, for people. Null if not set. */
  reason: string | null;
  /** Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded` when another deployment has replaced it. */
  phase: DeploymentPhase;
  /** The frozen versions, sorted by avatar id. */
  avatars: DeployedAvatar[];
  /** The index that was published at that time; null if no index was published. */
  knowledgeIndexVersion: string | null;
  /** SHA-256 of the content. Deployments with equal content have equal hashes. */
  configHash: string;
  /** The deployment of another environment whose avatars, index and commit it has. Null if it was made from the project. */
  promotedFrom: string | null;
  /** When the deployment was created. */
  createdAt: string;
  /** The credential that deployed it. */
  createdBy: string;
  /** When it last became current. Null if it was never promoted. */
  promotedAt: string | null;
};

/** An avatar or a document that differs in two deployments. */
export type DeploymentChange = {
  /** The kind of the changed resource. Values: `avatar`, `document`. More may be added. */
  kind: 'avatar' | 'document' | (string & {});
  /** The id of the avatar or the document. */
  id: string;
  /** The name of the avatar, or the title of the document, in the newer content that has it. Null for a document if the credential lacks `knowledge:read`. */
  name: string | null;
  /** The difference. */
  change: 'added' | 'changed' | 'removed';
  /** The version of the avatar in `since`. Null for an added avatar, and for documents. */
  from: number | null;
  /** The version of the avatar in the deployment. Null for a removed avatar, and for documents. */
  to: number | null;
  /** The fields that differ: of an avatar, such as `persona`; of a document, `title`, `tags`, `url`, `content` or `metadata`. Empty unless `change` is `changed`. Also empty for an avatar whose new version has the same content. */
  fields: string[];
  /** The paths of an avatar that differ, at most 50: of the parts of a field, such as `persona.prompt` or `runtime.tools.0.name`. A path of more than 100 characters ends earlier. Empty for a document, and where `fields` is. */
  paths: string[];
};

/** A page of the differences. */
export type DeploymentChangeList = {
  /** The items of the page. */
  items: DeploymentChange[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
  /** The deployment that was compared with. Null if nothing was served before. */
  since: string | null;
  /** Whether the list has the documents. `same`: both deployments have the same index. `unknown`: the indexes differ, and a list of the documents is missing for an index, because it was built by an earlier version of the service. Values: `same`, `compared`, `unknown`. More may be added. */
  documents: 'same' | 'compared' | 'unknown' | (string & {});
};

/** The body of `deployments.create`. */
export type DeploymentCreateRequest = {
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** What is promoted: a deployment, or the current deployment of an environment. */
  from?: DeploymentSource | undefined;
  /** The commit to deploy. Null for no commit. Not with `from`. */
  git?: GitCommitInput | null | undefined;
  /** The reason, for people. Null if not set. */
  reason?: string | null | undefined;
  /** Whether the environment serves it at once. Default: true. */
  promote?: boolean | undefined;
  /** Whether to deploy only if something differs from the current deployment. Default: false. */
  ifChanged?: boolean | undefined;
  /** Whether to refuse a deployment that has warnings other than `documents_read_in_part`: 409. Not with `from`. Default: false. */
  strict?: boolean | undefined;
  /** Whether to refuse a deployment that has the warning `documents_read_in_part`: 409. Not with `from`. Default: false. */
  strictNotes?: boolean | undefined;
};

/** A deployment was created. */
export type DeploymentCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'deployment.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Deployment | RemovedResource;
};

/** A page of a list. */
export type DeploymentList = {
  /** The items of the page. */
  items: Deployment[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded` when another deployment has replaced it. */
export type DeploymentPhase = 'staged' | 'current' | 'superseded';

/** A deployment was promoted: its environment serves it. */
export type DeploymentPromotedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'deployment.promoted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Deployment | RemovedResource;
};

/** The body of `deployments.rollback`. */
export type DeploymentRollbackRequest = {
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The deployment to return to. Default: the `previous` deployment of the environment. */
  deploymentId?: string | undefined;
  /** The reason, for people. Null if not set. */
  reason?: string | null | undefined;
};

/** An environment was rolled back to a deployment: it serves it again. */
export type DeploymentRolledBackEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'deployment.rolled_back';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Deployment | RemovedResource;
};

/** What is promoted: a deployment, or the current deployment of an environment. */
export type DeploymentSource = {
  /** This deployment. */
  deploymentId?: string | undefined;
  /** The current deployment of this environment, in place of `deploymentId`. */
  environment?: string | undefined;
};

/** A deployment was superseded, or serves another index because a document was expunged. */
export type DeploymentUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'deployment.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Deployment | RemovedResource;
};

/** Stored documents that the deployment does not include or that were read in part, avatars whose tags match no document, or a deployment without avatars and index. */
export type DeploymentWarning = {
  /** The kind, for programs. `nothing_to_deploy`: the project has no active avatar and no published index. `documents_read_in_part`: documents with `extractionNotes`. `knowledge_tags_unmatched`: no document has any knowledge tag of an avatar, so that its searches find nothing. Values: `nothing_to_deploy`, `documents_pending`, `documents_failed`, `documents_read_in_part`, `knowledge_tags_unmatched`. More may be added. */
  code: 'nothing_to_deploy' | 'documents_pending' | 'documents_failed' | 'documents_read_in_part' | 'knowledge_tags_unmatched' | (string & {});
  /** The warning, for people. */
  message: string;
  /** The number of documents, or of avatars. 0 for `nothing_to_deploy`. */
  count: number;
  /** The first five of these documents. Empty if the warning is about something else. */
  documents: WarnedDocument[];
};

/** A language (ISO 639-1). */
export type DetectedLanguage = 'am' | 'ar' | 'az' | 'be' | 'bg' | 'bn' | 'ca' | 'cs' | 'da' | 'de' | 'el' | 'en' | 'es' | 'et' | 'eu' | 'fa' | 'fi' | 'fr' | 'gu' | 'he' | 'hi' | 'hr' | 'hu' | 'hy' | 'is' | 'it' | 'ja' | 'ka' | 'kn' | 'ko' | 'ku' | 'lo' | 'lt' | 'lv' | 'ml' | 'mr' | 'ms' | 'nl' | 'no' | 'or' | 'pa' | 'pl' | 'pt' | 'ro' | 'ru' | 'sk' | 'sl' | 'sq' | 'sr' | 'sv' | 'ta' | 'te' | 'th' | 'tl' | 'tr' | 'uk' | 'ur' | 'vi' | 'yo' | 'zh';

/** Why nothing is sent. Values: `requested`, `gone`, `failing`, `key_revoked`, `restored`. More may be added. */
export type DisabledReason = 'requested' | 'gone' | 'failing' | 'key_revoked' | 'restored' | (string & {});

/** The content of a document, or a part of it. `bytes` and `contentSha256` are of the whole content. */
export type DocumentContent = {
  /** The content, or a part of it: at most 200 KB in UTF-8. */
  content: string;
  /** The format of the content. */
  mimeType: MimeType;
  /** The size of the content in UTF-8. */
  bytes: number;
  /** The SHA-256 of the content in UTF-8, in hexadecimal. */
  contentSha256: string;
  /** Send it as `cursor` to get the next part. Null with the last part. */
  nextCursor: string | null;
};

/** A knowledge document was created. */
export type DocumentCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'document.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeDocument | RemovedResource;
};

/** A knowledge document was deleted. */
export type DocumentDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'document.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeDocument | RemovedResource;
};

/** Which documents to export. */
export type DocumentExportFilters = {
  /** Only documents with this status. */
  status?: DocumentStatus | undefined;
  /** Only documents with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only documents with exactly this source. Not blank, without control characters. */
  source?: string | undefined;
  /** Only documents changed at this time or later. */
  updatedFrom?: string | Date | undefined;
};

/** A request to export `documents`. */
export type DocumentExportRequest = {
  /** The content to export. */
  what: 'documents';
  /** As in the list. Default: everything. */
  filters?: DocumentExportFilters | undefined;
  /**
   * JSON lines, compressed with gzip. There is no other format yet.
   * Default: `'jsonl'`.
   */
  format?: 'jsonl' | undefined;
};

/** A document that was not indexed completely, and why. */
export type DocumentProblem = {
  /** The id of the document. */
  documentId: string;
  /** The problem, as a code for programs. */
  code: string;
  /** The problem, as a text for people. */
  message: string;
};

/** Whether the index includes the latest version of the document. `pending` until it does, or until that has failed. */
export type DocumentStatus = 'pending' | 'indexed' | 'failed';

/** A knowledge document was changed. */
export type DocumentUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'document.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeDocument | RemovedResource;
};

/** A file for callers of the API: the command line, or a client. */
export type Download = {
  /** The name, with the version and the commit. A file never changes. */
  file: string;
  /** The command line (`cli`), or a client. */
  kind: 'cli' | 'typescript' | 'python';
  /** The version. */
  version: string;
  /** The size. */
  bytes: number;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** The address of the file. */
  url: string;
  /** The command that installs the file. */
  install: string;
};

/** A page of a list. */
export type DownloadList = {
  /** The items of the page. */
  items: Download[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** A named environment, which serves one deployment at a time. */
export type Environment = {
  /** The name of the environment. The first deployment to it creates it. */
  name: string;
  /** The deployment that the environment serves. Null before the first promotion. */
  current: string | null;
  /** The deployment that a rollback returns to. Null if there is no such deployment. */
  previous: string | null;
  /** Whether new deployments stay staged. True from a rollback until the next promotion. */
  pinned: boolean;
  /** The rollback that pinned the environment. Null if it is not pinned. */
  rollback: Rollback | null;
  /** When the environment was created. */
  createdAt: string;
  /** When the environment was last changed. */
  updatedAt: string;
};

/** The deployment that a part of the units gets. */
export type EnvironmentCandidate = {
  /** The id of the deployment. */
  deploymentId: string;
  /** SHA-256 of the content. Deployments with equal content have equal hashes. */
  configHash: string;
};

/** What a deployment has frozen: everything that a runtime needs. */
export type EnvironmentConfig = {
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The id of the deployment: of the environment, its current deployment, or the candidate if the unit has it. */
  deploymentId: string;
  /** SHA-256 of the content. Deployments with equal content have equal hashes. */
  configHash: string;
  /** The index that was published at that time; null if no index was published. */
  knowledgeIndexVersion: string | null;
  /** The avatars, sorted by id. */
  avatars: FrozenAvatar[];
  /** The rollout of the environment. Null if there is none, and in the configuration of a deployment. */
  rollout: EnvironmentRollout | null;
};

/** An environment got its first deployment. */
export type EnvironmentCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'environment.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Environment | RemovedResource;
};

/** An environment was deleted: it serves nothing any more. */
export type EnvironmentDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'environment.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Environment | RemovedResource;
};

/** A page of a list. */
export type EnvironmentList = {
  /** The items of the page. */
  items: Environment[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** A rollout that has not ended. */
export type EnvironmentRollout = {
  /** The id of the rollout. */
  id: string;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** The number of the span of this percent in the rollout, from 1. */
  span: number;
  /** The deployment that a part of the units gets. */
  candidate: EnvironmentCandidate;
  /** What the unit gets. Missing without `unit`. */
  variant?: RolloutVariant | undefined;
  /** What a conversation of the unit is created with: `<rollout id>.<span>.<variant>.<16 hex digits>`. Missing without `unit`. */
  assignment?: string | undefined;
};

/** An environment serves another deployment, or was pinned or unpinned. */
export type EnvironmentUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'environment.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Environment | RemovedResource;
};

/** The result of `conversations.erase`. */
export type EraseResult = {
  /** The number of erased conversations. */
  erased: number;
  /** The number of erased conversations whose data is removed. Equals `erased`. */
  purged: number;
  /** A proof of whose conversations they were: the SHA-256, in hex, of the job's id, a colon and the `externalUserId`. Only someone who knows the identifier can check it. */
  externalUserIdSha256: string;
};

/** The remaining data of an erased conversation. */
export type ErasedConversation = {
  /** The id of the conversation. */
  id: string;
  /** Always `erased`. */
  status: 'erased';
  /** When it was erased. */
  erasedAt: string;
  /** When the last stored data was removed: messages, search index, statistics, and stored responses. Null until then. */
  purgedAt: string | null;
};

/** The result of `conversations.evaluate`. */
export type EvaluateResult = {
  /** The number of conversations that match the filter, and are done. */
  conversations: number;
  /** The number of scores that were stored. A preview counts those that it has, and a dry run those that a run would store. */
  evaluated: number;
  /** The number of scores that were stored before, by the same versions about the same messages. */
  unchanged: number;
  /** The number of these stored scores without a value, because the model has given none. */
  unknown: number;
  /** The number of scores that are missing, because the model did not answer. Another run gives them. */
  failed: number;
  /** The number of calls of models. */
  calls: number;
  /** The tokens that the models have read. */
  inputTokens: number;
  /** The tokens that the models have written. */
  outputTokens: number;
  /** What the calls have cost by the prices of the stage, in US dollars. A call whose answer was lost counts as the most that it can have cost. A dry run estimates it. */
  costUsd: number;
  /** Why it stopped before its end: its `maxCostUsd` does not suffice for the next call, or the quota `modelCostUsd` of the day does not. Its scores stay. Null if it has done everything. */
  stoppedBecause: EvaluationStopReason | null;
  /** The conversations of a preview with their scores, newest first. Null an hour after they were evaluated. Only `GET …/jobs/{job_id}` has it. */
  preview?: PreviewedConversation[] | null | undefined;
};

/** How well an index version answers questions. */
export type Evaluation = {
  /** The index version that was searched. */
  indexVersion: string;
  /** How the index was searched: `hybrid` if the meaning of at least one question was compared. Values: `hybrid`, `lexical`. More may be added. */
  mode: 'hybrid' | 'lexical' | (string & {});
  /** The mean of `ndcgAt10` of the questions. */
  ndcgAt10: number;
  /** The mean of `recallAt5` of the questions. */
  recallAt5: number;
  /** The mean of `mrr` of the questions. */
  mrr: number;
  /** The share of the questions with a passage whose passage is in the text of the first five pieces. Null if no question names one. */
  answerIn5: number | null;
  /** The same for the first ten pieces. */
  answerIn10: number | null;
  /** The questions, in the order of the request. */
  questions: QuestionEvaluation[];
};

/** Which conversations to evaluate. Empty for all that are no tests. */
export type EvaluationFilter = {
  /** Only conversations with this avatar. */
  avatarId?: string | undefined;
  /** Only conversations with this user. Not blank, without control characters. */
  externalUserId?: string | undefined;
  /** Only conversations with this deployment. */
  deploymentId?: string | undefined;
  /** Only conversations on this channel. Not blank, without control characters. */
  channel?: string | undefined;
  /** Only conversations with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only conversations with this status. */
  status?: ConversationStatus | undefined;
  /** Whether to evaluate test conversations instead of the others. Default: false. */
  test?: boolean | undefined;
  /** Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`, `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of that name is left out, also by `ne`. */
  scores?: string[] | undefined;
  /** Only conversations started at this time or later. */
  startedFrom?: string | Date | undefined;
  /** Only conversations started before this time. */
  startedBefore?: string | Date | undefined;
};

/** A question, and the documents that answer it. */
export type EvaluationQuestion = {
  /** What a user would ask. Not blank, without control characters. */
  q: string;
  /** The documents that answer the question. */
  expect: ExpectedDocument[];
};

/** The body of `evaluation-runs.create`. */
export type EvaluationRunCreateRequest = EvaluationRunRequest;

/** What to evaluate. */
export type EvaluationRunRequest = {
  /** Which conversations to evaluate. Empty for all that are no tests. */
  filter?: EvaluationFilter | undefined;
  /** The evaluators, by name or id. Default: all active evaluators of the kinds `rule` and `model` that are not paused. */
  evaluators?: string[] | undefined;
  /** Only with `preview`: an evaluator that is not stored, instead of `evaluators`. */
  draft?: EvaluatorDraft | undefined;
  /**
   * Whether it only counts: the result has what a run would do, with an estimate of its cost.
   * Default: `false`.
   */
  dryRun?: boolean | undefined;
  /**
   * Whether it evaluates only the newest conversations, at most 10, with at most 10 evaluators, and stores no score: `result.preview` of the job has the scores, for an hour.
   * Default: `false`.
   */
  preview?: boolean | undefined;
  /** The most that the run may cost, in US dollars. A call whose highest possible cost does not fit ends the run. Required if a model is used, except for a dry run. */
  maxCostUsd?: number | undefined;
};

/** Why a run stopped before its end. Values: `max_cost_usd`, `model_cost_quota`. More may be added. */
export type EvaluationStopReason = 'max_cost_usd' | 'model_cost_quota' | (string & {});

/** A way to score conversations. */
export type Evaluator = {
  /** The id of the evaluator. */
  id: string;
  /** The name of the evaluator and of its scores, unique in the project. */
  name: string;
  /** Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them (`external`). */
  kind: EvaluatorKind;
  /** Which values the scores have: true or false, numbers, categories, texts, or objects. */
  output: ScoreOutput;
  /** What it is about. Null for nothing. */
  description: string | null;
  /** Null unless `kind` is `rule`. */
  rule: EvaluatorRule | null;
  /** Null unless `kind` is `model`. */
  model: EvaluatorModel | null;
  /** The conversations that it is for. All given values must be equal. Empty for all. */
  appliesTo: EvaluatorScope;
  /** Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs. */
  status: EvaluatorStatus;
  /** Whether it scores no conversations, in spite of its status. */
  paused: boolean;
  /** A request has `requested` it, the key that has set it was revoked with `children=true` (`key_revoked`), or it was lost and came back from a backup (`restored`). Null if it is not paused. */
  pausedReason: EvaluatorPausedReason | null;
  /** The version of the evaluator, which increases by one with each change. */
  version: number;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** The credential that created it. */
  createdBy: string;
  /** The credential on whose behalf it scores conversations by itself: the last one that has set its rule, its model, `appliesTo`, `status` or `paused`. */
  setBy: string;
};

/** The body of `evaluators.create`. */
export type EvaluatorCreateRequest = {
  /** The name of the evaluator and of its scores, unique in the project. */
  name: string;
  /**
   * What it is about. Null for nothing.
   * Default: `null`.
   */
  description?: string | null | undefined;
  /** Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them (`external`). */
  kind: EvaluatorKind;
  /** The values of its scores. Required, except for a rule: its output is boolean. */
  output?: ScoreOutput | undefined;
  /** The condition that a conversation meets or not. Null if not set. */
  rule?: EvaluatorRule | null | undefined;
  /**
   * A model to give the score, and its question. Null if not set.
   * Default: `null`.
   */
  model?: EvaluatorModelInput | null | undefined;
  /**
   * The conversations that it is for. All given values must be equal. Empty for all.
   * Default: `{}`.
   */
  appliesTo?: EvaluatorScope | undefined;
};

/** An evaluator was created. */
export type EvaluatorCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'evaluator.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Evaluator | RemovedResource;
};

/** An evaluator that is not stored. */
export type EvaluatorDraft = {
  /** Where its scores come from. */
  kind: EvaluatorDraftKind;
  /** The values of its scores. Required, except for a rule: its output is boolean. */
  output?: ScoreOutput | undefined;
  /** Required for a `rule`. */
  rule?: EvaluatorRule | null | undefined;
  /**
   * Required for a `model`.
   * Default: `null`.
   */
  model?: EvaluatorModelInput | null | undefined;
};

/** Where its scores come from. */
export type EvaluatorDraftKind = 'rule' | 'model';

/** Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them (`external`). */
export type EvaluatorKind = 'rule' | 'model' | 'external';

/** A page of a list. */
export type EvaluatorList = {
  /** The items of the page. */
  items: Evaluator[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The model that gives the score, and its question. */
export type EvaluatorModel = {
  /** The model: one of the models that the service lists. */
  modelId: string;
  /** The question to the model. The service adds the transcript and the form of the answer. */
  prompt: string;
  /** The temperature of the model. Null for the default of the model. */
  temperature: number | null;
};

/** A model to give the score, and its question. */
export type EvaluatorModelInput = {
  /** The model: one of the models that the service lists. */
  modelId: string;
  /** The question to the model. The service adds the transcript and the form of the answer. */
  prompt: string;
  /**
   * The temperature of the model. Null for the default of the model.
   * Default: `null`.
   */
  temperature?: number | null | undefined;
};

/** Why an evaluator is paused. Values: `requested`, `key_revoked`, `restored`. More may be added. */
export type EvaluatorPausedReason = 'requested' | 'key_revoked' | 'restored' | (string & {});

/** A condition, or a combination of conditions: exactly one field. */
export type EvaluatorRule = {
  /** All of these hold. */
  all?: EvaluatorRule[] | undefined;
  /** At least one of these holds. */
  any?: EvaluatorRule[] | undefined;
  /** This does not hold. */
  not?: EvaluatorRule | undefined;
  /** A message contains this text, in any case (`sorry`, `Sorry`). */
  contains?: RuleContains | undefined;
  /** The text of a message matches this regular expression, in the [syntax of RE2](https://github.com/google/re2/wiki/Syntax). */
  matches?: RuleMatches | undefined;
  /** The number of messages. */
  messages?: RuleMessages | undefined;
  /** The seconds from the start to the end, or to the last message. */
  durationSeconds?: RuleComparison | undefined;
  /** The seconds from the first message of the user to the first answer of the avatar. Without an answer it does not hold. */
  firstAnswerSeconds?: RuleComparison | undefined;
  /** The seconds of the longest pause between a message and the next. 0 if there is none. */
  longestGapSeconds?: RuleComparison | undefined;
  /** Whether no message of the avatar follows the last message of the user. */
  unansweredQuestion?: boolean | undefined;
  /** Whether an answer of the avatar cites a document. */
  citations?: boolean | undefined;
  /** Whether the avatar gave the same answer twice. */
  repeatedAnswer?: boolean | undefined;
  /** The user writes in this language. It does not hold if their messages are too short to tell. */
  language?: DetectedLanguage | undefined;
};

/** The conversations that it is for. All given values must be equal. Empty for all. */
export type EvaluatorScope = {
  /** Only conversations with this avatar. */
  avatarId?: string | undefined;
  /** Only conversations with this deployment. */
  deploymentId?: string | undefined;
  /** Only conversations on this channel. Not blank, without control characters. */
  channel?: string | undefined;
  /** Only conversations with this tag. Not blank, without control characters. */
  tag?: string | undefined;
};

/** Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs. */
export type EvaluatorStatus = 'active' | 'archived';

/** The body of `evaluators.update`. */
export type EvaluatorUpdateRequest = {
  /** What it is about. Null for nothing. */
  description?: string | null | undefined;
  /** The condition that a conversation meets or not. */
  rule?: EvaluatorRule | undefined;
  /** A model to give the score, and its question. */
  model?: EvaluatorModelInput | undefined;
  /** The conversations that it is for. All given values must be equal. Empty for all. */
  appliesTo?: EvaluatorScope | undefined;
  /** Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs. */
  status?: EvaluatorStatus | undefined;
  /** Whether it scores no conversations. */
  paused?: boolean | undefined;
};

/** An evaluator has a new version. */
export type EvaluatorUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'evaluator.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Evaluator | RemovedResource;
};

/** An evaluator as it was after one change. Versions never change. */
export type EvaluatorVersion = {
  /** The id of the evaluator. */
  evaluatorId: string;
  /** The version of the evaluator, which increases by one with each change. */
  version: number;
  /** The name of the evaluator and of its scores, unique in the project. */
  name: string;
  /** Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them (`external`). */
  kind: EvaluatorKind;
  /** Which values the scores have: true or false, numbers, categories, texts, or objects. */
  output: ScoreOutput;
  /** What it is about. Null for nothing. */
  description: string | null;
  /** Null unless `kind` is `rule`. */
  rule: EvaluatorRule | null;
  /** Null unless `kind` is `model`. */
  model: EvaluatorModel | null;
  /** The conversations that it is for. All given values must be equal. Empty for all. */
  appliesTo: EvaluatorScope;
  /** Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs. */
  status: EvaluatorStatus;
  /** Whether it scores no conversations, in spite of its status. */
  paused: boolean;
  /** When the version was created. */
  createdAt: string;
  /** The credential that made this change, or `worker:` and the name of the worker that has paused it. */
  createdBy: string;
};

/** A page of a list. */
export type EvaluatorVersionList = {
  /** The items of the page. */
  items: EvaluatorVersion[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** A document that answers the question: `documentId`, or `externalId` with its `source`. Name it several times if several of its passages answer the question. */
export type ExpectedDocument = {
  /** The id of the document. */
  documentId?: string | undefined;
  /** The source of the document. Without `source`, a document without a source is meant. */
  source?: string | null | undefined;
  /** Your own id of the document, in place of `documentId`. Not blank, without control characters. */
  externalId?: string | undefined;
  /**
   * How well the document answers the question, compared with the others. It counts 2^grade - 1 in `ndcgAt10`. The other measures do not use it.
   * Default: `1`.
   */
  grade?: number | undefined;
  /** The passage of the document that has the answer. Letter case and white space do not count. */
  contains?: string | undefined;
};

/** Where an expected document was found. */
export type ExpectedRank = {
  /** The id of the document. Null if no document has the `externalId` in this source. */
  documentId: string | null;
  /** Its grade. */
  grade: number;
  /** Its rank from 1 to 10. Null if it is not among the first ten. */
  rank: number | null;
  /** The rank, from 1 to 10, of the first piece of this document that has the passage. Null if no piece among the first ten has it, and without `contains`. */
  passageRank: number | null;
  /** Whether the index does not contain the document: it was deleted, it never existed, it could not be read, or it waits for the next re-indexing. It counts as not found. */
  missing: boolean;
};

/** An export with links to its files. */
export type Export = {
  /** The id of the export. It is also the id of its job. */
  id: string;
  /** The content of the export. */
  what: ExportContent;
  /** JSON lines. */
  format: 'jsonl';
  /** The status of its job. */
  status: JobStatus;
  /** The number of exported items so far. */
  counts: ExportCounts;
  /** The complete files, in order, also while the job runs. Each is JSON lines, compressed with gzip; together they have each record once. */
  parts: ExportPart[];
  /** Why it failed. Null unless `status` is `failed`. */
  error: Failure | null;
  /** When the export was requested. */
  createdAt: string;
  /** The time at which the first file is deleted. Null while there is no file. */
  expiresAt: string | null;
};

/** The content of the export. */
export type ExportContent = 'conversations' | 'documents' | 'audit';

/** The number of exported items so far. */
export type ExportCounts = {
  /** The number of conversations, documents or events in its parts, also in those that were removed. */
  records: number;
  /** The number of complete files. */
  parts: number;
  /** The size of the compressed files. */
  bytes: number;
};

/** The body of `exports.create`. */
export type ExportCreateRequest = ExportRequest;

/** A file of an export. */
export type ExportPart = {
  /** The number of the part: 1, 2, 3, without gaps. */
  number: number;
  /** Whether the file can be downloaded. `removed`: it was deleted before its time, see `removedBecause`. */
  status: 'ready' | 'removed' | 'expired';
  /** Why the file is gone: data in it was erased or deleted, or the project keeps conversations for a shorter time. Export again to get the remaining data. Null unless `status` is `removed`. */
  removedBecause: 'conversation_erased' | 'document_deleted' | 'retention_shortened' | null;
  /** Where to download the file, without a credential. Null unless `status` is `ready`. Each request for the export returns new links. */
  url: string | null;
  /** Until when `url` works: 15 minutes. Null without a `url`. */
  linkExpiresAt: string | null;
  /** The number of conversations, documents or events that begin in this part. */
  records: number;
  /** The size of the compressed file. */
  bytes: number;
  /** When the file is deleted: within a day. */
  expiresAt: string;
};

/** The content to export, with its filters. */
export type ExportRequest = ConversationExportRequest | DocumentExportRequest | AuditExportRequest;

/** The result of an export. */
export type ExportResult = {
  /** The number of exported conversations, documents or events. */
  records: number;
  /** The number of files. */
  parts: number;
  /** The size of the files, compressed. */
  bytes: number;
};

/** The result of `knowledge.expunge`. */
export type ExpungeResult = {
  /** The number of expunged documents: all that were requested before the job started. */
  expunged: number;
  /** The number of index versions that were replaced. */
  replacedVersions: number;
  /** The changed environments: they serve a new `knowledgeIndexVersion` and have a new `configHash`. At most 1000 are listed. */
  environments: string[];
};

/** Whether the text of a file has become the content of the document. */
export type Extraction = 'pending' | 'done' | 'failed';

/** Something of a file or a page that was left out or changed when it was read. */
export type ExtractionNote = {
  /** What was left out or changed: attachments of a mail, comments, pages without a text, pictures without a text (all not read), wrong bytes (`characters_replaced`), an encoding that nothing states (`encoding_assumed`), parts of HTML beside its content, such as `<nav>` (`text_left_out`), or the end of a file (`truncated_file`). */
  code: ExtractionNoteCode;
  /** How many: comments, pages, characters. */
  count: number;
  /** The first 20 of these pages, from 1. Omitted if the format has no pages. */
  pages?: number[] | undefined;
};

/** What was left out or changed: attachments of a mail, comments, pages without a text, pictures without a text (all not read), wrong bytes (`characters_replaced`), an encoding that nothing states (`encoding_assumed`), parts of HTML beside its content, such as `<nav>` (`text_left_out`), or the end of a file (`truncated_file`). Values: `attachments_left_out`, `characters_replaced`, `comments_left_out`, `encoding_assumed`, `pages_without_text`, `pictures_without_text`, `text_left_out`, `truncated_file`. More may be added. */
export type ExtractionNoteCode = 'attachments_left_out' | 'characters_replaced' | 'comments_left_out' | 'encoding_assumed' | 'pages_without_text' | 'pictures_without_text' | 'text_left_out' | 'truncated_file' | (string & {});

/** Why something failed. */
export type Failure = {
  /** Why it failed, for programs. */
  code: string;
  /** Why it failed, for people. */
  message: string;
};

/** A document that was found. */
export type FoundDocument = {
  /** The id of the document. */
  documentId: string;
  /** The title of the document. */
  title: string;
  /** The score of its best piece. Scores are comparable only within one question. */
  score: number;
  /** Its grade if it was expected, otherwise null. */
  grade: number | null;
};

/** An avatar as it is served. */
export type FrozenAvatar = {
  /** The id of the avatar. */
  id: string;
  /** The version of the avatar, which increases by one with each change. */
  version: number;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** Who the avatar is and how it speaks. */
  persona: Persona;
  /** The voice of the avatar. Null if not set. */
  voice: Voice | null;
  /** The https address of its image. Null if not set. */
  imageUrl: string | null;
  /** The avatar knows the documents that have at least one of these tags. */
  knowledgeTags: string[];
  /** The model that answers for the avatar. Missing if the avatar has none. */
  model?: AvatarModel | undefined;
  /** JSON for your own runtime. Missing if the avatar has none. */
  runtime?: unknown | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
};

/** The deployed commit. */
export type GitCommit = {
  /** The commit hash, in lower case. */
  sha: string;
  /** The branch or tag. Not blank, without control characters. */
  ref: string;
};

/** The commit to deploy. */
export type GitCommitInput = {
  /** The commit hash: its first 7 digits or more. */
  sha: string;
  /** The branch or tag. Not blank, without control characters. */
  ref: string;
};

/** Which values are better. */
export type GuardDirection = 'higher' | 'lower';

/** `breached`: the whole confidence sequence says that the candidate is worse by more than `maxHarm`. `passed`: enough units have values, few have none, and it is not breached. `undecided` otherwise. */
export type GuardVerdict = 'passed' | 'breached' | 'undecided';

/** The state of the service. */
export type HealthStatus = {
  /** Whether the service responds. */
  status: 'ok';
  /** The version of the service. */
  version: string;
  /** The git commit that was deployed, with `-dirty` if files differed from it. `unknown` if there was no git. */
  commit: string;
  /** Whether the database responds. */
  database: 'ok';
};

/** Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later. */
export type IdentityClaims = Record<string, string | number | boolean>;

/** A line that was not imported. */
export type ImportError = {
  /** The number of the line, from 1. */
  line: number;
  /** Why it was not, for programs. */
  code: string;
  /** Why it was not, for people. */
  message: string;
};

/** The effect of the request. `unchanged` means that the conversation was stored before, perhaps by an earlier attempt. */
export type ImportOutcome = 'created' | 'unchanged';

/** The result of `conversations.import`. */
export type ImportResult = {
  /** The number of conversations that were stored. */
  created: number;
  /** The number of conversations that were stored before, with the same content. */
  unchanged: number;
  /** The number of lines of which nothing was stored. */
  failed: number;
  /** Why lines failed. The first 100 are listed. */
  errors: ImportError[];
};

/** A conversation with its messages, as it is imported. */
export type ImportedConversation = {
  /** The id of the avatar that the conversation is with. */
  avatarId: string;
  /** Your own id of the user. Not blank, without control characters. Null if not set. */
  externalUserId?: string | null | undefined;
  /** Where it takes place, such as `web`. Not blank, without control characters. Null if not set. */
  channel?: string | null | undefined;
  /** Labels to filter by. */
  tags?: string[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The id of the deployment that the avatar runs in. Null for no deployment. */
  deploymentId?: string | null | undefined;
  /** Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when it is created. */
  test?: boolean | undefined;
  /** When it started. At most 5 minutes in the future. In 1970 or later. */
  startedAt: string | Date;
  /** When it ended: not before its start or its last message. Without it, or with null, the conversation is active, and times out after the import. */
  endedAt?: string | Date | null | undefined;
  /** Why it ended. Default: `completed`. Only with `endedAt`. */
  endReason?: string | null | undefined;
  /** Your own id of the conversation, unique in the project. No personal data: logs contain paths. Not blank, without control characters. */
  externalId: string;
  /** Its messages, in order. Each `clientMessageId` is unique. Their times need no order, and may be before the start. */
  messages: ImportedMessage[];
};

/** The result for one conversation. */
export type ImportedConversationResult = {
  /** The place of the conversation in the request, from 0. */
  index: number;
  /** The id of the conversation. */
  id: string;
  /** The effect of the request. `unchanged` means that the conversation was stored before, perhaps by an earlier attempt. */
  outcome: ImportOutcome;
};

/** One result per conversation, in the order of the request. */
export type ImportedConversations = {
  /** The result for each conversation. */
  results: ImportedConversationResult[];
};

/** A message, as it is imported. */
export type ImportedMessage = {
  /** Who said it. */
  role: MessageRole;
  /** The text of the message: at most 16 KB of UTF-8. */
  text: string;
  /** When it was said. At most 5 minutes in the future. In 1970 or later. */
  at: string | Date;
  /** Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. Not blank, without control characters. Null if not set. */
  clientMessageId?: string | null | undefined;
  /** The documents that the message is based on. */
  citations?: CitationInput[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together. */
  metadata?: MessageMetadata | undefined;
};

/** Background work, such as re-indexing. */
export type Job = {
  /** The id of the job. */
  id: string;
  /** The type of the job. Values: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`, `knowledge.expunge`, `conversations.erase`, `conversations.reindex`, `conversations.evaluate`, `conversations.export`, `conversations.import`, `knowledge.export`, `audit.export`. More may be added. */
  type: 'knowledge.reindex' | 'knowledge.refresh' | 'knowledge.remove-source' | 'knowledge.expunge' | 'conversations.erase' | 'conversations.reindex' | 'conversations.evaluate' | 'conversations.export' | 'conversations.import' | 'knowledge.export' | 'audit.export' | (string & {});
  /** The state of a job. `succeeded`, `failed` and `cancelled` are final. */
  status: JobStatus;
  /** How much of the work is done. */
  progress: JobProgress;
  /** The documents that failed, and why. At most 100 are listed. */
  failures: DocumentProblem[];
  /** The documents by which a search cannot filter as the `searchFields` say, and why. At most 100 are listed. What was left out of a text is in the `extractionNotes` of its document. */
  warnings: DocumentProblem[];
  /** The result. Null unless `status` is `succeeded`. Its fields depend on `type`. */
  result: EvaluateResult | ReindexResult | RefreshResult | RemoveSourceResult | ExpungeResult | EraseResult | ConversationsReindexResult | ExportResult | ImportResult | null;
  /** Why it failed. Null unless `status` is `failed`. `deadline_exceeded`: it has not ended by `deadlineAt`. `credential_revoked`: it ends with the credential that requested it, and the credential was revoked with its children. `worker_failed`: it has not ended after ten attempts. Further codes depend on `type`. */
  error: Failure | null;
  /** When the job was requested. */
  createdAt: string;
  /** The credential that requested it. */
  createdBy: string;
  /** When it started. Null before. */
  startedAt: string | null;
  /** When it ended. Null before. */
  finishedAt: string | null;
  /** The environments of the credential that requested an export, an import or an evaluation of conversations. The job leaves out, or refuses, conversations of other environments. Omitted if the credential was bound to none. */
  environments?: string[] | undefined;
  /** A job that has not ended by this time fails. It is later by the time of a suspension of the organisation. */
  deadlineAt: string;
};

/** A job was cancelled. */
export type JobCancelledEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'job.cancelled';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Job | RemovedResource;
};

/** A job was requested. */
export type JobCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'job.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Job | RemovedResource;
};

/** A job has failed, or was not done by its deadline. */
export type JobFailedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'job.failed';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Job | RemovedResource;
};

/** A page of a list. */
export type JobList = {
  /** The items of the page. */
  items: Job[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** How much of the work is done. */
export type JobProgress = {
  /** The amount of work: documents, index versions (`knowledge.expunge`), conversations (`conversations.erase`, `conversations.evaluate`, `conversations.reindex`), pages (`knowledge.refresh`) or lines (`conversations.import`). 0 until known, which is at the end of an export and of an evaluation. */
  total: number;
  /** The amount done, including failures. */
  done: number;
  /** The number of failures. */
  failed: number;
  /** The new pieces of documents whose meaning `knowledge.reindex` computes after all documents are read. Omitted before, and if there are few. */
  pieces?: PieceProgress | undefined;
};

/** A job has started. */
export type JobStartedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'job.started';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Job | RemovedResource;
};

/** The state of a job. `succeeded`, `failed` and `cancelled` are final. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A job has succeeded. */
export type JobSucceededEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'job.succeeded';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Job | RemovedResource;
};

/** A document of a project, without its content. */
export type KnowledgeDocument = {
  /** The id of the document. */
  id: string;
  /** A display name. Not blank, without control characters. */
  title: string;
  /** The folder or system that the document comes from. An `externalId` is unique within a source, and among documents without a source. Not blank, without control characters. Null if not set. */
  source: string | null;
  /** Your own id of the document: up to 255 characters, unique within its source. Not blank, without control characters. Null if not set. */
  externalId: string | null;
  /** The address of the page that it comes from. Only for documents of a source. */
  url?: string | undefined;
  /** The format of the content. */
  mimeType: MimeType;
  /** The size of the content in UTF-8. Null if there is no content, because of the `extraction`. */
  bytes: number | null;
  /** The SHA-256 of the content in UTF-8, in hexadecimal. Null if there is no content. */
  contentSha256: string | null;
  /** Whether the text of the file has become the content. Null if the content was not sent as a file. */
  extraction: Extraction | null;
  /** Why the file has no text. Null unless `extraction` is `failed`. */
  extractionError: Failure | null;
  /** The SHA-256 of the file, in hexadecimal. Null before its extraction, without a file, and if the extraction has failed for a reason that is not in the file, such as a quota. */
  fileSha256: string | null;
  /** The media type that was sent with the file. Null if there was none. */
  fileMimeType: string | null;
  /** What was left out or changed when the file or the page was read. At most 20. */
  extractionNotes: ExtractionNote[];
  /** The version of the readers that have read the file or the page. Later versions may read more: `readerVersion` of the list is the current one. Null before the file is read, and if the content was sent. */
  extractedBy: number | null;
  /** Labels to filter by. Their order does not matter. */
  tags: string[];
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** Whether the index includes the latest version of the document. `pending` until it does, or until that has failed. */
  status: DocumentStatus;
  /** Why it could not be indexed. Null unless `status` is `failed`. */
  error: Failure | null;
  /** Whether the document is left out of the next indexes and of all warnings. Its `status` stays as it was. */
  ignored: boolean;
  /** The index version that first included the latest version of the document. Null before. */
  indexVersion: string | null;
  /** When the document was created. */
  createdAt: string;
  /** When it was last changed. Indexing does not count. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
};

/** The body of `knowledge.documents.batch`. */
export type KnowledgeDocumentBatchRequest = {
  /** The complete documents. Each has an `externalId` that is unique within its `source`. */
  documents: KnowledgeDocumentInput[];
};

/** The body of `knowledge.documents.create`. */
export type KnowledgeDocumentCreateRequest = {
  /**
   * The folder or system that the document comes from. An `externalId` is unique within a source, and among documents without a source. Not blank, without control characters. Null if not set.
   * Default: `null`.
   */
  source?: string | null | undefined;
  /** A display name. Not blank, without control characters. */
  title: string;
  /**
   * Labels to filter by. Their order does not matter.
   * Default: `[]`.
   */
  tags?: string[] | undefined;
  /**
   * Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters.
   * Default: `{}`.
   */
  metadata?: Metadata | undefined;
  /** Your own id of the document: up to 255 characters, unique within its source. Not blank, without control characters. */
  externalId?: string | undefined;
  /** The content: well-formed Unicode, at most 200 KB in UTF-8. */
  content?: string | undefined;
  /** An upload with the purpose `knowledge`, in place of `content`: its text becomes the content. Its type is found by its content: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV. */
  uploadId?: string | undefined;
  /** The format. Of a content, `text/plain` (the default), `text/markdown` or `text/html`. Of a file, any media type, as a hint: its `charset` is the encoding if the bytes fit it. The same file with another hint is read again. */
  mimeType?: string | undefined;
};

/** A complete document. */
export type KnowledgeDocumentInput = {
  /** Your own id of the document: up to 255 characters, unique within its source. Not blank, without control characters. */
  externalId: string;
  /**
   * The folder or system that the document comes from. An `externalId` is unique within a source, and among documents without a source. Not blank, without control characters. Null if not set.
   * Default: `null`.
   */
  source?: string | null | undefined;
  /** A display name. Not blank, without control characters. */
  title: string;
  /**
   * Labels to filter by. Their order does not matter.
   * Default: `[]`.
   */
  tags?: string[] | undefined;
  /**
   * Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters.
   * Default: `{}`.
   */
  metadata?: Metadata | undefined;
  /** The content: well-formed Unicode, at most 200 KB in UTF-8. */
  content: string;
  /**
   * The format of the content.
   * Default: `'text/plain'`.
   */
  mimeType?: MimeType | undefined;
};

/** A page of a list. */
export type KnowledgeDocumentList = {
  /** The items of the page. */
  items: KnowledgeDocument[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
  /** The current version of the readers. A document with a lower `extractedBy` may get more text when it is read again. */
  readerVersion: number;
};

/** The body of `knowledge.documents.put`. */
export type KnowledgeDocumentPutRequest = {
  /**
   * The folder or system that the document comes from. An `externalId` is unique within a source, and among documents without a source. Not blank, without control characters. Null if not set.
   * Default: `null`.
   */
  source?: string | null | undefined;
  /** A display name. Not blank, without control characters. */
  title: string;
  /**
   * Labels to filter by. Their order does not matter.
   * Default: `[]`.
   */
  tags?: string[] | undefined;
  /**
   * Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters.
   * Default: `{}`.
   */
  metadata?: Metadata | undefined;
  /** It must equal the externalId of the path, if it is sent. Not blank, without control characters. */
  externalId?: string | undefined;
  /** The content: well-formed Unicode, at most 200 KB in UTF-8. */
  content?: string | undefined;
  /** An upload with the purpose `knowledge`, in place of `content`: its text becomes the content. Its type is found by its content: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV. */
  uploadId?: string | undefined;
  /** The format. Of a content, `text/plain` (the default), `text/markdown` or `text/html`. Of a file, any media type, as a hint: its `charset` is the encoding if the bytes fit it. The same file with another hint is read again. */
  mimeType?: string | undefined;
};

/** The body of `knowledge.documents.update`. */
export type KnowledgeDocumentUpdateRequest = {
  /** A display name. Not blank, without control characters. */
  title?: string | undefined;
  /** The content: well-formed Unicode, at most 200 KB in UTF-8. */
  content?: string | undefined;
  /** The format of the content. */
  mimeType?: MimeType | undefined;
  /** Labels to filter by. Their order does not matter. */
  tags?: string[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The folder or system that the document comes from. An `externalId` is unique within a source, and among documents without a source. Not blank, without control characters. Null if not set. */
  source?: string | null | undefined;
  /** Your own id of the document: up to 255 characters, unique within its source. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
  /** Whether the document is left out of the next indexes and of all warnings. Its `status` stays as it was. */
  ignored?: boolean | undefined;
};

/** The body of `knowledge.evaluate`. */
export type KnowledgeEvaluateRequest = {
  /** The questions. */
  questions: EvaluationQuestion[];
  /** Evaluates the index of this environment's current deployment, in place of the published one. */
  environment?: string | undefined;
  /** Evaluates the index of this deployment. Not together with `environment`. */
  deploymentId?: string | undefined;
  /**
   * `hybrid` compares words and meanings, `lexical` only words.
   * Default: `'hybrid'`.
   */
  mode?: 'hybrid' | 'lexical' | undefined;
};

/** Pages of a website whose content is kept as documents of a project. */
export type KnowledgeSource = {
  /** The id of the source. */
  id: string;
  /** Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom) at `url`, or the pages that are found by following links from `url`. */
  type: KnowledgeSourceType;
  /** Where it starts: an `https://` URL with a public host. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url: string;
  /** Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs (`https://help.acme.example/*`), which may have another host. `*` stands for any characters. If it is empty, all pages of the host of `url`. */
  include: string[];
  /** No pages with these addresses, in the same form. */
  exclude: string[];
  /** The largest number of pages that a refresh requests. */
  maxPages: number;
  /** How many links a page may be away from `url`. For sources of type `site`. */
  maxDepth: number;
  /** The tags of its documents. */
  tags: string[];
  /** How often it is refreshed: `manual` (only by request), or a whole number of hours, days or weeks, from `1h` to `30d`. */
  refresh: string;
  /** Whether a refresh that has changed documents also requests a re-indexing. */
  reindex: boolean;
  /** Whether it is not refreshed. */
  paused: boolean;
  /** Why it is not refreshed: a request has `requested` it, the key that has set it was revoked with `children=true` (`key_revoked`), or the source was lost and came back from a backup (`restored`). Null if it is not paused. */
  pausedReason: PausedReason | null;
  /** The last job that refreshes it. Null before the first. */
  jobId: string | null;
  /** The last refresh that has ended. Null before the first. */
  lastRefresh: LastRefresh | null;
  /** Whether its pages can be read. */
  health: SourceHealth;
  /** When it is refreshed next. Null if it is refreshed only by request. */
  nextRefreshAt: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. A refresh does not count. */
  updatedAt: string;
  /** The credential that created it. */
  createdBy: string;
  /** The credential on whose behalf it is refreshed: it has set `url`, `include` or `exclude`, or has ended a pause, last. */
  setBy: string;
};

/** The body of `knowledge.sources.create`. */
export type KnowledgeSourceCreateRequest = {
  /** Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom) at `url`, or the pages that are found by following links from `url`. */
  type: KnowledgeSourceType;
  /** Where it starts: an `https://` URL with a public host. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url: string;
  /**
   * Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs (`https://help.acme.example/*`), which may have another host. `*` stands for any characters. If it is empty, all pages of the host of `url`.
   * Default: `[]`.
   */
  include?: string[] | undefined;
  /**
   * No pages with these addresses, in the same form.
   * Default: `[]`.
   */
  exclude?: string[] | undefined;
  /**
   * The largest number of pages that a refresh requests.
   * Default: `500`.
   */
  maxPages?: number | undefined;
  /**
   * How many links a page may be away from `url`. For sources of type `site`.
   * Default: `3`.
   */
  maxDepth?: number | undefined;
  /**
   * The tags of its documents.
   * Default: `[]`.
   */
  tags?: string[] | undefined;
  /**
   * How often it is refreshed: `manual` (only by request), or a whole number of hours, days or weeks, from `1h` to `30d`.
   * Default: `'manual'`.
   */
  refresh?: string | undefined;
  /**
   * Whether a refresh that has changed documents also requests a re-indexing.
   * Default: `true`.
   */
  reindex?: boolean | undefined;
};

/** A page of a list. */
export type KnowledgeSourceList = {
  /** The items of the page. */
  items: KnowledgeSource[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The body of `knowledge.sources.refresh`. */
export type KnowledgeSourceRefreshRequest = {
  /**
   * Whether more than half of the documents may be removed.
   * Default: `false`.
   */
  confirm?: boolean | undefined;
  /**
   * Whether pages that have not changed are read again.
   * Default: `false`.
   */
  reread?: boolean | undefined;
};

/** Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom) at `url`, or the pages that are found by following links from `url`. */
export type KnowledgeSourceType = 'url' | 'sitemap' | 'feed' | 'site';

/** The body of `knowledge.sources.update`. */
export type KnowledgeSourceUpdateRequest = {
  /** Where it starts: an `https://` URL with a public host. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url?: string | undefined;
  /** Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs (`https://help.acme.example/*`), which may have another host. `*` stands for any characters. If it is empty, all pages of the host of `url`. */
  include?: string[] | undefined;
  /** No pages with these addresses, in the same form. */
  exclude?: string[] | undefined;
  /** The largest number of pages that a refresh requests. */
  maxPages?: number | undefined;
  /** How many links a page may be away from `url`. For sources of type `site`. */
  maxDepth?: number | undefined;
  /** The tags of its documents. */
  tags?: string[] | undefined;
  /** How often it is refreshed: `manual` (only by request), or a whole number of hours, days or weeks, from `1h` to `30d`. */
  refresh?: string | undefined;
  /** Whether a refresh that has changed documents also requests a re-indexing. */
  reindex?: boolean | undefined;
  /** Whether it is not refreshed. */
  paused?: boolean | undefined;
};

/** A refresh that has ended, and what it has done. */
export type LastRefresh = {
  /** The id of the job. */
  jobId: string;
  /** How a refresh has ended. */
  status: RefreshStatus;
  /** When it ended. */
  finishedAt: string;
  /** Why it failed. Null unless `status` is `failed`. */
  error: Failure | null;
  /** The number of pages that were found. */
  pages: number;
  /** The number of requests that were sent. */
  requests: number;
  /** The number of created documents. */
  created: number;
  /** The number of changed documents. */
  updated: number;
  /** The number of pages whose content has not changed. */
  unchanged: number;
  /** The number of pages with the same content as another page. */
  duplicates: number;
  /** The number of pages that redirect to another page, or name it as their own. */
  moved: number;
  /** The number of pages that ask to be left out (`noindex`): they have no documents. Refreshes from before this count have none. */
  noindex?: number | undefined;
  /** The number of removed documents. */
  removed: number;
  /** The number of pages that could not be read. Their documents stay. */
  failedPages: number;
  /** The number of documents that were not removed, although their pages are gone, or show or redirect to another page: to remove more than half of the documents at once, refresh the source with `confirm`. */
  unconfirmed: number;
  /** Whether the refresh may have missed pages, because there are more than `maxPages`, because a page has more than 2,000 links, or because a sitemap could not be read. Then no page counts as no longer linked. */
  isLimited: boolean;
};

/** A reply of an avatar, without its text. */
export type ListedReply = {
  /** The id of the reply. */
  id: string;
  /** The id of the conversation. */
  conversationId: string;
  /** `unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have cost. */
  status: ReplyStatus;
  /** Whether no model is called. */
  dryRun: boolean;
  /** The message of the user that it answers. Null for a dry run. */
  inputMessageId: string | null;
  /** The reply whose message it answers again. */
  retryOf: string | null;
  /** The environment that the request named. */
  environment: string | null;
  /** The id of the deployment that answers. Null for a draft. */
  deploymentId: string | null;
  /** Whether the draft answers. */
  draft: boolean;
  /** The id of the avatar. */
  avatarId: string;
  /** The version of the avatar that answers. Null before the start of a draft. */
  avatarVersion: number | null;
  /** The index version that was searched. Null for none. */
  indexVersion: string | null;
  /** The `maxCostUsd` of the request. */
  maxCostUsd: number | null;
  /** The message with the answer. Null if there is none. */
  messageId: string | null;
  /** The documents that the answer cites. */
  citations: Citation[];
  /** The passages that the model got, best first. */
  passages: ReplyPassage[];
  /** How many numbers the model has cited that no passage has. They are not in the text. */
  removedMarkers: number;
  /** How many earlier messages had no room in the request. */
  leftOutMessages: number;
  /** The id of the model. */
  model: string | null;
  /** The tokens of the request. Null if unknown. */
  inputTokens: number | null;
  /** The tokens of the answer. Null if unknown. */
  outputTokens: number | null;
  /** What it has cost. If this is unknown, the highest cost stays counted. Null before the end. */
  costUsd: number | null;
  /** `length`: the answer was cut off at the limit. Null without an answer. */
  finishReason: 'stop' | 'length' | null;
  /** The milliseconds from the request until the first text. */
  firstTextMs: number | null;
  /** The milliseconds from the request until the end. */
  totalMs: number | null;
  /** How the index was searched. `lexical` if a worker that has just started is still loading the model of meanings. Null without an index. */
  mode: 'hybrid' | 'lexical' | null;
  /** Why a reply has no answer. Null if not set. */
  failure: ReplyFailure | null;
  /** When it was requested. */
  createdAt: string;
  /** When its work began. Null while it is queued. */
  startedAt: string | null;
  /** When it ended. Null before. */
  finishedAt: string | null;
  /** The credential that requested it. */
  createdBy: string;
};

/** The credential of the request: an API key, a workload identity or an access token. */
export type Me = {
  /** The kind of the credential. Values: `api_key`, `workload_identity`, `access_token`. More may be added. */
  kind: 'api_key' | 'workload_identity' | 'access_token' | (string & {});
  /** The id of the API key or of the workload identity, or `sub:` and the subject of the access token. */
  id: string;
  /** The subject of the token of a workload identity. Null for other credentials. */
  subject: string | null;
  /** The id of the organisation. */
  organisationId: string;
  /** The name of the organisation. */
  organisationName: string;
  /** Whether it accesses live or test data. They are separate. */
  mode: Mode;
  /** The permissions of the credential. */
  scopes: Scope[];
  /** The projects that it can access. Null for all. */
  projectIds: string[] | null;
  /** The environments that it can access. Null for all. */
  environments: string[] | null;
  /** When it ends. After a rotation, the old secret ends at `previousSecretExpiresAt` of its key. Null if it does not expire. */
  expiresAt: string | null;
};

/** A message of a conversation. */
export type Message = {
  /** The id of the message. */
  id: string;
  /** The number of the message in the conversation: 1, 2, 3, without gaps. */
  seq: number;
  /** Who said it. */
  role: MessageRole;
  /** The text of the message: at most 16 KB of UTF-8. */
  text: string;
  /** When it was said. */
  at: string;
  /** Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. Not blank, without control characters. Null if not set. */
  clientMessageId: string | null;
  /** The documents that the message is based on. */
  citations: Citation[];
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together. */
  metadata: MessageMetadata;
  /** When the message was stored. */
  createdAt: string;
};

/** The number of messages, by who said them. */
export type MessageCountByRole = {
  /** The number of messages from the user. */
  user: number;
  /** The number of messages from the avatar. */
  avatar: number;
  /** The number of messages from the system. */
  system: number;
  /** The number of messages from tools. */
  tool: number;
};

/** A message that matches the query. */
export type MessageHit = {
  /** The id of the conversation. */
  conversationId: string;
  /** The id of the message. */
  messageId: string;
  /** The number of the message in the conversation. */
  seq: number;
  /** Who said it. */
  role: MessageRole;
  /** When it was said. */
  at: string;
  /** About 240 characters around the match, on one line. `…` marks omitted text. */
  snippet: string;
  /** The matches in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. A phrase is one match. */
  matches: TextSpan[];
};

/** A page of messages that match the query. */
export type MessageHitList = {
  /** The items of the page. */
  items: MessageHit[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
  /** The latest `createdAt` of the project's indexed messages; null before the first. Messages are indexed within seconds, in order within a conversation, but in parallel between conversations. So a message stored shortly before this time may still be missing. */
  indexedThrough: string | null;
};

/** A message to store. */
export type MessageInput = {
  /** Who said it. */
  role: MessageRole;
  /** The text of the message: at most 16 KB of UTF-8. */
  text: string;
  /** When it was said. Default: now. At most 5 minutes in the future. In 1970 or later. */
  at?: string | Date | undefined;
  /** Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. Not blank, without control characters. Null if not set. */
  clientMessageId?: string | null | undefined;
  /** The documents that the message is based on. */
  citations?: CitationInput[] | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together. */
  metadata?: MessageMetadata | undefined;
};

/** Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together. */
export type MessageMetadata = Record<string, string>;

/** Who said it. */
export type MessageRole = 'user' | 'avatar' | 'system' | 'tool';

/** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
export type Metadata = Record<string, string>;

/** The format of the content. */
export type MimeType = 'text/plain' | 'text/markdown' | 'text/html';

/** Live or test: their data is separate. */
export type Mode = 'live' | 'test';

/** A model that the service lists, with its price and its limits. */
export type Model = {
  /** The id by which avatars and evaluators name the model. */
  id: string;
  /** Who runs the model: Amazon Bedrock, or an endpoint of the operator with the chat completions of OpenAI. Values: `bedrock`, `chat_completions`. More may be added. */
  provider: 'bedrock' | 'chat_completions' | (string & {});
  /** What a million tokens of a request cost, in US dollars. */
  inputUsdPerMillionTokens: number;
  /** What a million tokens of an answer cost, in US dollars. */
  outputUsdPerMillionTokens: number;
  /** The most tokens that a request may have. Null if only a limit of bytes applies. */
  maxInputTokens: number | null;
  /** The most tokens that an answer may have. Null if only the limit of the request applies. */
  maxOutputTokens: number | null;
};

/** A page of a list. */
export type ModelList = {
  /** The items of the page. */
  items: Model[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Numbers from `min` to `max`. */
export type NumberOutput = {
  /** The type of the values. */
  type: 'number';
  /** The lowest value. */
  min: number;
  /** The highest value, above `min`. */
  max: number;
};

/** Objects that match a schema, up to 16 KB as JSON. */
export type ObjectOutput = {
  /** The type of the values. */
  type: 'object';
  /** The schema of the objects: at most 5 levels, 50 nodes, and 4 KB as JSON. */
  schema: ScoreSchema;
};

/** Why a source is paused. Values: `requested`, `key_revoked`, `restored`. More may be added. */
export type PausedReason = 'requested' | 'key_revoked' | 'restored' | (string & {});

/** Who the avatar is and how it speaks. */
export type Persona = {
  /** Instructions for the avatar: who it is and how it behaves. */
  prompt: string;
  /** The first thing that it says; null for nothing. */
  greeting: string | null;
  /** A BCP 47 language tag. */
  language: string;
};

/** The changes to the character of the avatar and its way of speaking. Other fields keep their values. */
export type PersonaChange = {
  /** Instructions for the avatar: who it is and how it behaves. */
  prompt?: string | undefined;
  /** The first thing that it says; null for nothing. */
  greeting?: string | null | undefined;
  /** A BCP 47 language tag. Stored in canonical form. */
  language?: string | undefined;
};

/** Who the avatar is and how it speaks. */
export type PersonaInput = {
  /** Instructions for the avatar: who it is and how it behaves. */
  prompt: string;
  /** The first thing that it says; null for nothing. */
  greeting?: string | null | undefined;
  /** A BCP 47 language tag. Stored in canonical form. Default: `en`. */
  language?: string | undefined;
};

/** The new pieces of documents whose meaning `knowledge.reindex` computes after all documents are read. Omitted before, and if there are few. */
export type PieceProgress = {
  /** The number of these pieces. */
  total: number;
  /** The number of those whose meaning is computed. */
  done: number;
};

/** Something that has happened to a resource. */
export type PlatformEvent = ProjectCreatedEvent | ProjectUpdatedEvent | ProjectDeletedEvent | ProjectRestoredEvent | ProjectPurgedEvent | ApiKeyCreatedEvent | ApiKeyUpdatedEvent | ApiKeyRotatedEvent | ApiKeyExpiringEvent | ApiKeyExpiredEvent | ApiKeyRevokedEvent | WorkloadIdentityCreatedEvent | WorkloadIdentityUpdatedEvent | WorkloadIdentityDeletedEvent | AvatarCreatedEvent | AvatarUpdatedEvent | AvatarDeletedEvent | DocumentCreatedEvent | DocumentUpdatedEvent | DocumentDeletedEvent | SourceCreatedEvent | SourceUpdatedEvent | SourceRefreshedEvent | SourceFailedEvent | SourceDeletedEvent | JobCreatedEvent | JobStartedEvent | JobSucceededEvent | JobFailedEvent | JobCancelledEvent | DeploymentCreatedEvent | DeploymentPromotedEvent | DeploymentRolledBackEvent | DeploymentUpdatedEvent | EnvironmentCreatedEvent | EnvironmentUpdatedEvent | EnvironmentDeletedEvent | RolloutStartedEvent | RolloutAdvancedEvent | RolloutWaitingEvent | RolloutPausedEvent | RolloutResumedEvent | RolloutCompletedEvent | RolloutAbortedEvent | RolloutRolledBackEvent | ConversationStartedEvent | ConversationUpdatedEvent | ConversationEndedEvent | ConversationScoredEvent | ConversationDeletedEvent | ConversationErasedEvent | EvaluatorCreatedEvent | EvaluatorUpdatedEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookRotatedEvent | WebhookDisabledEvent | WebhookDeletedEvent;

/** A page of a list. */
export type PlatformEventList = {
  /** The items of the page. */
  items: PlatformEvent[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** A score that is not stored. */
export type PreviewScore = {
  /** The name of the evaluator. Null for a draft. */
  name: string | null;
  /** The version of the evaluator. Null for a draft. */
  version: number | null;
  /** A value of the output of the evaluator. Null if it is unknown: `reason` says why. */
  value: unknown;
  /** Why there is no value. Null if there is a value. */
  reason: string | null;
  /** Why it has this value. */
  rationale: string | null;
  /** The messages that show it, by their `seq`. */
  evidence: number[];
  /** The number of messages of the conversation that it is about. */
  messageCount: number;
  /** Null unless a model gave it. */
  inputTokens: number | null;
  /** Null unless a model gave it. */
  outputTokens: number | null;
  /** Null unless a model gave it. */
  costUsd: number | null;
};

/** A conversation, with scores that are not stored. */
export type PreviewedConversation = {
  /** The id of the conversation. */
  conversationId: string;
  /** Its scores, in the order of the evaluators. */
  scores: PreviewScore[];
};

/** The container of avatars, knowledge, deployments and conversations. */
export type Project = {
  /** The id of the project. */
  id: string;
  /** Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId: string | null;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The purpose of the project. Null if not set. */
  description: string | null;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata: Metadata;
  /** The settings of the project. */
  settings: ProjectSettings;
  /** Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to DELETE. */
  status: ProjectStatus;
  /** When the project was created. */
  createdAt: string;
  /** When the project was last changed. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
};

/** The body of `projects.create`. */
export type ProjectCreateRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The purpose of the project. Null if not set. */
  description?: string | null | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults. */
  settings?: ProjectSettingsChange | undefined;
  /** Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
};

/** A project was created. */
export type ProjectCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'project.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Project | RemovedResource;
};

/** What a project has used, by day. */
export type ProjectDailyUsage = {
  /** The days on which something was used, oldest first. */
  items: UsageDay[];
  /** What was used in the whole range. */
  totals: UsageDaysTotals;
  /** The time of the latest counted change. Null if no change is counted. */
  countedThrough: string | null;
};

/** A project was deleted. It can be restored for some days. */
export type ProjectDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'project.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Project | RemovedResource;
};

/** A page of a list. */
export type ProjectList = {
  /** The items of the page. */
  items: Project[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The removal of everything below a deleted project. */
export type ProjectPurge = {
  /** The id of the project. */
  projectId: string;
  /** How far the purge is. `scheduled`: the project can still be restored. `failed`: the purge failed repeatedly, and continues when the operator has fixed the cause. */
  status: PurgeStatus;
  /** When the purge is due. It starts some minutes later. */
  purgeAt: string;
  /** When the purge started. Null before. */
  startedAt: string | null;
  /** The time from which no data of the project was stored. Null before that time. */
  finishedAt: string | null;
  /** The number of removed items. */
  removedItems: number;
};

/** All data of a deleted project is removed, and its earlier events. */
export type ProjectPurgedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'project.purged';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Project | RemovedResource;
};

/** The body of `projects.put`. */
export type ProjectPutRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The purpose of the project. Null if not set. */
  description?: string | null | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults. */
  settings?: ProjectSettingsChange | undefined;
  /** It must equal the externalId of the path, if it is sent. Not blank, without control characters. */
  externalId?: string | undefined;
};

/** A deleted project was restored. */
export type ProjectRestoredEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'project.restored';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Project | RemovedResource;
};

/** The settings of the project. */
export type ProjectSettings = {
  /** A conversation ends by itself after this many minutes without a message. A new value applies from the next message on. */
  conversationTimeoutMinutes: number;
  /** Conversations are removed this many days after their start; null keeps them. A shorter time takes effect at once. */
  retentionDays: number | null;
  /** The fields of the metadata of documents by which a search can filter, without colons. All documents are `pending` after a change: the next re-indexing gives the index the values, of up to 100 characters. */
  searchFields: string[];
  /** The most that the models of all replies of one conversation may cost, in US dollars; null for no limit besides the quota of the organisation. A reply whose highest cost does not fit is refused. */
  maxConversationCostUsd: number | null;
};

/** The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults. */
export type ProjectSettingsChange = {
  /** A conversation ends by itself after this many minutes without a message. A new value applies from the next message on. */
  conversationTimeoutMinutes?: number | undefined;
  /** Conversations are removed this many days after their start; null keeps them. A shorter time takes effect at once. */
  retentionDays?: number | null | undefined;
  /** The fields of the metadata of documents by which a search can filter, without colons. All documents are `pending` after a change: the next re-indexing gives the index the values, of up to 100 characters. */
  searchFields?: string[] | undefined;
  /** The most that the models of all replies of one conversation may cost, in US dollars; null for no limit besides the quota of the organisation. A reply whose highest cost does not fit is refused. */
  maxConversationCostUsd?: number | null | undefined;
};

/** Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response to DELETE. */
export type ProjectStatus = 'active' | 'archived' | 'deleted';

/** The body of `projects.update`. */
export type ProjectUpdateRequest = {
  /** Your own id of the project, unique in the organisation. No personal data: logs contain paths. Not blank, without control characters. Null if not set. */
  externalId?: string | null | undefined;
  /** A display name. Not blank, without control characters. */
  name?: string | undefined;
  /** The purpose of the project. Null if not set. */
  description?: string | null | undefined;
  /** Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if no value has more than 500 characters. */
  metadata?: Metadata | undefined;
  /** The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults. */
  settings?: ProjectSettingsChange | undefined;
  /** `archived` makes the project read-only. `active` makes it writable again. */
  status?: 'active' | 'archived' | undefined;
};

/** A project was changed or archived. */
export type ProjectUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'project.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Project | RemovedResource;
};

/** What a project has used on the current day. */
export type ProjectUsage = {
  /** The id of the project. */
  projectId: string;
  /** The current day (UTC). */
  day: string;
  /** Contents of documents that were stored: created or replaced. */
  documents: number;
  /** Bytes, in UTF-8, of these contents and of the texts of messages. */
  bytes: number;
  /** Conversations that were started. */
  conversations: number;
  /** Messages that were added. */
  messages: number;
  /** Records in files that exports have completed. */
  exportedRecords: number;
  /** What evaluations by models cost, in US dollars, with what is reserved for calls that are under way. */
  modelCostUsd: number;
  /** The time of the latest counted change. Null if no change is counted. */
  countedThrough: string | null;
  /** When the counts start again. */
  resetsAt: string;
};

/** A public key (RFC 7517). */
export type PublicJwk = {
  /** The kind of key. */
  kty: string;
  /** The id of the key, as in the header of a token. */
  kid: string;
  /** The use of the key: `sig`. */
  use?: string | undefined;
  /** The only algorithm of the key. */
  alg?: string | undefined;
  /** The modulus of an RSA key. */
  n?: string | undefined;
  /** The exponent of an RSA key. */
  e?: string | undefined;
  /** The curve. */
  crv?: string | undefined;
  /** The x coordinate, or the public key. */
  x?: string | undefined;
  /** The y coordinate. */
  y?: string | undefined;
};

/** Public keys (RFC 7517 section 5). */
export type PublicJwks = {
  /** The keys. */
  keys: PublicJwk[];
};

/** How far the purge is. `scheduled`: the project can still be restored. `failed`: the purge failed repeatedly, and continues when the operator has fixed the cause. */
export type PurgeStatus = 'scheduled' | 'running' | 'succeeded' | 'failed';

/** How well a question was answered. */
export type QuestionEvaluation = {
  /** The question. */
  q: string;
  /** How the index was searched. `lexical` if the request asks for it, if the version has no meanings, or if the model does not speak the language of the question. Values: `hybrid`, `lexical`. More may be added. */
  mode: 'hybrid' | 'lexical' | (string & {});
  /** The normalised discounted cumulative gain of the first ten documents: 1 if the expected documents come first, with the best grades before the others; 0 if the search finds no expected document. */
  ndcgAt10: number;
  /** The share of the expected documents that are among the first five documents. */
  recallAt5: number;
  /** 1 divided by the rank of the first expected document; 0 if no expected document is among the first ten. */
  mrr: number;
  /** 1 if a passage of the question is in the `text` of the first five pieces that a search returns; 0 if it is in none of them. Null if the question names no passage with `contains`. */
  answerIn5: number | null;
  /** The same for the first ten pieces. */
  answerIn10: number | null;
  /** The expected documents, in the order of the request. */
  expected: ExpectedRank[];
  /** The first five documents, best first. */
  found: FoundDocument[];
};

/** A quota and its usage. */
export type Quota = {
  /** The quota. Null if there is no quota. */
  limit: number | null;
  /** The usage, even without a quota. Null if the usage is not counted, or not shown to this key. */
  used: number | null;
  /** The time up to which the usage is counted. With a quota, the usage is exact, and this is the time of the request. Without a quota, this is the time of the latest counted change, and a change is usually counted within seconds. Null if no change is counted yet. */
  countedThrough: string | null;
  /** When the count starts again. Null if the quota is not per day. */
  resetsAt: string | null;
};

/** How many requests pass in a second, a minute or an hour: at most 10 000 per second. */
export type RateLimit = {
  /** The number of requests. */
  requests: number;
  /** The period: a second, a minute or an hour. */
  per: RateLimitPeriod;
};

/** The period: a second, a minute or an hour. */
export type RateLimitPeriod = '1s' | '1m' | '1h';

/** The result of `knowledge.refresh`. */
export type RefreshResult = {
  /** The id of the source. */
  sourceId: string;
  /** The number of pages that were found. */
  pages: number;
  /** The number of requests that were sent. */
  requests: number;
  /** The number of created documents. */
  created: number;
  /** The number of changed documents. */
  updated: number;
  /** The number of pages whose content has not changed. */
  unchanged: number;
  /** The number of pages with the same content as another page. */
  duplicates: number;
  /** The number of pages that redirect to another page, or name it as their own. */
  moved: number;
  /** The number of pages that ask to be left out (`noindex`): they have no documents. Refreshes from before this count have none. */
  noindex?: number | undefined;
  /** The number of removed documents. */
  removed: number;
  /** The number of pages that could not be read. Their documents stay. */
  failedPages: number;
  /** The number of documents that were not removed, although their pages are gone, or show or redirect to another page: to remove more than half of the documents at once, refresh the source with `confirm`. */
  unconfirmed: number;
  /** Whether the refresh may have missed pages, because there are more than `maxPages`, because a page has more than 2,000 links, or because a sitemap could not be read. Then no page counts as no longer linked. */
  isLimited: boolean;
};

/** How a refresh has ended. Values: `succeeded`, `failed`, `cancelled`. More may be added. */
export type RefreshStatus = 'succeeded' | 'failed' | 'cancelled' | (string & {});

/** The result of `knowledge.reindex`. */
export type ReindexResult = {
  /** The published version. */
  indexVersion: string;
  /** False if this version was already published. */
  changed: boolean;
  /** The number of documents in it. */
  documents: number;
  /** The number of pieces in it. */
  chunks: number;
  /** How it can be searched. `lexical` if it has no meanings, because the model does not run on the machine that built it. The next re-index on another machine adds them. Values: `hybrid`, `lexical`. More may be added. */
  mode: 'hybrid' | 'lexical' | (string & {});
};

/** The result of `knowledge.remove-source`. */
export type RemoveSourceResult = {
  /** The number of removed documents. */
  removedDocuments: number;
  /** The number of documents that stay, and are no longer managed by a source. */
  releasedDocuments: number;
};

/** The data of an event whose resource was erased or deleted for good. */
export type RemovedResource = {
  /** The id of the resource. */
  id: string;
};

/** A reply of an avatar to a message of a user. */
export type Reply = {
  /** The id of the reply. */
  id: string;
  /** The id of the conversation. */
  conversationId: string;
  /** `unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have cost. */
  status: ReplyStatus;
  /** Whether no model is called. */
  dryRun: boolean;
  /** The message of the user that it answers. Null for a dry run. */
  inputMessageId: string | null;
  /** The reply whose message it answers again. */
  retryOf: string | null;
  /** The environment that the request named. */
  environment: string | null;
  /** The id of the deployment that answers. Null for a draft. */
  deploymentId: string | null;
  /** Whether the draft answers. */
  draft: boolean;
  /** The id of the avatar. */
  avatarId: string;
  /** The version of the avatar that answers. Null before the start of a draft. */
  avatarVersion: number | null;
  /** The index version that was searched. Null for none. */
  indexVersion: string | null;
  /** The `maxCostUsd` of the request. */
  maxCostUsd: number | null;
  /** The message with the answer. Null if there is none. */
  messageId: string | null;
  /** The documents that the answer cites. */
  citations: Citation[];
  /** The passages that the model got, best first. */
  passages: ReplyPassage[];
  /** How many numbers the model has cited that no passage has. They are not in the text. */
  removedMarkers: number;
  /** How many earlier messages had no room in the request. */
  leftOutMessages: number;
  /** The id of the model. */
  model: string | null;
  /** The tokens of the request. Null if unknown. */
  inputTokens: number | null;
  /** The tokens of the answer. Null if unknown. */
  outputTokens: number | null;
  /** What it has cost. If this is unknown, the highest cost stays counted. Null before the end. */
  costUsd: number | null;
  /** `length`: the answer was cut off at the limit. Null without an answer. */
  finishReason: 'stop' | 'length' | null;
  /** The milliseconds from the request until the first text. */
  firstTextMs: number | null;
  /** The milliseconds from the request until the end. */
  totalMs: number | null;
  /** How the index was searched. `lexical` if a worker that has just started is still loading the model of meanings. Null without an index. */
  mode: 'hybrid' | 'lexical' | null;
  /** Why a reply has no answer. Null if not set. */
  failure: ReplyFailure | null;
  /** When it was requested. */
  createdAt: string;
  /** When its work began. Null while it is queued. */
  startedAt: string | null;
  /** When it ended. Null before. */
  finishedAt: string | null;
  /** The credential that requested it. */
  createdBy: string;
  /** The text of the answer after `after`, without markers of citations. What was read is never changed. The text of a reply without a message can be read for 24 hours. */
  text: string;
  /** Send it as `after` to get the following text. It counts UTF-16 code units. */
  nextAfter: number;
  /** The request to the model, for an hour after the end of a dry run. Otherwise null. */
  request: ReplyModelRequest | null;
};

/** The body of `replies.create`. */
export type ReplyCreateRequest = ReplyRequest;

/** Why a reply has no answer. */
export type ReplyFailure = {
  /** Why there is no answer, as a code. */
  code: string;
  /** Why there is no answer. */
  message: string;
};

/** The message of the user. */
export type ReplyInput = {
  /** The text of the message: at most 16 KB of UTF-8. */
  text: string;
  /** Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. Not blank, without control characters. Null if not set. */
  clientMessageId?: string | null | undefined;
};

/** A page of a list. */
export type ReplyList = {
  /** The items of the page. */
  items: ListedReply[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The complete request to the model. */
export type ReplyModelRequest = {
  /** The id of the model. */
  modelId: string;
  /** The instructions: the frame of the service, and the persona. */
  system: string[];
  /** The conversation, with the passages in the last message. */
  messages: ReplyRequestMessage[];
  /** The most tokens of the answer. */
  maxTokens: number;
  /** The temperature, if the avatar has one. */
  temperature?: number | undefined;
  /** The most that the call can cost. */
  highestCostUsd: number;
};

/** A passage of a document that the model got. */
export type ReplyPassage = {
  /** Its number in the request, from 1. */
  number: number;
  /** The id of the piece, as in the search. */
  pieceId: string;
  /** The id of the document. */
  documentId: string;
  /** The title of the document. */
  title: string;
  /** The page of the document. Null without pages. */
  page: number | null;
  /** How well it matches, as in the search. */
  score: number;
  /** Whether the answer cites it. */
  cited: boolean;
};

/** What to answer, and what answers. */
export type ReplyRequest = {
  /** The message of the user. */
  input?: ReplyInput | undefined;
  /** The last reply of the conversation, if it is `failed`, `cancelled` or `unknown`: the same message of the user is answered again. Send it in place of `input`. */
  retryOf?: string | undefined;
  /** What answers: exactly one of its fields. Default: the deployment of the conversation. */
  target?: ReplyTarget | undefined;
  /** The most that the answer of the model may cost, in US dollars. */
  maxCostUsd?: number | undefined;
  /** With true, no message is stored and no model is called: the reply has the complete `request` for an hour. */
  dryRun?: boolean | undefined;
};

/** A message to the model. */
export type ReplyRequestMessage = {
  /** Who says it to the model. */
  role: 'user' | 'assistant';
  /** Its blocks of text. */
  content: string[];
};

/** `unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have cost. Values: `queued`, `running`, `done`, `failed`, `cancelled`, `unknown`. More may be added. */
export type ReplyStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'unknown' | (string & {});

/** What answers: exactly one of its fields. Default: the deployment of the conversation. */
export type ReplyTarget = {
  /** The deployment that this environment serves answers. While a rollout runs, the `assignment` of the conversation decides which. */
  environment?: string | undefined;
  /** This deployment answers. */
  deploymentId?: string | undefined;
  /** The current version of the avatar answers, with the published index. The conversation must have `test: true`. */
  draft?: boolean | undefined;
};

/** Where a request came from. */
export type RequestOrigin = {
  /** The address of the caller, as the gateway saw it: no header can change it. Null if it is unknown. */
  address: string | null;
  /** The `User-Agent` of the caller, at most 200 characters. Null if the caller sent no `User-Agent`. */
  userAgent: string | null;
  /** `mcp` if the request came through `POST /mcp`: the address is then that of its function. It follows from the `User-Agent`, so a caller can claim it. Null for any other request. */
  via: 'mcp' | null;
};

/** An API key, and the resources that it created or set. */
export type RevokedApiKey = {
  /** The id of the API key. */
  id: string;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The permissions of the key. */
  scopes: Scope[];
  /** The projects that the key can access. Null for all projects. */
  projectIds: string[] | null;
  /** The environments that the key can access. Null for all environments. */
  environments: string[] | null;
  /** The addresses from which the key may be used. Null for everywhere. */
  allowedCidrs: string[] | null;
  /** The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the keys above it. */
  rateLimit: RateLimit | null;
  /** Whether the key accesses live or test data. They are separate. */
  mode: Mode;
  /** The first and last characters of the secret. */
  hint: string;
  /** Whether the key is accepted: only an `active` key is accepted. */
  status: ApiKeyStatus;
  /** When the key was created. */
  createdAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. `bootstrap` for a root key. */
  createdBy: string;
  /** When the key expires. Null for a root key, which does not expire. */
  expiresAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody requested it. */
  childrenRevocation: ChildrenRevocation | null;
  /** The end of the secret from before the last rotation. Null if there is no such secret. */
  previousSecretExpiresAt: string | null;
  /** When the key was last used, accurate to the hour. Null if it was not used. */
  lastUsedAt: string | null;
  /** The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address. */
  lastUsedFrom: string | null;
  /** The number of enabled webhooks whose URL, content or secret the credential has set. They stay on, unless the request has `children=true`. With `dryRun=true` and `children=true`, the number includes the webhooks of the credentials below it. A caller that is bound to projects counts only webhooks of these projects. */
  webhooks: number;
  /** The number of active keys and workload identities below it that the caller may end, among the 1000 that were created after it. Null without `dryRun=true`. */
  children: number | null;
  /** The number of sources of documents that act on behalf of the credential and are not paused. `children=true` pauses them. With `children=true`, the number includes the sources of the credentials below it. At most 100 sources of each credential count. A caller that is bound to projects counts only sources of these projects. Null without `dryRun=true`. */
  sources: number | null;
  /** The number of evaluators that score conversations by themselves on behalf of the credential. `children=true` pauses them. They are counted as `sources` are. Null without `dryRun=true`. */
  evaluators: number | null;
  /** The number of rollouts that act on behalf of the credential, have not ended and are not paused. `children=true` pauses them. They are counted as `sources` are. Null without `dryRun=true`. */
  rollouts: number | null;
};

/** A rollback of an environment. */
export type Rollback = {
  /** The deployment that was current before, or the candidate of the rollout that has ended. */
  from: string;
  /** The reason, for people. Null if not set. */
  reason: string | null;
  /** When it was rolled back. */
  at: string;
  /** The credential that rolled back. */
  by: string;
};

/** A deployment that a part of the units of an environment gets. */
export type Rollout = {
  /** The id of the rollout. */
  id: string;
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The candidate. */
  deploymentId: string;
  /** The deployment that was current at the start. */
  currentDeploymentId: string;
  /** The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final. */
  status: RolloutStatus;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason. */
  reason: string | null;
  /** When it got this status, or its last percent. */
  since: string;
  /** The credential that has moved it, or `worker:` and the name of the worker. */
  by: string;
  /** The number of the span: the time from one change of the percent to the next. From 1. */
  span: number;
  /** The steps. Null for a rollout without steps. */
  steps: RolloutStep[] | null;
  /** The number of the present step, from 1. Null without steps. */
  step: number | null;
  /** When the present step has been held. It is later by the time of a suspension of the organisation. Null if no time is held: without steps, in a step with `pause`, while it is paused, and at the end. */
  holdUntil: string | null;
  /** The guards. */
  guards: RolloutGuard[];
  /** What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides. */
  onBreach: RolloutOnBreach;
  /** The last breach of a guard. Null if there was none. */
  breach: RolloutBreach | null;
  /** The spans, the oldest first. */
  spans: RolloutSpan[];
  /** When it was started. */
  createdAt: string;
  /** The credential that started it. */
  createdBy: string;
  /** When it ended. Null before. */
  endedAt: string | null;
  /** The number of its changes, for `If-Match`: it increases by one with each change. */
  version: number;
  /** The last 100 moves, the oldest first. */
  history: RolloutMove[];
};

/** The body of `rollouts.abort`. */
export type RolloutAbortRequest = {
  /**
   * The reason, for people. Null if not set.
   * Default: `null`.
   */
  reason?: string | null | undefined;
};

/** A rollout was aborted: its environment serves the current deployment to everybody. */
export type RolloutAbortedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.aborted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** The body of `rollouts.advance`. */
export type RolloutAdvanceRequest = {
  /**
   * The reason, for people. Null if not set.
   * Default: `null`.
   */
  reason?: string | null | undefined;
};

/** The percent of a rollout has risen. */
export type RolloutAdvancedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.advanced';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** The guard that has ended or paused a rollout, and its figures then. */
export type RolloutBreach = {
  /** The name of the evaluator and of its scores, unique in the project. */
  score: string;
  /** The category. Null for no category. */
  value: string | null;
  /** One side of a breached guard. */
  current: BreachSide;
  /** One side of a breached guard. */
  candidate: BreachSide;
};

/** The comparison of the candidate with the current deployment, over units. */
export type RolloutComparison = {
  /** The counted units of both sides. */
  units: ComparedUnits;
  /** The conversations with one of both deployments that do not count: they have no `assignment`, or came more than 10 minutes after the end of its span. */
  notAssigned: number;
  /** The guards, in their order. */
  guards: ComparedGuard[];
  /** A comparison of both sides, within spans. */
  durationSeconds: ComparedMeasure;
  /** A comparison of both sides, within spans. */
  messages: ComparedMeasure;
};

/** The body of `rollouts.complete`. */
export type RolloutCompleteRequest = {
  /**
   * The reason, for people. Null if not set.
   * Default: `null`.
   */
  reason?: string | null | undefined;
};

/** A rollout has completed: its candidate was promoted. */
export type RolloutCompletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.completed';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** A score by which the candidate may be worse only to a limit. */
export type RolloutGuard = {
  /** The name of the evaluator and of its scores, unique in the project. */
  score: string;
  /** Which values are better. */
  better: GuardDirection;
  /** For an evaluator of categories: the category whose share is compared. */
  value?: string | undefined;
  /** How much worse the candidate may be, in the unit of the score: for true and false and for categories, 0.05 is 5 points of a share. */
  maxHarm: number;
  /** The guard passes only with so many units on each side. Default: 50. */
  minimum: number;
  /** The guard passes only if at most this share of the ended units of each side has no value of the score. Default: 0.2. */
  maxUnknown: number;
};

/** A score by which the candidate may be worse only to a limit. */
export type RolloutGuardInput = {
  /** The name of the evaluator and of its scores, unique in the project. */
  score: string;
  /** Which values are better. */
  better: GuardDirection;
  /** For an evaluator of categories: the category whose share is compared. */
  value?: string | undefined;
  /** How much worse the candidate may be, in the unit of the score: for true and false and for categories, 0.05 is 5 points of a share. */
  maxHarm: number;
  /** The guard passes only with so many units on each side. Default: 50. */
  minimum?: number | undefined;
  /** The guard passes only if at most this share of the ended units of each side has no value of the score. Default: 0.2. */
  maxUnknown?: number | undefined;
};

/** A page of a list. */
export type RolloutList = {
  /** The items of the page. */
  items: RolloutSummary[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The state after one move of a rollout. */
export type RolloutMove = {
  /** When it moved. */
  at: string;
  /** The credential that has moved it, or `worker:` and the name of the worker. */
  by: string;
  /** The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final. */
  status: RolloutStatus;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason. */
  reason: string | null;
};

/** What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides. */
export type RolloutOnBreach = 'roll_back' | 'pause';

/** A rollout was paused: by a request, by a guard, or because its credential was revoked. */
export type RolloutPausedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.paused';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** A paused rollout goes on. */
export type RolloutResumedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.resumed';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** A guard has ended a rollout: the current deployment is served to everybody, and the environment is pinned. `breach` says why. */
export type RolloutRolledBackEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.rolled_back';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** A time of constant percent. Sides are compared within spans. */
export type RolloutSpan = {
  /** The number of the span: the time from one change of the percent to the next. From 1. */
  span: number;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** When the span began. */
  from: string;
  /** When it ended. Null for the present span. */
  until: string | null;
};

/** The body of `rollouts.start`. */
export type RolloutStartRequest = {
  /** The candidate: a deployment of this environment that is not current. */
  deploymentId: string;
  /** The share of the units that get the candidate, in percent. */
  percent?: number | undefined;
  /** The steps, with rising percents. In place of `percent`. */
  steps?: RolloutStep[] | undefined;
  /**
   * The guards, at most 5. Without guards, nothing ends the rollout by itself.
   * Default: `[]`.
   */
  guards?: RolloutGuardInput[] | undefined;
  /**
   * What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides.
   * Default: `'roll_back'`.
   */
  onBreach?: RolloutOnBreach | undefined;
  /**
   * The reason, for people. Null if not set.
   * Default: `null`.
   */
  reason?: string | null | undefined;
};

/** A rollout has started: a part of the units gets its candidate. */
export type RolloutStartedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.started';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final. */
export type RolloutStatus = 'running' | 'waiting_for_advance' | 'waiting_for_scores' | 'paused' | 'completed' | 'aborted' | 'rolled_back';

/** A percent, and how long it is held. */
export type RolloutStep = {
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** How long the percent is held, in minutes. Then the guards must pass. */
  holdMinutes?: number | undefined;
  /** In place of `holdMinutes`: the rollout waits for `advance`. */
  pause?: boolean | undefined;
};

/** A rollout, without its history and its comparison. */
export type RolloutSummary = {
  /** The id of the rollout. */
  id: string;
  /** The name of the environment. The first deployment to it creates it. */
  environment: string;
  /** The candidate. */
  deploymentId: string;
  /** The deployment that was current at the start. */
  currentDeploymentId: string;
  /** The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final. */
  status: RolloutStatus;
  /** The share of the units that get the candidate, in percent. */
  percent: number;
  /** Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason. */
  reason: string | null;
  /** When it got this status, or its last percent. */
  since: string;
  /** The credential that has moved it, or `worker:` and the name of the worker. */
  by: string;
  /** The number of the span: the time from one change of the percent to the next. From 1. */
  span: number;
  /** The steps. Null for a rollout without steps. */
  steps: RolloutStep[] | null;
  /** The number of the present step, from 1. Null without steps. */
  step: number | null;
  /** When the present step has been held. It is later by the time of a suspension of the organisation. Null if no time is held: without steps, in a step with `pause`, while it is paused, and at the end. */
  holdUntil: string | null;
  /** The guards. */
  guards: RolloutGuard[];
  /** What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses the rollout: nothing changes for users until somebody decides. */
  onBreach: RolloutOnBreach;
  /** The last breach of a guard. Null if there was none. */
  breach: RolloutBreach | null;
  /** The spans, the oldest first. */
  spans: RolloutSpan[];
  /** When it was started. */
  createdAt: string;
  /** The credential that started it. */
  createdBy: string;
  /** When it ended. Null before. */
  endedAt: string | null;
  /** The number of its changes, for `If-Match`: it increases by one with each change. */
  version: number;
};

/** The body of `rollouts.update`. */
export type RolloutUpdateRequest = {
  /** The share of the units that get the candidate, in percent. */
  percent?: number | undefined;
  /** Whether the rollout is paused: every unit keeps its side, new units are assigned, and no time is held. */
  paused?: boolean | undefined;
  /**
   * The reason, for people. Null if not set.
   * Default: `null`.
   */
  reason?: string | null | undefined;
};

/** What the unit gets. Missing without `unit`. */
export type RolloutVariant = 'current' | 'candidate';

/** A rollout waits for `advance`, or for the scores of its guards. */
export type RolloutWaitingEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'rollout.waiting';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: RolloutSummary | RemovedResource;
};

/** Which numbers meet it: at least one comparison. All must hold. */
export type RuleComparison = {
  /** It is equal to this. */
  eq?: number | undefined;
  /** It is not equal to this. */
  ne?: number | undefined;
  /** It is greater than this. */
  gt?: number | undefined;
  /** It is at least this. */
  gte?: number | undefined;
  /** It is less than this. */
  lt?: number | undefined;
  /** It is at most this. */
  lte?: number | undefined;
};

/** A text, or a text and a role. */
export type RuleContains = string | RuleTextOfRole;

/** A regular expression, or an expression and a role. */
export type RuleMatches = string | RulePatternOfRole;

/** Which numbers of messages meet it: at least one comparison. All must hold. */
export type RuleMessages = {
  /** It is equal to this. */
  eq?: number | undefined;
  /** It is not equal to this. */
  ne?: number | undefined;
  /** It is greater than this. */
  gt?: number | undefined;
  /** It is at least this. */
  gte?: number | undefined;
  /** It is less than this. */
  lt?: number | undefined;
  /** It is at most this. */
  lte?: number | undefined;
  /** Only messages of this role. Default: all messages. */
  role?: MessageRole | undefined;
};

/** An expression that messages of a role match. */
export type RulePatternOfRole = {
  /** The regular expression. */
  pattern: string;
  /** Only messages of this role. Default: all messages. */
  role?: MessageRole | undefined;
};

/** A text that messages of a role contain. */
export type RuleTextOfRole = {
  /** The text. */
  text: string;
  /** Only messages of this role. Default: all messages. */
  role?: MessageRole | undefined;
};

/** `<resource>:<permission>`; `write` includes `read`. */
export type Scope = 'api-keys:read' | 'api-keys:write' | 'projects:read' | 'projects:write' | 'avatars:read' | 'avatars:write' | 'knowledge:read' | 'knowledge:write' | 'conversations:read' | 'conversations:write' | 'deploy:read' | 'deploy:write' | 'runtime:read' | 'runtime:write' | 'webhooks:read' | 'webhooks:write' | 'events:read' | 'events:write' | 'audit:read' | 'audit:write';

/** A score of a conversation by one version of an evaluator. */
export type Score = {
  /** The name of the evaluator and of its scores, unique in the project. */
  name: string;
  /** The id of the evaluator. */
  evaluatorId: string;
  /** The version of the evaluator. */
  version: number;
  /** Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`). */
  source: ScoreSource;
  /** A value of the output of the evaluator. Null if it is unknown: `reason` says why. */
  value: unknown;
  /** Why there is no value. Null if there is a value. */
  reason: string | null;
  /** Why it has this value. Null if not set. */
  rationale: string | null;
  /** The messages that show it, by their `seq`. */
  evidence: number[];
  /** The number of messages of the conversation that it is about: the first ones. */
  messageCount: number;
  /** Whether messages were added since, so that the score is about the first messages only. */
  stale: boolean;
  /** Whether it is the score of its name that lists, filters and statistics use: `human` before `api` before `model` and `rule`, then the newest version, then the most messages. */
  effective: boolean;
  /** Null unless a model gave it. */
  inputTokens: number | null;
  /** Null unless a model gave it. */
  outputTokens: number | null;
  /** Null unless a model gave it. */
  costUsd: number | null;
  /** When it was stored. */
  createdAt: string;
  /** The credential that sent it, or on whose behalf the evaluator runs. */
  createdBy: string;
  /** The run that gave it. Null if there is none. */
  jobId: string | null;
};

/** A page of a list. */
export type ScoreList = {
  /** The items of the page. */
  items: Score[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Which values the scores have: true or false, numbers, categories, texts, or objects. */
export type ScoreOutput = BooleanOutput | NumberOutput | CategoryOutput | TextOutput | ObjectOutput;

/** A part of JSON Schema. Other keywords are not allowed. */
export type ScoreSchema = {
  /** The type of the value. */
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  /** What the value is about. Models read it. */
  description?: string | undefined;
  /** The schema of each field of an object. It has no other fields. */
  properties?: Record<string, ScoreSchema> | undefined;
  /** The fields that an object must have. */
  required?: string[] | undefined;
  /** The schema of the items of a list. */
  items?: ScoreSchema | undefined;
  /** The values that a text may have. */
  enum?: string[] | undefined;
  /** The lowest value of a number. */
  minimum?: number | undefined;
  /** The highest value of a number. */
  maximum?: number | undefined;
  /** The largest number of characters of a text. */
  maxLength?: number | undefined;
  /** The largest number of items of a list. */
  maxItems?: number | undefined;
};

/** The conversations with a value. */
export type ScoreShare = {
  /** `true` or `false`, the category, the nearest whole number, or the range of numbers, such as `0-0.1`: a number between two ranges is in the higher one. `any` for texts and objects. */
  value: string;
  /** The number of conversations. */
  count: number;
  /** The share of `count` above: 0 to 1, to six decimals. */
  share: number;
};

/** Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`). */
export type ScoreSource = 'rule' | 'model' | 'api' | 'human';

/** The effective scores of an evaluator. */
export type ScoreStats = {
  /** The number of conversations with a value. */
  count: number;
  /** The number of conversations whose value is unknown. `shares` leaves them out. */
  unknown: number;
  /** The mean of numbers, to six decimals. Null for other outputs, and without values. */
  mean: number | null;
  /** All values, in the order of the output of the evaluator. */
  shares: ScoreShare[];
};

/** A piece of a document that matches the query. */
export type SearchHit = {
  /** The id of the piece in this index version. In another version, it may name another piece, or none. */
  pieceId: string;
  /** The id of the document that has the piece. */
  documentId: string;
  /** The title of the document. */
  title: string;
  /** The headings above the piece, joined by ` › `. */
  heading: string;
  /** The page on which the match is, from 1. Null if the document has no pages. A form feed ends a page. */
  page: number | null;
  /** The address of the page that the document comes from. Null for a document that no source has read, and in an index version that was built before versions had addresses. */
  url: string | null;
  /** The whole piece, and with `context` its neighbours, in the order of the document. Left out with `fields=snippet`. */
  text?: string | undefined;
  /** About 240 characters of the piece, around the rarest matching words. */
  snippet: string;
  /** The matching words in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. Empty if it matches by meaning only. */
  matches: TextSpan[];
  /** How well the piece matches. Scores are comparable only within one response. */
  score: number;
  /** How well a piece matches by its words, and by its meaning. */
  scores: SearchScores;
  /** The words of the piece that match a word of the query, as it writes them. At most 10. */
  matchedWords: string[];
};

/** The matches, best first. */
export type SearchResult = {
  /** The matches, best first. */
  items: SearchHit[];
  /** How the index was searched. `lexical` if the request asks for it, if the version has no meanings, if the model does not speak the language of the query, or if a function that has just started is still loading the model. Values: `hybrid`, `lexical`. More may be added. */
  mode: 'hybrid' | 'lexical' | (string & {});
  /** The index version that was searched. */
  indexVersion: string;
};

/** How well a piece matches by its words, and by its meaning. */
export type SearchScores = {
  /** The score by words. Null if no word matches. */
  lexical: number | null;
  /** The score by meaning. Null if the meanings were not compared. */
  semantic: number | null;
};

/** Who gives the score: your program (`api`), or a person (`human`). */
export type SentScoreSource = 'api' | 'human';

/** Whether its tokens are accepted. */
export type SettableIdentityStatus = 'active' | 'suspended';

/** A source of documents was created. */
export type SourceCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'source.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeSource | RemovedResource;
};

/** A source was deleted. */
export type SourceDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'source.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeSource | RemovedResource;
};

/** A refresh of a source has failed or was cancelled. `lastRefresh` says why. */
export type SourceFailedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'source.failed';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeSource | RemovedResource;
};

/** Whether the pages of a source can be read. */
export type SourceHealth = {
  /** Whether its pages can be read: the last refresh has succeeded (`healthy`), or it has failed, or no request can reach `url` (`failing`). `unknown` before the first refresh, and after a cancelled refresh. Values: `unknown`, `healthy`, `failing`. More may be added. */
  status: SourceHealthStatus;
  /** Why it is failing. Null unless it is. */
  reason: Failure | null;
};

/** Whether its pages can be read. Values: `unknown`, `healthy`, `failing`. More may be added. */
export type SourceHealthStatus = 'unknown' | 'healthy' | 'failing' | (string & {});

/** A page of a source. */
export type SourcePage = {
  /** The SHA-256 of `url` in hexadecimal: the `externalId` of its document. */
  id: string;
  /** The address of the page, in one spelling. */
  url: string;
  /** What the last refresh has found: its content is a document (`stored`), another page has the same content (`duplicate`), it redirects or names another address as its own (`moved`), it does not exist any more (`gone`), it asks to be left out (`noindex`), it could not be read (`failed`), or its document was expunged (`excluded`). `pending` if it was found, and not requested yet. Values: `pending`, `stored`, `duplicate`, `moved`, `gone`, `noindex`, `failed`, `excluded`. More may be added. */
  status: SourcePageStatus;
  /** The document with its content. Null if there is none. After a refresh with `unconfirmed` documents, it may be the document with an earlier content. */
  documentId: string | null;
  /** Where it redirects to, or the address that it names as its own. Null unless `status` is `moved`. */
  movedTo: string | null;
  /** Why it could not be read. Null unless `status` is `failed`. */
  error: Failure | null;
  /** When it was last requested. Null before. */
  requestedAt: string | null;
  /** When its content was last found changed. */
  changedAt: string | null;
};

/** A page of a list. */
export type SourcePageList = {
  /** The items of the page. */
  items: SourcePage[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** What the last refresh has found. Values: `pending`, `stored`, `duplicate`, `moved`, `gone`, `noindex`, `failed`, `excluded`. More may be added. */
export type SourcePageStatus = 'pending' | 'stored' | 'duplicate' | 'moved' | 'gone' | 'noindex' | 'failed' | 'excluded' | (string & {});

/** A refresh of a source has succeeded. `lastRefresh` has its counts. */
export type SourceRefreshedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'source.refreshed';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeSource | RemovedResource;
};

/** A source was changed or paused, or a refresh of it has begun. */
export type SourceUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'source.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: KnowledgeSource | RemovedResource;
};

/** Texts of up to 2000 characters. */
export type TextOutput = {
  /** The type of the values. */
  type: 'text';
};

/** A part of a text. */
export type TextSpan = {
  /** The offset of the first code unit. */
  start: number;
  /** The offset after the last code unit. */
  end: number;
};

/** A part of a text. */
export type TextSpanInput = {
  /** The offset of the first code unit. */
  start: number;
  /** The offset after the last code unit. */
  end: number;
};

/** A page of the messages of a conversation. */
export type Transcript = {
  /** The messages of the page, sorted by `seq`. */
  messages: Message[];
  /** Send it as `afterSeq` to get the next page. */
  nextAfterSeq: number;
  /** Whether the conversation has ended and this page has its last message. */
  final: boolean;
};

/** A place for a file. */
export type Upload = {
  /** The id of the upload. */
  id: string;
  /** The size of the file. */
  bytes: number;
  /** What the file is for: an import of conversations, or a document of the knowledge. */
  purpose: UploadPurpose;
  /** Where to PUT the file, without a credential. */
  url: string;
  /** Until when `url` works: 15 minutes. */
  expiresAt: string;
};

/** The body of `uploads.create`. */
export type UploadCreateRequest = {
  /** The size of the file: at most 100 MB, and 25 MB for `knowledge`. The link accepts only a file of this size. */
  bytes: number;
  /**
   * What the file is for: an import of conversations, or a document of the knowledge.
   * Default: `'conversations'`.
   */
  purpose?: UploadPurpose | undefined;
};

/** What the file is for: an import of conversations, or a document of the knowledge. */
export type UploadPurpose = 'conversations' | 'knowledge';

/** The effect of the request. `unchanged` means that nothing was written. */
export type UpsertOutcome = 'created' | 'updated' | 'unchanged';

/** An avatar and the outcome of the request. */
export type UpsertedAvatar = {
  /** The effect of the request. `unchanged` means that nothing was written. */
  outcome: UpsertOutcome;
  /** The avatar as it is stored. */
  avatar: Avatar;
};

/** A conversation and the outcome of the request. */
export type UpsertedConversation = {
  /** The effect of the request. `unchanged` means that nothing was written. */
  outcome: UpsertOutcome;
  /** The conversation as it is stored. */
  conversation: Conversation;
};

/** A document and the outcome of the request. */
export type UpsertedDocument = {
  /** The effect of the request. `unchanged` means that nothing was written. */
  outcome: UpsertOutcome;
  /** The document as it is stored. */
  document: KnowledgeDocument;
};

/** The results of a batch. */
export type UpsertedDocuments = {
  /** The results, in the order of the documents. */
  results: UpsertedDocument[];
};

/** A project and the outcome of the request. */
export type UpsertedProject = {
  /** The effect of the request. `unchanged` means that nothing was written. */
  outcome: UpsertOutcome;
  /** The project as it is stored. */
  project: Project;
};

/** The limits of a credential and of its organisation, and the usage. */
export type Usage = {
  /** The mode of the credential. Live and test data have separate limits. */
  mode: Mode;
  /** The limits of requests. All apply. */
  rateLimits: UsageRateLimits;
  /** The quotas of the organisation in this mode. */
  quotas: UsageQuotas;
};

/** A page of projects, with what they have used. */
export type UsageByProject = {
  /** The projects that have used something: the newest project first, and removed projects last. A removed project keeps its days, without its id. */
  items: UsageOfProject[];
  /** Send it as `cursor` to get further projects. Null on the last page. */
  nextCursor: string | null;
};

/** What was used on a day. */
export type UsageDay = {
  /** The day (UTC). */
  day: string;
  /** Contents of documents that were stored: created or replaced. */
  documents: number;
  /** Bytes, in UTF-8, of these contents and of the texts of messages. */
  bytes: number;
  /** Conversations that were started. */
  conversations: number;
  /** Messages that were added. */
  messages: number;
  /** Records in files that exports have completed. */
  exportedRecords: number;
  /** What evaluations by models cost, in US dollars, with what is reserved for calls that are under way. */
  modelCostUsd: number;
};

/** What was used in the whole range. */
export type UsageDaysTotals = {
  /** Contents of documents that were stored: created or replaced. */
  documents: number;
  /** Bytes, in UTF-8, of these contents and of the texts of messages. */
  bytes: number;
  /** Conversations that were started. */
  conversations: number;
  /** Messages that were added. */
  messages: number;
  /** Records in files that exports have completed. */
  exportedRecords: number;
  /** What evaluations by models cost, in US dollars, with what is reserved for calls that are under way. */
  modelCostUsd: number;
};

/** What a project has used, by day. */
export type UsageOfProject = {
  /** The project. Null for a project that was removed. */
  projectId: string | null;
  /** The name of the project. Null for a project that is deleted. */
  name: string | null;
  /** The days on which something was used, oldest first. */
  items: UsageDay[];
  /** What was used in the whole range. */
  totals: UsageDaysTotals;
};

/** The limit of a key or of a workload identity above the calling credential. */
export type UsageParentLimit = {
  /** The id of the API key or of the workload identity. */
  keyId: string;
  /** Its limit. */
  rateLimit: RateLimit;
};

/** The quotas of the organisation in this mode. */
export type UsageQuotas = {
  /** Contents of documents that are stored per day (UTC): created or replaced. */
  documents: Quota;
  /** Bytes, in UTF-8, of these contents and of the texts of messages, per day. */
  bytes: Quota;
  /** Conversations that are started per day. */
  conversations: Quota;
  /** Messages that are added per day. */
  messages: Quota;
  /** Re-indexing jobs that are queued or running at the same time. Counted only with a quota. */
  jobs: Quota;
  /** Requests that wait (`waitSeconds`) at the same time. */
  waits: Quota;
  /** What evaluations by models cost per day (UTC), in US dollars. */
  modelCostUsd: CostQuota;
};

/** The limits of requests. All apply. */
export type UsageRateLimits = {
  /** The limit of the calling credential. Null if it has no limit of its own. */
  key: RateLimit | null;
  /** The limits of the keys and workload identities above the calling credential, the topmost first: its creator, the creator of its creator, and so on. Empty if none of them has a limit. */
  parents: UsageParentLimit[];
  /** The limit of all credentials of the organisation in this mode together. Null if there is no such limit. */
  organisation: RateLimit | null;
};

/** The voice of the avatar. */
export type Voice = {
  /** The provider of the voice. Not blank, without control characters. */
  provider: string;
  /** The provider's id of the voice. Not blank, without control characters. */
  voiceId: string;
};

/** The voice of the avatar. */
export type VoiceInput = {
  /** The provider of the voice. Not blank, without control characters. */
  provider: string;
  /** The provider's id of the voice. Not blank, without control characters. */
  voiceId: string;
};

/** A document that the index does not include, or only in part, and why. */
export type WarnedDocument = {
  /** The id of the document. */
  documentId: string;
  /** The title. Null if the credential lacks `knowledge:read`. */
  title: string | null;
  /** Your own id. Null if there is none, or if the credential lacks `knowledge:read`. */
  externalId: string | null;
  /** The reason, for programs. */
  code: string;
  /** The reason, for people. */
  message: string;
};

/** A receiver of events, without its secret. */
export type Webhook = {
  /** The id of the webhook. */
  id: string;
  /** Where events are sent: an `https://` URL with a public host, without user name, password and fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url: string;
  /** The events to send: event types, `project.*` for all of a resource, or `*` for all. To set them, a credential needs the scopes that read the data of all these events. */
  eventTypes: Array<'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.purged' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.expiring' | 'api_key.expired' | 'api_key.revoked' | 'workload_identity.created' | 'workload_identity.updated' | 'workload_identity.deleted' | 'avatar.created' | 'avatar.updated' | 'avatar.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'source.created' | 'source.updated' | 'source.refreshed' | 'source.failed' | 'source.deleted' | 'job.created' | 'job.started' | 'job.succeeded' | 'job.failed' | 'job.cancelled' | 'deployment.created' | 'deployment.promoted' | 'deployment.rolled_back' | 'deployment.updated' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'rollout.started' | 'rollout.advanced' | 'rollout.waiting' | 'rollout.paused' | 'rollout.resumed' | 'rollout.completed' | 'rollout.aborted' | 'rollout.rolled_back' | 'conversation.started' | 'conversation.updated' | 'conversation.ended' | 'conversation.scored' | 'conversation.deleted' | 'conversation.erased' | 'evaluator.created' | 'evaluator.updated' | 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.deleted' | '*' | 'project.*' | 'api_key.*' | 'workload_identity.*' | 'avatar.*' | 'document.*' | 'source.*' | 'job.*' | 'deployment.*' | 'environment.*' | 'rollout.*' | 'conversation.*' | 'evaluator.*' | 'webhook.*'>;
  /** Only events of these projects are sent. Null for all events, also those that belong to no project. */
  projectIds: string[] | null;
  /** `messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`. */
  include: 'messages'[];
  /** The purpose of the webhook. Null if not set. */
  description: string | null;
  /** Whether nothing is sent. */
  disabled: boolean;
  /** Why nothing is sent: a request has `requested` it, the receiver has answered 410 (`gone`), every attempt of five days has failed (`failing`), a key that had set its URL, its content or its secret was revoked with `children=true` (`key_revoked`), or the webhook was lost and came back from a backup (`restored`). Null if it is not disabled. */
  disabledReason: DisabledReason | null;
  /** How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it had before. */
  health: WebhookHealth;
  /** When the secret was created or last rotated. */
  secretCreatedAt: string;
  /** Until when requests are also signed with the secret from before the last rotation. Null if there is no such secret. */
  previousSecretExpiresAt: string | null;
  /** The last `recover`. Null if nobody requested one. */
  recovery: WebhookRecovery | null;
  /** The scopes of the credential that last set the `url`, `eventTypes`, `projectIds` or `include`. Events whose data needs another scope are not sent, such as events of new kinds of resources: set the `eventTypes` again to get these events. */
  scopes: string[];
  /** When the webhook was created. */
  createdAt: string;
  /** When the webhook was last changed. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** The credential that set its `url` last. */
  urlSetBy: string;
  /** The credential that set its `eventTypes`, `projectIds` or `include` last. */
  contentSetBy: string;
  /** The credential that created or rotated its secret last. */
  secretSetBy: string;
};

/** The body of `webhooks.create`. */
export type WebhookCreateRequest = {
  /** Where events are sent: an `https://` URL with a public host, without user name, password and fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url: string;
  /** The events to send: event types, `project.*` for all of a resource, or `*` for all. To set them, a credential needs the scopes that read the data of all these events. */
  eventTypes: Array<'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.purged' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.expiring' | 'api_key.expired' | 'api_key.revoked' | 'workload_identity.created' | 'workload_identity.updated' | 'workload_identity.deleted' | 'avatar.created' | 'avatar.updated' | 'avatar.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'source.created' | 'source.updated' | 'source.refreshed' | 'source.failed' | 'source.deleted' | 'job.created' | 'job.started' | 'job.succeeded' | 'job.failed' | 'job.cancelled' | 'deployment.created' | 'deployment.promoted' | 'deployment.rolled_back' | 'deployment.updated' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'rollout.started' | 'rollout.advanced' | 'rollout.waiting' | 'rollout.paused' | 'rollout.resumed' | 'rollout.completed' | 'rollout.aborted' | 'rollout.rolled_back' | 'conversation.started' | 'conversation.updated' | 'conversation.ended' | 'conversation.scored' | 'conversation.deleted' | 'conversation.erased' | 'evaluator.created' | 'evaluator.updated' | 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.deleted' | '*' | 'project.*' | 'api_key.*' | 'workload_identity.*' | 'avatar.*' | 'document.*' | 'source.*' | 'job.*' | 'deployment.*' | 'environment.*' | 'rollout.*' | 'conversation.*' | 'evaluator.*' | 'webhook.*'>;
  /** Only events of these projects are sent. Default: the projects of the creating credential, or null for all events, including events that belong to no project. */
  projectIds?: string[] | null | undefined;
  /** `messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`. */
  include?: 'messages'[] | undefined;
  /** The purpose of the webhook. */
  description?: string | undefined;
  /** Whether nothing is sent yet. Default: false. */
  disabled?: boolean | undefined;
};

/** A webhook was created. */
export type WebhookCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'webhook.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Webhook | RemovedResource;
};

/** A webhook was deleted. */
export type WebhookDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'webhook.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Webhook | RemovedResource;
};

/** A webhook was disabled: by a request, because its receiver has answered 410, or after five days of failures. */
export type WebhookDisabledEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'webhook.disabled';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Webhook | RemovedResource;
};

/** How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it had before. */
export type WebhookHealth = {
  /** How the last attempt has ended: it has failed, or no request can reach the `url` (`failing`), it has succeeded (`healthy`), or it has succeeded and took more than 3 seconds (`slow`). `unknown` if no attempt has ended since the webhook was last enabled. Values: `unknown`, `healthy`, `slow`, `failing`. More may be added. */
  status: WebhookHealthStatus;
  /** The number of attempts that have failed since the last success. */
  failures: number;
  /** When the first of these attempts failed. Null if there are none. */
  failingSince: string | null;
  /** Why no request can reach the `url`. Null if a request may reach it. */
  reason: Failure | null;
};

/** How the last attempt to reach the receiver has ended. Values: `unknown`, `healthy`, `slow`, `failing`. More may be added. */
export type WebhookHealthStatus = 'unknown' | 'healthy' | 'slow' | 'failing' | (string & {});

/** A page of a list. */
export type WebhookList = {
  /** The items of the page. */
  items: Webhook[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** The body of `webhooks.recover`. */
export type WebhookRecoverRequest = {
  /** Events at this time or later are sent again. In 1970 or later. */
  since: string | Date;
};

/** A recovery: it sends events again that the webhook has missed. */
export type WebhookRecovery = {
  /** Deliveries of events at this time or later are requested again. */
  since: string;
  /** When it was requested. */
  requestedAt: string;
  /** When it ended. Null while it runs. */
  finishedAt: string | null;
  /** The number of deliveries that it has requested. */
  deliveries: number;
};

/** The body of `webhooks.rotate-secret`. */
export type WebhookRotateSecretRequest = {
  /** How long the old secret stays valid: `0s` (or `0`), or a whole number of hours, days or weeks, at most 7 days. Default: `24h`. */
  overlap?: 0 | string | undefined;
  /** Whether the secret from before the last rotation ends at once, although its end was announced for later. Default: false. Then the rotation is refused while that secret is valid. */
  endPrevious?: boolean | undefined;
};

/** A webhook has a new secret. */
export type WebhookRotatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'webhook.rotated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Webhook | RemovedResource;
};

/** The body of `webhooks.update`. */
export type WebhookUpdateRequest = {
  /** Where events are sent: an `https://` URL with a public host, without user name, password and fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url?: string | undefined;
  /** The events to send: event types, `project.*` for all of a resource, or `*` for all. To set them, a credential needs the scopes that read the data of all these events. */
  eventTypes?: Array<'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.purged' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.expiring' | 'api_key.expired' | 'api_key.revoked' | 'workload_identity.created' | 'workload_identity.updated' | 'workload_identity.deleted' | 'avatar.created' | 'avatar.updated' | 'avatar.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'source.created' | 'source.updated' | 'source.refreshed' | 'source.failed' | 'source.deleted' | 'job.created' | 'job.started' | 'job.succeeded' | 'job.failed' | 'job.cancelled' | 'deployment.created' | 'deployment.promoted' | 'deployment.rolled_back' | 'deployment.updated' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'rollout.started' | 'rollout.advanced' | 'rollout.waiting' | 'rollout.paused' | 'rollout.resumed' | 'rollout.completed' | 'rollout.aborted' | 'rollout.rolled_back' | 'conversation.started' | 'conversation.updated' | 'conversation.ended' | 'conversation.scored' | 'conversation.deleted' | 'conversation.erased' | 'evaluator.created' | 'evaluator.updated' | 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.deleted' | '*' | 'project.*' | 'api_key.*' | 'workload_identity.*' | 'avatar.*' | 'document.*' | 'source.*' | 'job.*' | 'deployment.*' | 'environment.*' | 'rollout.*' | 'conversation.*' | 'evaluator.*' | 'webhook.*'> | undefined;
  /** Only events of these projects are sent. Null for all events, also those that belong to no project. */
  projectIds?: string[] | null | undefined;
  /** `messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`. */
  include?: 'messages'[] | undefined;
  /** The purpose of the webhook. Null if not set. */
  description?: string | null | undefined;
  /** Whether nothing is sent. */
  disabled?: boolean | undefined;
};

/** A webhook was changed or enabled, or its recovery was requested or has finished. */
export type WebhookUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'webhook.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: Webhook | RemovedResource;
};

/** A webhook, with its new secret. */
export type WebhookWithSecret = {
  /** The id of the webhook. */
  id: string;
  /** Where events are sent: an `https://` URL with a public host, without user name, password and fragment, with the port 443 or a port above 1023. It is stored and shown in its normal form: `https:Example.com` becomes `https://example.com/`. */
  url: string;
  /** The events to send: event types, `project.*` for all of a resource, or `*` for all. To set them, a credential needs the scopes that read the data of all these events. */
  eventTypes: Array<'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.purged' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.expiring' | 'api_key.expired' | 'api_key.revoked' | 'workload_identity.created' | 'workload_identity.updated' | 'workload_identity.deleted' | 'avatar.created' | 'avatar.updated' | 'avatar.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'source.created' | 'source.updated' | 'source.refreshed' | 'source.failed' | 'source.deleted' | 'job.created' | 'job.started' | 'job.succeeded' | 'job.failed' | 'job.cancelled' | 'deployment.created' | 'deployment.promoted' | 'deployment.rolled_back' | 'deployment.updated' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'rollout.started' | 'rollout.advanced' | 'rollout.waiting' | 'rollout.paused' | 'rollout.resumed' | 'rollout.completed' | 'rollout.aborted' | 'rollout.rolled_back' | 'conversation.started' | 'conversation.updated' | 'conversation.ended' | 'conversation.scored' | 'conversation.deleted' | 'conversation.erased' | 'evaluator.created' | 'evaluator.updated' | 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.deleted' | '*' | 'project.*' | 'api_key.*' | 'workload_identity.*' | 'avatar.*' | 'document.*' | 'source.*' | 'job.*' | 'deployment.*' | 'environment.*' | 'rollout.*' | 'conversation.*' | 'evaluator.*' | 'webhook.*'>;
  /** Only events of these projects are sent. Null for all events, also those that belong to no project. */
  projectIds: string[] | null;
  /** `messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`. */
  include: 'messages'[];
  /** The purpose of the webhook. Null if not set. */
  description: string | null;
  /** Whether nothing is sent. */
  disabled: boolean;
  /** Why nothing is sent: a request has `requested` it, the receiver has answered 410 (`gone`), every attempt of five days has failed (`failing`), a key that had set its URL, its content or its secret was revoked with `children=true` (`key_revoked`), or the webhook was lost and came back from a backup (`restored`). Null if it is not disabled. */
  disabledReason: DisabledReason | null;
  /** How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it had before. */
  health: WebhookHealth;
  /** When the secret was created or last rotated. */
  secretCreatedAt: string;
  /** Until when requests are also signed with the secret from before the last rotation. Null if there is no such secret. */
  previousSecretExpiresAt: string | null;
  /** The last `recover`. Null if nobody requested one. */
  recovery: WebhookRecovery | null;
  /** The scopes of the credential that last set the `url`, `eventTypes`, `projectIds` or `include`. Events whose data needs another scope are not sent, such as events of new kinds of resources: set the `eventTypes` again to get these events. */
  scopes: string[];
  /** When the webhook was created. */
  createdAt: string;
  /** When the webhook was last changed. */
  updatedAt: string;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** The credential that set its `url` last. */
  urlSetBy: string;
  /** The credential that set its `eventTypes`, `projectIds` or `include` last. */
  contentSetBy: string;
  /** The credential that created or rotated its secret last. */
  secretSetBy: string;
  /** Verifies the signatures of requests (Standard Webhooks). Only this response shows it; the service stores it encrypted. */
  secret: string;
};

/** A workload identity: whose OIDC tokens are accepted in place of a key, and what they may do. */
export type WorkloadIdentity = {
  /** The id of the workload identity. */
  id: string;
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not need to reach it. */
  issuer: string;
  /** The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/` separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`. A segment has at most one `*`, and the first two segments have none. */
  subject: string;
  /** Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later. */
  claims: IdentityClaims;
  /** The only audience (`aud`) that a token for this identity may have. */
  audience: string;
  /** The permissions of its tokens. */
  scopes: Scope[];
  /** The projects that its tokens can access. Null for all projects. */
  projectIds: string[] | null;
  /** The environments that its tokens can access. Null for all environments. */
  environments: string[] | null;
  /** The addresses from which its tokens may be used. Null for everywhere. */
  allowedCidrs: string[] | null;
  /** The limit of all its tokens together. Null if it has no limit of its own. Its requests also count in the limits of the credentials above it. */
  rateLimit: RateLimit | null;
  /** When it expires. Null if it does not expire. */
  expiresAt: string | null;
  /** Whether its tokens are accepted: only those of an `active` identity are. */
  status: WorkloadIdentityStatus;
  /** The public keys of an issuer that the service cannot reach, such as a private cluster: at most 20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of the issuer. */
  jwks: PublicJwks | null;
  /** The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an access token. */
  createdBy: string;
  /** When it was created. */
  createdAt: string;
  /** When a request last changed it. */
  updatedAt: string;
  /** When it was deleted. Null if it was not. */
  deletedAt: string | null;
  /** When it was last used, accurate to the hour. Null if it was not used. */
  lastUsedAt: string | null;
  /** The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address. */
  lastUsedFrom: string | null;
  /** The end of the keys and identities that this identity created, and of their webhooks. Null if nobody requested it. */
  childrenRevocation: ChildrenRevocation | null;
};

/** The body of `workload-identities.create`. */
export type WorkloadIdentityCreateRequest = {
  /** A display name. Not blank, without control characters. */
  name: string;
  /** The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not need to reach it. */
  issuer: string;
  /** The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/` separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`. A segment has at most one `*`, and the first two segments have none. */
  subject: string;
  /** Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later. */
  claims?: IdentityClaims | undefined;
  /** The permissions of its tokens. */
  scopes: Scope[];
  /** The projects that its tokens can access. Default: all projects, or those of the creating credential. */
  projectIds?: string[] | undefined;
  /** The environments that its tokens can access, as for an API key. Default: all environments, or those of the creating credential. They cannot be changed. */
  environments?: string[] | undefined;
  /** The addresses from which its tokens may be used, as for an API key. Default: everywhere, or the addresses of the creating credential. */
  allowedCidrs?: string[] | undefined;
  /** The limit of all its tokens together. Default: the limit of the creating credential, or no limit. */
  rateLimit?: RateLimit | null | undefined;
  /** When it expires, or null. Default: when the creating credential expires. */
  expiresAt?: string | Date | null | undefined;
  /** Whether its tokens are accepted. Default: `active`. */
  status?: SettableIdentityStatus | undefined;
  /** The public keys of an issuer that the service cannot reach, such as a private cluster: at most 20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of the issuer. */
  jwks?: PublicJwks | null | undefined;
};

/** A workload identity was created. */
export type WorkloadIdentityCreatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'workload_identity.created';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: WorkloadIdentity | RemovedResource;
};

/** A workload identity was deleted. */
export type WorkloadIdentityDeletedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'workload_identity.deleted';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: WorkloadIdentity | RemovedResource;
};

/** A page of a list. */
export type WorkloadIdentityList = {
  /** The items of the page. */
  items: WorkloadIdentity[];
  /** Send it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** Whether its tokens are accepted: only those of an `active` identity are. */
export type WorkloadIdentityStatus = 'active' | 'suspended' | 'expired' | 'deleted';

/** The body of `workload-identities.update`. */
export type WorkloadIdentityUpdateRequest = {
  /** A display name. Not blank, without control characters. */
  name?: string | undefined;
  /** The exact `iss` of the tokens: an `https://` URL without query and fragment. With `jwks`, the service does not need to reach it. */
  issuer?: string | undefined;
  /** The `sub` of the tokens: 1 to 255 printable ASCII characters. Case matters. `:` and `/` separate segments. `*` stands for one or more characters inside a segment, other than `:`, `/` and `%`. A segment has at most one `*`, and the first two segments have none. */
  subject?: string | undefined;
  /** Claims that a token must have, with exactly these values. Names have up to 100 characters, texts up to 255. Use ids, such as `repository_id`: a name can belong to somebody else later. */
  claims?: IdentityClaims | undefined;
  /** The permissions of its tokens. */
  scopes?: Scope[] | undefined;
  /** The addresses from which its tokens may be used. Null for everywhere. */
  allowedCidrs?: string[] | null | undefined;
  /** The limit of all its tokens together. Null removes the limit. */
  rateLimit?: RateLimit | null | undefined;
  /** When it expires. Null if it does not expire. */
  expiresAt?: string | Date | null | undefined;
  /** Whether its tokens are accepted. */
  status?: SettableIdentityStatus | undefined;
  /** The public keys of an issuer that the service cannot reach, such as a private cluster: at most 20 keys and 16 KB, each with a `kid`, RSA with at least 2048 bits. Null: the service reads the keys of the issuer. */
  jwks?: PublicJwks | null | undefined;
};

/** A workload identity was changed, suspended or made active again. */
export type WorkloadIdentityUpdatedEvent = {
  /** The id of the event, the same each time that it is sent. */
  id: string;
  /** The type of the event. */
  type: 'workload_identity.updated';
  /** When it happened. */
  timestamp: string;
  /** The project of the resource. Null if it belongs to no project. */
  projectId: string | null;
  /** The resource, or only its id if it is gone. */
  data: WorkloadIdentity | RemovedResource;
};

/** The query of: List API keys. */
export type ApiKeysListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only keys that expire before this time. */
  expiresBefore?: string | Date | undefined;
  /** Only keys that this key or this workload identity created. Those that they created are not among them. */
  createdBy?: string | undefined;
  /** Only keys with this status. */
  status?: ApiKeyStatus | undefined;
};

/** The query of: Revoke an API key. */
export type ApiKeysRevokeQuery = {
  /** Whether the keys and workload identities below it end too (those that it created, and those that they created), their webhooks are disabled, and their sources, evaluators and rollouts paused. Default: false. */
  children?: 'true' | 'false' | undefined;
  /** Whether to end it even if no key is left that can create keys. Default: false. */
  force?: 'true' | 'false' | undefined;
  /** Whether to only show the effects, without any change. Default: false. */
  dryRun?: 'true' | 'false' | undefined;
};

/** The query of: List audit events. */
export type AuditEventsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only events of this actor. A workload identity is named by its id, whatever the subject of its tokens is. */
  actor?: string | undefined;
  /** Only events of this action. */
  action?: string | undefined;
  /** Only events of this resource. */
  resourceId?: string | undefined;
  /** Only events of this project. */
  projectId?: string | undefined;
  /** Only events at this time or later. */
  from?: string | Date | undefined;
  /** Only events before this time. */
  to?: string | Date | undefined;
};

/** The query of: List downloads. */
export type DownloadsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: List events. */
export type EventsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only events of this type, or of all types of a kind of resource, such as `project.*`. */
  type?: 'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.purged' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.expiring' | 'api_key.expired' | 'api_key.revoked' | 'workload_identity.created' | 'workload_identity.updated' | 'workload_identity.deleted' | 'avatar.created' | 'avatar.updated' | 'avatar.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'source.created' | 'source.updated' | 'source.refreshed' | 'source.failed' | 'source.deleted' | 'job.created' | 'job.started' | 'job.succeeded' | 'job.failed' | 'job.cancelled' | 'deployment.created' | 'deployment.promoted' | 'deployment.rolled_back' | 'deployment.updated' | 'environment.created' | 'environment.updated' | 'environment.deleted' | 'rollout.started' | 'rollout.advanced' | 'rollout.waiting' | 'rollout.paused' | 'rollout.resumed' | 'rollout.completed' | 'rollout.aborted' | 'rollout.rolled_back' | 'conversation.started' | 'conversation.updated' | 'conversation.ended' | 'conversation.scored' | 'conversation.deleted' | 'conversation.erased' | 'evaluator.created' | 'evaluator.updated' | 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.deleted' | 'project.*' | 'api_key.*' | 'workload_identity.*' | 'avatar.*' | 'document.*' | 'source.*' | 'job.*' | 'deployment.*' | 'environment.*' | 'rollout.*' | 'conversation.*' | 'evaluator.*' | 'webhook.*' | undefined;
  /** Only events of this resource: its id, or the name of an environment. */
  resourceId?: string | undefined;
  /** Only events of this project. */
  projectId?: string | undefined;
  /** Only events at this time or later. */
  from?: string | Date | undefined;
  /** Only events before this time. */
  to?: string | Date | undefined;
};

/** The query of: List models. */
export type ModelsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: List projects. */
export type ProjectsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only the project with this externalId. Not blank, without control characters. */
  externalId?: string | undefined;
  /** Only projects with this status. */
  status?: 'active' | 'archived' | undefined;
  /** Only projects created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only projects created before this time. */
  createdBefore?: string | Date | undefined;
  /**
   * Only projects created after this time. Use `createdFrom` instead.
   * @deprecated
   */
  createdAfter?: string | Date | undefined;
};

/** The query of: List avatars. */
export type AvatarsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only the avatar with this externalId. Not blank, without control characters. */
  externalId?: string | undefined;
  /** Only avatars with this status. */
  status?: AvatarStatus | undefined;
  /** Only avatars whose name starts with this text, ignoring case. */
  namePrefix?: string | undefined;
  /** Only avatars created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only avatars created before this time. */
  createdBefore?: string | Date | undefined;
  /**
   * Only avatars created after this time. Use `createdFrom` instead.
   * @deprecated
   */
  createdAfter?: string | Date | undefined;
};

/** The query of: List the versions of an avatar. */
export type AvatarsVersionsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: List conversations. */
export type ConversationsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only conversations with this avatar. */
  avatarId?: string | undefined;
  /** Only conversations with this user. Not blank, without control characters. */
  externalUserId?: string | undefined;
  /** Only conversations with this deployment. */
  deploymentId?: string | undefined;
  /** Only conversations on this channel. Not blank, without control characters. */
  channel?: string | undefined;
  /** Only conversations with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only test conversations, or with `false` only the others. Default: both. */
  test?: boolean | undefined;
  /** Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`, `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of that name is left out, also by `ne`. */
  score?: string | string[] | undefined;
  /** Only conversations with this status. */
  status?: ConversationStatus | undefined;
  /** Only conversations started at this time or later. */
  startedFrom?: string | Date | undefined;
  /** Only conversations started before this time. */
  startedBefore?: string | Date | undefined;
  /**
   * Only conversations started after this time. Use `startedFrom` instead.
   * @deprecated
   */
  startedAfter?: string | Date | undefined;
  /** Only the conversation with this externalId. Not blank, without control characters. */
  externalId?: string | undefined;
  /**
   * The order of their start.
   * Default: `'newest'`.
   */
  order?: 'newest' | 'oldest' | undefined;
};

/** The query of: Search messages. */
export type ConversationsSearchQuery = {
  /** Words, and phrases in quotation marks. */
  q: string;
  /**
   * Whether to leave out messages of the role `tool`.
   * Default: `false`.
   */
  hideTools?: boolean | undefined;
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only conversations with this avatar. */
  avatarId?: string | undefined;
  /** Only conversations with this user. Not blank, without control characters. */
  externalUserId?: string | undefined;
  /** Only conversations with this deployment. */
  deploymentId?: string | undefined;
  /** Only conversations on this channel. Not blank, without control characters. */
  channel?: string | undefined;
  /** Only conversations with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only test conversations, or with `false` only the others. Default: both. */
  test?: boolean | undefined;
  /** Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`, `lt` or `lte`, or `csat:exists`. At most three, and all must hold. A conversation without a value of that name is left out, also by `ne`. */
  score?: string | string[] | undefined;
  /** Only conversations with this status. */
  status?: ConversationStatus | undefined;
  /** Only conversations started at this time or later. */
  startedFrom?: string | Date | undefined;
  /** Only conversations started before this time. */
  startedBefore?: string | Date | undefined;
  /**
   * Only conversations started after this time. Use `startedFrom` instead.
   * @deprecated
   */
  startedAfter?: string | Date | undefined;
};

/** The query of: Count conversations. */
export type ConversationsStatsQuery = {
  /**
   * The property that groups the counts: `day`, `avatar`, `channel`, `deployment`, or `score:` and the name of an evaluator. Items are sorted by key, and those of a score by value. Values: `day`, `avatar`, `channel`, `deployment`. More may be added.
   * Default: `'day'`.
   */
  groupBy?: 'day' | 'avatar' | 'channel' | 'deployment' | (string & {}) | undefined;
  /** The name of an evaluator whose scores are counted. With `groupBy=score:…`, only the same name. */
  score?: string | undefined;
  /**
   * Whether to count test conversations instead of the others.
   * Default: `false`.
   */
  test?: boolean | undefined;
  /** Start of the range. Default: 30 days, including the last day. */
  from?: string | Date | undefined;
  /** End of the range, exclusive. Default: now. At most 366 days after `from`. */
  to?: string | Date | undefined;
};

/** The query of: List the replies of a conversation. */
export type RepliesListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: Get a reply. */
export type RepliesGetQuery = {
  /**
   * Only the text after this offset: `nextAfter` of the response before. Beyond the end, there is no text.
   * Default: `0`.
   */
  after?: number | undefined;
  /**
   * How long to wait for text after `after` while the reply has not ended. At most 10 requests per credential and 50 per organisation and mode can wait. A further request gets its response at once, with `Retry-After`.
   * Default: `0`.
   */
  waitSeconds?: number | undefined;
};

/** The query of: List the scores of a conversation. */
export type ConversationsScoresListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: Get the messages of a conversation. */
export type ConversationsTranscriptQuery = {
  /**
   * Only messages with a higher `seq`: `nextAfterSeq` of the previous page.
   * Default: `0`.
   */
  afterSeq?: number | undefined;
  /**
   * The maximum number of messages in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /**
   * How long to wait for a message after `afterSeq` while the conversation is active. At most 10 requests per credential and 50 per organisation and mode can wait. A further request gets its response at once, with `Retry-After`.
   * Default: `0`.
   */
  waitSeconds?: number | undefined;
};

/** The query of: List deployments. */
export type DeploymentsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only deployments to this environment. */
  environment?: string | undefined;
  /** Only deployments in this phase. */
  phase?: DeploymentPhase | undefined;
  /** Only deployments whose commit starts with these digits. */
  sha?: string | undefined;
};

/** The query of: List the changes of a deployment. */
export type DeploymentsChangesQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** The deployment to compare with, of any environment of the project. */
  since?: string | undefined;
};

/** The query of: List environments. */
export type EnvironmentsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: Get the configuration of an environment. */
export type EnvironmentsConfigQuery = {
  /** Who uses the service, usually your id of the user: while a rollout runs, its variant is that of this unit. It is neither stored nor logged. */
  unit?: string | undefined;
};

/** The query of: List the rollouts of an environment. */
export type RolloutsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: List evaluators. */
export type EvaluatorsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only the evaluator with this name. */
  name?: string | undefined;
  /** Only evaluators of this kind. */
  kind?: EvaluatorKind | undefined;
  /** Only evaluators with this status. */
  status?: EvaluatorStatus | undefined;
};

/** The query of: List the versions of an evaluator. */
export type EvaluatorsVersionsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: List jobs. */
export type JobsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only jobs with this status. */
  status?: JobStatus | undefined;
  /** Only jobs of this type. */
  type?: 'knowledge.reindex' | 'knowledge.refresh' | 'knowledge.remove-source' | 'knowledge.expunge' | 'conversations.erase' | 'conversations.reindex' | 'conversations.evaluate' | 'conversations.export' | 'conversations.import' | 'knowledge.export' | 'audit.export' | undefined;
};

/** The query of: Get a job. */
export type JobsGetQuery = {
  /**
   * How long to wait while the job is queued or running. At most 10 requests per credential and 50 per organisation and mode can wait. A further request gets its response at once, with `Retry-After`.
   * Default: `0`.
   */
  waitSeconds?: number | undefined;
};

/** The query of: List documents. */
export type KnowledgeDocumentsListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only documents with this status. */
  status?: DocumentStatus | undefined;
  /** `true` lists only ignored documents, and `false` only all other documents. */
  ignored?: boolean | undefined;
  /** Only documents with this tag. Not blank, without control characters. */
  tag?: string | undefined;
  /** Only documents with exactly this source. Not blank, without control characters. */
  source?: string | undefined;
  /** Only documents with exactly this externalId: one per source. Not blank, without control characters. */
  externalId?: string | undefined;
  /** Only documents with this note in their `extractionNotes`. */
  extractionNote?: 'attachments_left_out' | 'characters_replaced' | 'comments_left_out' | 'encoding_assumed' | 'pages_without_text' | 'pictures_without_text' | 'text_left_out' | 'truncated_file' | undefined;
  /** Only documents whose file or page was read by a version of the readers before this one: their `extractedBy` is lower. */
  extractedBefore?: number | undefined;
  /** Only documents changed at this time or later. */
  updatedFrom?: string | Date | undefined;
  /**
   * Only documents changed after this time. Use `updatedFrom` instead.
   * @deprecated
   */
  updatedAfter?: string | Date | undefined;
};

/** The query of: Delete a document. */
export type KnowledgeDocumentsDeleteQuery = {
  /**
   * Whether to remove its text from all index versions.
   * Default: `false`.
   */
  expunge?: boolean | undefined;
};

/** The query of: Get the content of a document. */
export type KnowledgeDocumentsContentQuery = {
  /** The `nextCursor` of the previous part. */
  cursor?: string | undefined;
};

/** The query of: Search documents. */
export type KnowledgeSearchQuery = {
  /** The text to search for. */
  q: string;
  /** Only documents with this tag. It can be repeated, at most 20 times: `tagMode` says what then holds. */
  tag?: string | string[] | undefined;
  /**
   * `all` finds documents with all tags, `any` documents with at least one of them.
   * Default: `'all'`.
   */
  tagMode?: 'all' | 'any' | undefined;
  /** Only this document. It can be repeated, at most 10 times, to search in several. For more than three pieces of a document, send `perDocument`, too. */
  documentId?: string | string[] | undefined;
  /** Only documents whose metadata has this value: `country:DE`. At most 3, and all must hold. The field is one of `settings.searchFields` of the project. */
  metadata?: string | string[] | undefined;
  /** Searches the index of this environment's current deployment. */
  environment?: string | undefined;
  /** Only together with `environment`: while a rollout runs, searches the index of the variant of this unit, usually your id of the user. It is neither stored nor logged. */
  unit?: string | undefined;
  /** Searches the index of this deployment, in any phase and environment. Not together with `environment`. */
  deploymentId?: string | undefined;
  /** `hybrid` compares words and meanings, `lexical` only words. Default: `hybrid`. The response says how it was. */
  mode?: 'hybrid' | 'lexical' | undefined;
  /**
   * The maximum number of pieces.
   * Default: `10`.
   */
  limit?: number | undefined;
  /**
   * The maximum number of pieces of one document, so that other documents are found, too.
   * Default: `3`.
   */
  perDocument?: number | undefined;
  /**
   * How many pieces of the document before and behind the found piece are part of its `text`. Neighbours for which a response of 4 MB has no room are left out, from the last hits.
   * Default: `0`.
   */
  context?: number | undefined;
  /** `snippet` leaves `text` out. Default: `text`. */
  fields?: 'text' | 'snippet' | undefined;
};

/** The query of: List sources. */
export type KnowledgeSourcesListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
};

/** The query of: Delete a source. */
export type KnowledgeSourcesDeleteQuery = {
  /**
   * Whether its documents stay.
   * Default: `false`.
   */
  keepDocuments?: boolean | undefined;
};

/** The query of: List the pages of a source. */
export type KnowledgeSourcesListPagesQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only pages with this status. */
  status?: 'pending' | 'stored' | 'duplicate' | 'moved' | 'gone' | 'noindex' | 'failed' | 'excluded' | undefined;
};

/** The query of: List the usage of a project by day. */
export type ProjectsUsageDaysQuery = {
  /** Start of the range. Default: 30 days, including the last day. */
  from?: string | Date | undefined;
  /** End of the range, exclusive. Default: now. At most 366 days after `from`. */
  to?: string | Date | undefined;
};

/** The query of: List usage by day. */
export type UsageDaysQuery = {
  /** Start of the range. Default: 30 days, including the last day. */
  from?: string | Date | undefined;
  /** End of the range, exclusive. Default: now. At most 366 days after `from`. */
  to?: string | Date | undefined;
  /** `project` also returns the days of each project. */
  groupBy?: 'project' | undefined;
  /**
   * The maximum number of projects in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `projects.nextCursor` of the previous page. Send it with the same `groupBy`, `from` and `to`. */
  cursor?: string | undefined;
};

/** The query of: List webhooks. */
export type WebhooksListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** The id of an API key or of a workload identity, or `sub:` and the subject of an access token. Only webhooks that this credential created, or whose URL, content or secret it was the last to set. */
  createdBy?: string | undefined;
  /** `true` lists only webhooks whose last attempt has failed, and webhooks that were disabled because of their receiver (`failing`, `gone`). `false` lists only all other webhooks. */
  failing?: 'true' | 'false' | undefined;
};

/** The query of: List a webhook's deliveries. */
export type WebhooksDeliveriesListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined;
};

/** The query of: List workload identities. */
export type WorkloadIdentitiesListQuery = {
  /**
   * The maximum number of items in the page.
   * Default: `25`.
   */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
  /** Only identities that expire before this time. */
  expiresBefore?: string | Date | undefined;
  /** Only identities that this key or this workload identity created. */
  createdBy?: string | undefined;
  /** Only identities with this status. */
  status?: WorkloadIdentityStatus | undefined;
};

/** The query of: Delete a workload identity. */
export type WorkloadIdentitiesDeleteQuery = {
  /** Whether the keys and workload identities below it end too (those that it created, and those that they created), their webhooks are disabled, and their sources, evaluators and rollouts paused. Default: false. */
  children?: 'true' | 'false' | undefined;
  /** Whether to end it even if no key is left that can create keys. Default: false. */
  force?: 'true' | 'false' | undefined;
  /** Whether to only show the effects, without any change. Default: false. */
  dryRun?: 'true' | 'false' | undefined;
};
