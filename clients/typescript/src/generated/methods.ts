// Written by `npm run generate`.

import type { IfMatchOptions, IfNoneMatchOptions, PostOptions, RequestOptions } from '../core/options.ts';
import type { ApiPromise, PagePromise } from '../core/promise.ts';
import { Resource, url } from '../core/resource.ts';
import type {
  ApiKey,
  ApiKeyCreateRequest,
  ApiKeyList,
  ApiKeyRotateRequest,
  ApiKeyUpdateRequest,
  ApiKeyWithSecret,
  ApiKeysListQuery,
  ApiKeysRevokeQuery,
  AppendedMessages,
  AuditEvent,
  AuditEventList,
  AuditEventsListQuery,
  Avatar,
  AvatarCreateRequest,
  AvatarList,
  AvatarPutRequest,
  AvatarUpdateRequest,
  AvatarVersion,
  AvatarVersionList,
  AvatarsListQuery,
  AvatarsVersionsListQuery,
  ComparedRollout,
  Conversation,
  ConversationAppendRequest,
  ConversationCreateRequest,
  ConversationEndRequest,
  ConversationEraseRequest,
  ConversationImportFileRequest,
  ConversationImportRequest,
  ConversationList,
  ConversationPutRequest,
  ConversationScorePutRequest,
  ConversationStats,
  ConversationUpdateRequest,
  ConversationsListQuery,
  ConversationsScoresListQuery,
  ConversationsSearchQuery,
  ConversationsStatsQuery,
  ConversationsTranscriptQuery,
  CreatedDeployment,
  DailyUsage,
  DeletedProject,
  DeletedWorkloadIdentity,
  Delivery,
  DeliveryList,
  Deployment,
  DeploymentChangeList,
  DeploymentCreateRequest,
  DeploymentList,
  DeploymentRollbackRequest,
  DeploymentsChangesQuery,
  DeploymentsListQuery,
  DocumentContent,
  DownloadList,
  DownloadsListQuery,
  Environment,
  EnvironmentConfig,
  EnvironmentList,
  EnvironmentsConfigQuery,
  EnvironmentsListQuery,
  ErasedConversation,
  Evaluation,
  EvaluationRunCreateRequest,
  Evaluator,
  EvaluatorCreateRequest,
  EvaluatorList,
  EvaluatorUpdateRequest,
  EvaluatorVersion,
  EvaluatorVersionList,
  EvaluatorsListQuery,
  EvaluatorsVersionsListQuery,
  EventsListQuery,
  Export,
  ExportCreateRequest,
  HealthStatus,
  ImportedConversations,
  Job,
  JobList,
  JobsGetQuery,
  JobsListQuery,
  KnowledgeDocument,
  KnowledgeDocumentBatchRequest,
  KnowledgeDocumentCreateRequest,
  KnowledgeDocumentList,
  KnowledgeDocumentPutRequest,
  KnowledgeDocumentUpdateRequest,
  KnowledgeDocumentsContentQuery,
  KnowledgeDocumentsDeleteQuery,
  KnowledgeDocumentsListQuery,
  KnowledgeEvaluateRequest,
  KnowledgeSearchQuery,
  KnowledgeSource,
  KnowledgeSourceCreateRequest,
  KnowledgeSourceList,
  KnowledgeSourceRefreshRequest,
  KnowledgeSourceUpdateRequest,
  KnowledgeSourcesDeleteQuery,
  KnowledgeSourcesListPagesQuery,
  KnowledgeSourcesListQuery,
  ListedReply,
  Me,
  MessageHitList,
  ModelList,
  ModelsListQuery,
  PlatformEvent,
  PlatformEventList,
  Project,
  ProjectCreateRequest,
  ProjectDailyUsage,
  ProjectList,
  ProjectPurge,
  ProjectPutRequest,
  ProjectUpdateRequest,
  ProjectUsage,
  ProjectsListQuery,
  ProjectsUsageDaysQuery,
  RepliesGetQuery,
  RepliesListQuery,
  Reply,
  ReplyCreateRequest,
  ReplyList,
  RevokedApiKey,
  Rollout,
  RolloutAbortRequest,
  RolloutAdvanceRequest,
  RolloutCompleteRequest,
  RolloutList,
  RolloutStartRequest,
  RolloutUpdateRequest,
  RolloutsListQuery,
  Score,
  ScoreList,
  SearchResult,
  SourcePageList,
  Transcript,
  Upload,
  UploadCreateRequest,
  UpsertedAvatar,
  UpsertedConversation,
  UpsertedDocument,
  UpsertedDocuments,
  UpsertedProject,
  Usage,
  UsageDaysQuery,
  Webhook,
  WebhookCreateRequest,
  WebhookList,
  WebhookRecoverRequest,
  WebhookRotateSecretRequest,
  WebhookUpdateRequest,
  WebhookWithSecret,
  WebhooksDeliveriesListQuery,
  WebhooksListQuery,
  WorkloadIdentitiesDeleteQuery,
  WorkloadIdentitiesListQuery,
  WorkloadIdentity,
  WorkloadIdentityCreateRequest,
  WorkloadIdentityList,
  WorkloadIdentityUpdateRequest,
} from './types.ts';

export class ServiceMethods extends Resource {
  /**
   * Check the service.
   *
   * Returns 200 if the service and its database respond, otherwise 503.
   *
   * Requires no credential.
   */
  health(options?: RequestOptions): ApiPromise<HealthStatus> {
    return this.call<HealthStatus>('GET', url`/health`, {}, options);
  }
}

export class ApiKeysMethods extends Resource {
  /**
   * List API keys.
   *
   * Returns keys, newest first, including keys that were revoked or expired in the last 30 days. A credential that is bound to projects gets only keys that are bound to the same projects or to some of them.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `api-keys:read`.
   */
  list(query?: ApiKeysListQuery, options?: RequestOptions): PagePromise<ApiKeyList> {
    return this.pages<ApiKeyList>(url`/api-keys`, query, options);
  }

  /**
   * Create an API key.
   *
   * Creates a key for the caller's organisation and mode. It cannot have more scopes, projects or environments, wider addresses, a higher limit or a longer lifetime than the credential that creates it. Its requests also count in the limit of the key that creates it, and in the limits of the keys above that key: in at most four limits, including its own.
   *
   * Only this response shows the `secret`. To read it again, repeat the request with the same Idempotency-Key and the same credential.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `secret_unavailable` (409).
   */
  create(body: ApiKeyCreateRequest, options?: PostOptions): ApiPromise<ApiKeyWithSecret> {
    return this.call<ApiKeyWithSecret>('POST', url`/api-keys`, { body }, options);
  }

  /**
   * Get the calling API key.
   *
   * Returns the key in the Authorization header. Requires no scope. A token gets 404.
   *
   * Requires any valid credential.
   */
  me(options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call<ApiKey>('GET', url`/api-keys/me`, {}, options);
  }

  /**
   * Revoke the calling API key.
   *
   * Revokes the key in the Authorization header permanently. Requires no scope, so anybody who finds a leaked key can disable it, even if it is the last key. Its webhooks stay on: `webhooks` counts them. A token gets 404.
   *
   * Requires any valid credential.
   */
  revokeMe(options?: RequestOptions): ApiPromise<RevokedApiKey> {
    return this.call<RevokedApiKey>('DELETE', url`/api-keys/me`, {}, options);
  }

  /**
   * Get an API key.
   *
   * Returns the key without its secret. A revoked or expired key is returned for 30 more days.
   *
   * Requires the scope `api-keys:read`.
   */
  get(keyId: string, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call<ApiKey>('GET', url`/api-keys/${keyId}`, {}, options);
  }

  /**
   * Update an API key.
   *
   * Changes the name, the scopes, the addresses, the limit or the expiry, from the next request on. `scopes` and `allowedCidrs` replace all scopes and addresses. `expiresIn` counts from now. The caller must have every scope of the key, and every scope that it adds, for at least as long as the key is valid. A caller that extends the key, or allows further addresses or requests, may not exceed its own lifetime, addresses and limit. To shorten the key, or to restrict its addresses or requests, the caller must be able to grant the key in its current form. A key can change itself only with its current secret. The last key that can create keys keeps `api-keys:write`.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `key_not_active` (409), `last_key` (409).
   */
  update(keyId: string, body: ApiKeyUpdateRequest, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call<ApiKey>('PATCH', url`/api-keys/${keyId}`, { body }, options);
  }

  /**
   * Revoke an API key.
   *
   * Revokes the key permanently. Every request that starts after this response is refused. Revoking a revoked key changes nothing. The caller must have every scope of the key, unless the key revokes itself. If no key that can create keys would be left, `force=true` is needed.
   *
   * With `children=true`, the response is 202. The key is revoked at once. Soon after, the keys and workload identities that it created end, and those that they created, except those with a scope that the caller does not have. Then every webhook is disabled whose URL, content or secret one of these keys has set, and every source, every evaluator and every rollout is paused that acts on behalf of one of these keys. Evaluation runs, refreshes of sources and exports that one of these keys has requested fail with `credential_revoked` before their next call, request or file. Other jobs go on. `childrenRevocation` of this key shows the progress. Without `children=true`, webhooks stay on: `webhooks` counts them.
   *
   * With `dryRun=true`, nothing changes. The response is 200 with the unchanged key and the effects that the revocation would have.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `last_key` (409).
   */
  revoke(keyId: string, query?: ApiKeysRevokeQuery, options?: RequestOptions): ApiPromise<RevokedApiKey> {
    return this.call<RevokedApiKey>('DELETE', url`/api-keys/${keyId}`, { query }, options);
  }

  /**
   * Rotate an API key.
   *
   * Replaces the secret of a key. Everything else stays: id, name, scopes, projects, addresses and expiry. The old secret is valid until `previousSecretExpiresAt`, so that you can replace it everywhere. A key has at most two valid secrets. While the old secret is valid, another rotation is refused (`previous_secret_valid`, with the end of the old secret in the details), unless `endPrevious` is true.
   *
   * Only this response shows the new `secret`. To read it again, repeat the request with the same Idempotency-Key and the same credential.
   *
   * A key can rotate itself only with its current secret. It needs an Idempotency-Key (otherwise 400 `idempotency_key_required`) and an overlap of at least `1h`, so that a lost response cannot lock it out. The caller cannot rotate a key with more scopes, more projects, wider addresses, a higher limit or a longer lifetime than the caller has.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `key_not_active` (409), `overlap_required` (409), `previous_secret_valid` (409), `secret_unavailable` (409).
   */
  rotate(keyId: string, body: ApiKeyRotateRequest = {}, options?: PostOptions): ApiPromise<ApiKeyWithSecret> {
    return this.call<ApiKeyWithSecret>('POST', url`/api-keys/${keyId}/rotate`, { body }, options);
  }
}

export class AuditEventsMethods extends Resource {
  /**
   * List audit events.
   *
   * Returns changes with their authors, and requests that were refused for reasons of security, newest first. There is one event for each call and each resource that it changed. A credential that is bound to projects gets only the events of these projects.
   *
   * An event appears within seconds, and is sorted by the start of its request. So events of the last minute may still appear, also between events that you have read. With several filters, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `audit:read`.
   */
  list(query?: AuditEventsListQuery, options?: RequestOptions): PagePromise<AuditEventList> {
    return this.pages<AuditEventList>(url`/audit-events`, query, options);
  }

  /**
   * Get an audit event.
   *
   * Returns an event. A credential that is bound to projects gets 404 for the events of other projects.
   *
   * Requires the scope `audit:read`.
   */
  get(eventId: string, options?: RequestOptions): ApiPromise<AuditEvent> {
    return this.call<AuditEvent>('GET', url`/audit-events/${eventId}`, {}, options);
  }
}

export class AvatarsMethods extends Resource {
  /**
   * List avatars.
   *
   * Returns the current state, newest first.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `avatars:read`.
   */
  list(query?: AvatarsListQuery, options?: RequestOptions): PagePromise<AvatarList> {
    return this.pages<AvatarList>(url`/avatars`, query, options);
  }

  /**
   * Create an avatar.
   *
   * Creates an active avatar with version 1.
   *
   * Requires the scope `avatars:write`.
   *
   * Errors of this operation: `external_id_taken` (409), `project_archived` (409).
   */
  create(body: AvatarCreateRequest, options?: PostOptions): ApiPromise<Avatar> {
    return this.call<Avatar>('POST', url`/avatars`, { body }, options);
  }

  /**
   * Create or update an avatar by externalId.
   *
   * Creates an avatar with this externalId, or replaces the content of the existing avatar and creates a new version. An omitted field gets its default. The status does not change: an archived avatar stays archived.
   *
   * You can repeat the request without an Idempotency-Key: it creates one avatar, and writes nothing if nothing has changed. With `If-Match`, only the avatar with this ETag is changed. Percent-encode the externalId.
   *
   * Requires the scope `avatars:write`.
   *
   * Errors of this operation: `project_archived` (409), `version_mismatch` (412).
   */
  put(externalId: string, body: AvatarPutRequest, options?: IfMatchOptions): ApiPromise<UpsertedAvatar> {
    return this.call<UpsertedAvatar>('PUT', url`/avatars/by-external-id/${externalId}`, { body }, options);
  }

  /**
   * Get an avatar.
   *
   * Returns the latest version. `GET …/environments/{environment}/config` returns what an environment serves.
   *
   * Requires the scope `avatars:read`.
   */
  get(avatarId: string, options?: RequestOptions): ApiPromise<Avatar> {
    return this.call<Avatar>('GET', url`/avatars/${avatarId}`, {}, options);
  }

  /**
   * Update an avatar.
   *
   * Changes the fields in the body and creates a new version. If nothing changes, there is no new version.
   *
   * In `persona`, only the fields in the body change. Every other field is replaced as a whole, including `voice`, `model`, `runtime` and `metadata`. Set `status` to `archived` to archive the avatar, and to `active` to use it again. Environments keep serving the deployed version until the next deployment.
   *
   * Requires the scope `avatars:write`.
   *
   * Errors of this operation: `external_id_taken` (409), `project_archived` (409), `version_mismatch` (412).
   */
  update(avatarId: string, body: AvatarUpdateRequest, options?: IfMatchOptions): ApiPromise<Avatar> {
    return this.call<Avatar>('PATCH', url`/avatars/${avatarId}`, { body }, options);
  }

  /**
   * Delete an avatar.
   *
   * Deletes the avatar permanently. An avatar that an environment serves cannot be deleted, nor one that the candidate of a rollout has: archive it and deploy first, or end the rollout. Earlier deployments keep their versions of the avatar, so you can still roll back to them.
   *
   * Requires the scope `avatars:write`.
   *
   * Errors of this operation: `avatar_in_use` (409), `project_archived` (409), `version_mismatch` (412).
   */
  delete(avatarId: string, options?: IfMatchOptions): ApiPromise<Avatar> {
    return this.call<Avatar>('DELETE', url`/avatars/${avatarId}`, {}, options);
  }
}

export class AvatarsVersionsMethods extends Resource {
  /**
   * List the versions of an avatar.
   *
   * Returns all versions, newest first. The first version is the current avatar.
   *
   * Requires the scope `avatars:read`.
   */
  list(avatarId: string, query?: AvatarsVersionsListQuery, options?: RequestOptions): PagePromise<AvatarVersionList> {
    return this.pages<AvatarVersionList>(url`/avatars/${avatarId}/versions`, query, options);
  }

  /**
   * Get a version of an avatar.
   *
   * Returns the version as it was created. Versions never change.
   *
   * Requires the scope `avatars:read`.
   */
  get(avatarId: string, version: number, options?: RequestOptions): ApiPromise<AvatarVersion> {
    return this.call<AvatarVersion>('GET', url`/avatars/${avatarId}/versions/${version}`, {}, options);
  }
}

export class ConversationsMethods extends Resource {
  /**
   * List conversations.
   *
   * Returns the current state with the effective scores, ordered by start. All filters can be combined.
   *
   * With selective filters, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null. A cursor is valid only with the same filters and order.
   *
   * Requires the scope `conversations:read`.
   */
  list(query?: ConversationsListQuery, options?: RequestOptions): PagePromise<ConversationList> {
    return this.pages<ConversationList>(url`/conversations`, query, options);
  }

  /**
   * Start a conversation.
   *
   * Starts a conversation. To import an earlier conversation, send its `startedAt`: lists sort by this time. The avatar and the deployment do not have to exist.
   *
   * A conversation ends with `POST …/end`. It ends by itself with the reason `timeout` if no message is stored for `conversationTimeoutMinutes` (a setting of the project). The timeout counts from the time at which messages are stored, so you have time to complete an import. A `startedAt` that is older than `retentionDays` is refused.
   *
   * Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `conversation_erased` (409), `external_id_taken` (409), `project_archived` (409).
   */
  create(body: ConversationCreateRequest, options?: PostOptions): ApiPromise<Conversation> {
    return this.call<Conversation>('POST', url`/conversations`, { body }, options);
  }

  /**
   * Create or update a conversation by externalId.
   *
   * Starts a conversation with this externalId, or replaces `tags` and `metadata` of the existing conversation. If `tags` or `metadata` is omitted, it becomes empty. The other fields are fixed: if a field differs from the existing conversation, the request gets 409 `conversation_mismatch`. An omitted `startedAt` or `assignment` is not compared.
   *
   * You can repeat the request without an Idempotency-Key: it starts one conversation, and writes nothing if nothing has changed. If the conversation was erased, the request gets 409 `conversation_erased`, so a repeated import does not bring it back. Percent-encode the externalId.
   *
   * With `"resume": true`, an existing conversation is returned as it is, for a process that continues a call after a restart: `tags`, `metadata`, `deploymentId`, `assignment` and `startedAt` are used only to start a conversation. The response has the stored ones: go on with its `deploymentId`. If `avatarId`, `externalUserId`, `channel` or `test` is sent and differs, the request gets 409 `conversation_mismatch`. If the conversation has ended, it gets 409 `conversation_ended`, with the id in the message and as the `path` of its detail.
   *
   * Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `conversation_ended` (409), `conversation_erased` (409), `conversation_mismatch` (409), `external_id_taken` (409), `project_archived` (409).
   */
  put(externalId: string, body: ConversationPutRequest, options?: RequestOptions): ApiPromise<UpsertedConversation> {
    return this.call<UpsertedConversation>('PUT', url`/conversations/by-external-id/${externalId}`, { body }, options);
  }

  /**
   * Erase a user's conversations.
   *
   * Queues a job that erases all conversations with this `externalUserId` permanently, as `DELETE` erases one conversation. When the job has succeeded, their data is no longer stored, and `result` has their number. Conversations that are created after the request may be erased too. You can repeat the request: each job erases the conversations that exist when it runs.
   *
   * The identifier is in the body because logs contain paths. The job stores only its hash, in `result.externalUserIdSha256`. This also works in an archived project.
   *
   * A credential that is bound to environments is refused, because it could erase only a part of the conversations. It can erase those of its environments one by one.
   *
   * Requires the scope `conversations:write`.
   */
  erase(body: ConversationEraseRequest, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/conversations/erase`, { body }, options);
  }

  /**
   * Import conversations.
   *
   * Stores up to 25 conversations with their messages. Each conversation is stored completely or not at all. If all conversations fit into one transaction, either all of them are stored or no conversation is stored. The results are in the order of the request.
   *
   * A conversation is stored once, with any Idempotency-Key. If a conversation with its externalId and the same content is stored, the result is `unchanged`, and nothing is written. Further messages of the stored conversation are not compared, and its end is compared only if `endedAt` is sent. For other content, the request gets 409 `conversation_mismatch`, and for an erased conversation 409 `conversation_erased`. The message names the conversation. All conversations are compared before the first conversation is stored.
   *
   * A transaction has room for 95 items: two for each conversation, one for each of its tags, its avatar, user, channel and deployment, one if it is a test, one for each message, and one more for each `clientMessageId`. A new conversation with more items, or a request with more than 1000 messages, gets 413 `import_too_large`. The message names the conversation. Import it with `POST …/conversations/import-file`.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `conversation_erased` (409), `conversation_mismatch` (409), `external_id_taken` (409), `project_archived` (409).
   */
  import(body: ConversationImportRequest, options?: PostOptions): ApiPromise<ImportedConversations> {
    return this.call<ImportedConversations>('POST', url`/conversations/import`, { body }, options);
  }

  /**
   * Import a file of conversations.
   *
   * Queues a job that imports an uploaded file of JSON lines, plain or compressed with gzip. A line is a conversation as in `POST …/conversations/import`, or as an export writes it. The `id` from an export identifies the conversation; ids of messages and storage times are ignored. A line with only `id` and `messages` continues the conversation of an earlier line.
   *
   * Each conversation is stored once, even if the file is imported again. A line that cannot be imported does not stop the other lines. The result of the job counts such lines, and lists the first 100 with their numbers. For a credential that is bound to environments, a line with a deployment of another environment fails with `not_found`, and a line of a stored conversation there with `external_id_taken`.
   *
   * An upload can be imported once. A file has at most 100 MB, 1 GB without compression, in 1 000 000 lines. A line has at most 8 MB.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  importFile(body: ConversationImportFileRequest, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/conversations/import-file`, { body }, options);
  }

  /**
   * Re-index the messages.
   *
   * Queues a job that builds the search index and the statistics of all conversations again, from the stored messages. Requests use the previous index and statistics until the job has succeeded. During the job, you can store, read and erase conversations. A re-index is only necessary if messages are not found, or if statistics are wrong.
   *
   * If a job is queued and has not started, the response is 200 with that job. If a job is running, a new job is queued behind it. Wait for the job at its `Location`: each GET returns when the job has ended, or after 20 seconds.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  reindex(options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/conversations/reindex`, {}, options);
  }

  /**
   * Search messages.
   *
   * Returns the messages that contain all words of `q`, as whole words, in any language. Words in quotation marks must follow each other. Case, accents and width are ignored. Emoji count as words. The filters are the same as in the list of conversations. Results are sorted by the start of the conversation, newest first, and then by message, latest first.
   *
   * New messages are found after a few seconds: `indexedThrough` shows the progress. Erased and expired messages are not found. In a long message, only the text before its 501st different word is searched.
   *
   * One request reads a limited number of messages and a limited amount of text. A page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `conversations:read`.
   */
  search(query: ConversationsSearchQuery, options?: RequestOptions): PagePromise<MessageHitList> {
    return this.pages<MessageHitList>(url`/conversations/search`, query, options);
  }

  /**
   * Count conversations.
   *
   * Counts conversations by the day (UTC) on which they started. The range is extended to whole days. Changes are counted in the background, usually within seconds. Erased conversations are not counted. Test conversations are counted apart: `test=true` returns their counts. Conversations older than `retentionDays` are not counted either, except on the day on which the retention period begins.
   *
   * `score=csat` adds the values of this score to each item and to the totals. `groupBy=score:csat` has an item for each value: `true` and `false`, the categories, the whole numbers if there are at most eleven, or else ten ranges of numbers. Only the effective score of a conversation counts.
   *
   * A range with more than 10 000 combinations of day, avatar, deployment and channel, or more than 10 000 items and shares, is refused with `stats_too_large`. Request shorter ranges. For a credential that is bound to environments, `groupBy=avatar` and `groupBy=channel` count at most 10 000 conversations of the project.
   *
   * Requires the scope `conversations:read`.
   *
   * Errors of this operation: `stats_too_large` (409).
   */
  stats(query?: ConversationsStatsQuery, options?: RequestOptions): ApiPromise<ConversationStats> {
    return this.call<ConversationStats>('GET', url`/conversations/stats`, { query }, options);
  }

  /**
   * Get a conversation.
   *
   * Returns the conversation with its effective scores, without its messages. `GET …/transcript` returns the messages, `GET …/scores` all scores.
   *
   * Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential has created exist.
   */
  get(conversationId: string, options?: RequestOptions): ApiPromise<Conversation> {
    return this.call<Conversation>('GET', url`/conversations/${conversationId}`, {}, options);
  }

  /**
   * Update a conversation.
   *
   * Replaces the fields in the body, also after the conversation has ended. An update does not count as activity, so it does not delay the timeout.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  update(conversationId: string, body: ConversationUpdateRequest, options?: RequestOptions): ApiPromise<Conversation> {
    return this.call<Conversation>('PATCH', url`/conversations/${conversationId}`, { body }, options);
  }

  /**
   * Erase a conversation.
   *
   * Erases the conversation permanently. From this response on, nobody can read or find the conversation or its messages. The stored data is removed afterwards, usually within seconds; `purgedAt` is null until then. Repeat the request to get `purgedAt`: an erased conversation returns 200.
   *
   * Before `purgedAt`, a POST that is repeated with its `Idempotency-Key` still gets the stored response. After `purgedAt`, it gets 404.
   *
   * This also works in an archived project.
   *
   * Requires the scope `conversations:write`.
   */
  delete(conversationId: string, options?: RequestOptions): ApiPromise<ErasedConversation> {
    return this.call<ErasedConversation>('DELETE', url`/conversations/${conversationId}`, {}, options);
  }

  /**
   * End a conversation.
   *
   * Ends the conversation: new messages are refused. A conversation that has already ended, also by timeout, is returned unchanged.
   *
   * Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `project_archived` (409).
   */
  end(conversationId: string, body: ConversationEndRequest, options?: PostOptions): ApiPromise<Conversation> {
    return this.call<Conversation>('POST', url`/conversations/${conversationId}/end`, { body }, options);
  }

  /**
   * Add messages to a conversation.
   *
   * Adds all messages or no message. Messages are numbered in the order of the request, even if several requests add messages at the same time.
   *
   * A message with a `clientMessageId` that is already stored, or that is repeated in the request, adds nothing. The response has the stored message with `"duplicate": true`. If the role, text, citations or metadata differ, the request is refused. Such a repeated message is accepted even after the conversation has ended, so that a late retry succeeds.
   *
   * To read messages, use `GET …/transcript`.
   *
   * Requires the scope `conversations:write`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `conversation_ended` (409), `project_archived` (409).
   */
  append(conversationId: string, body: ConversationAppendRequest, options?: PostOptions): ApiPromise<AppendedMessages> {
    return this.call<AppendedMessages>('POST', url`/conversations/${conversationId}/messages`, { body }, options);
  }

  /**
   * Get the messages of a conversation.
   *
   * Returns messages in order, also while the conversation is active. To read all messages, send `afterSeq=0`, and then `nextAfterSeq` of each response as `afterSeq`, until `final` is true. A page of large messages may have fewer than `limit`.
   *
   * Lists have `items`, newest first, and end with `nextCursor: null`. A transcript has `messages`, oldest first, and grows while it is read. So `nextAfterSeq` is always a number, also on a page without messages, and `final` says that no message follows.
   *
   * With `waitSeconds`, the response is sent when there is a new message or the conversation ends, or without messages when the time is up. If the key is revoked or the project is deleted, the wait ends with the error that a new request would get.
   *
   * Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential has created exist.
   */
  transcript(conversationId: string, query?: ConversationsTranscriptQuery, options?: RequestOptions): ApiPromise<Transcript> {
    return this.call<Transcript>('GET', url`/conversations/${conversationId}/transcript`, { query }, options);
  }
}

export class ConversationsScoresMethods extends Resource {
  /**
   * List the scores of a conversation.
   *
   * Returns all scores: one for each evaluator, version, source and number of messages. They are sorted by name in descending order. The effective score of each name comes first.
   *
   * Requires the scope `conversations:read`.
   */
  list(conversationId: string, query?: ConversationsScoresListQuery, options?: RequestOptions): PagePromise<ScoreList> {
    return this.pages<ScoreList>(url`/conversations/${conversationId}/scores`, query, options);
  }

  /**
   * Set a score of a conversation.
   *
   * Stores a score of the evaluator with this name, of any kind: from your program (`api`), or from a person (`human`). It is about the messages that are stored now, and of the current version of the evaluator. If there is such a score of the same source, it is replaced. Scores of other sources stay. You can repeat the request without an Idempotency-Key: it writes nothing if nothing has changed.
   *
   * Lists, filters and statistics use the effective score of each name: that of a person before that of a program, and both before those of models and rules. This also works after the conversation has ended, and with an archived evaluator.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  put(conversationId: string, name: string, body: ConversationScorePutRequest, options?: RequestOptions): ApiPromise<Score> {
    return this.call<Score>('PUT', url`/conversations/${conversationId}/scores/${name}`, { body }, options);
  }
}

export class DeploymentsMethods extends Resource {
  /**
   * List deployments.
   *
   * Returns deployments, newest first.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `deploy:read`.
   */
  list(query?: DeploymentsListQuery, options?: RequestOptions): PagePromise<DeploymentList> {
    return this.pages<DeploymentList>(url`/deployments`, query, options);
  }

  /**
   * Deploy a project.
   *
   * Freezes the active avatars (at most 100) and the published knowledge index at one moment. Then the deployment is promoted: its environment serves it. With `"promote": false`, or while a rollback pins the environment or a rollout runs in it (`heldBack`), the deployment stays staged.
   *
   * With `"ifChanged": true`, nothing is deployed if the current deployment has the same `configHash`. The response is then 200 with that deployment. `warnings` counts documents that are `pending`, `failed` or read in part and not `ignored`, with the reasons of the first five, and avatars whose `knowledgeTags` no document has. A warning also says if there is nothing to deploy. With `"strict": true`, a warning is an error, and nothing is deployed: the details of the error name the documents. Documents that were read in part are an error only with `"strictNotes": true`.
   *
   * With `from`, the deployment has the frozen avatars and the index of a deployment of another environment, in place of the project: the same `configHash`, and the same `git`. So you deploy what you have tested, whatever has changed since. There are no warnings.
   *
   * Use one `Idempotency-Key` per run, not per commit: within 24 hours, the same key returns the same deployment, even if avatars or knowledge have changed.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `deployment_has_warnings` (409), `deployment_too_large` (409), `index_retired` (409), `project_archived` (409), `too_many_avatars` (409).
   */
  create(body: DeploymentCreateRequest, options?: PostOptions): ApiPromise<CreatedDeployment> {
    return this.call<CreatedDeployment>('POST', url`/deployments`, { body }, options);
  }

  /**
   * Get a deployment.
   *
   * Returns a deployment. Its phase can change. Its content changes only if a document is expunged.
   *
   * Requires the scope `deploy:read`.
   */
  get(deploymentId: string, options?: RequestOptions): ApiPromise<Deployment> {
    return this.call<Deployment>('GET', url`/deployments/${deploymentId}`, {}, options);
  }

  /**
   * List the changes of a deployment.
   *
   * Returns the avatars and the documents that differ from another deployment, first the avatars. Without `since`, the other deployment is the deployment that the environment served before. If the environment does not serve the deployment and would not roll back to it, for example if it is staged, the other deployment is the current deployment. A page may have fewer items than `limit`, also no items: continue while `nextCursor` is not null.
   *
   * Requires the scope `deploy:read`.
   */
  changes(deploymentId: string, query?: DeploymentsChangesQuery, options?: RequestOptions): PagePromise<DeploymentChangeList> {
    return this.pages<DeploymentChangeList>(url`/deployments/${deploymentId}/changes`, query, options);
  }

  /**
   * Get the configuration of a deployment.
   *
   * Returns the data that a runtime needs, in any phase of the deployment. A conversation that began before a promotion or a rollback ends with its avatars, and with `deploymentId` in the search also with its knowledge. The configuration changes only if a document is expunged: then the index without this document replaces the old index. Send the `ETag` as `If-None-Match` to get 304 without a body if nothing has changed.
   *
   * Requires the scope `deploy:read` or `runtime:read`.
   */
  config(deploymentId: string, options?: RequestOptions & { ifNoneMatch?: undefined }): ApiPromise<EnvironmentConfig>;
  /** With `ifNoneMatch`, the result is undefined if nothing has changed. */
  config(deploymentId: string, options: IfNoneMatchOptions): ApiPromise<EnvironmentConfig | undefined>;
  config(deploymentId: string, options?: IfNoneMatchOptions): ApiPromise<EnvironmentConfig | undefined> {
    return this.call<EnvironmentConfig | undefined>('GET', url`/deployments/${deploymentId}/config`, {}, options);
  }

  /**
   * Promote a deployment.
   *
   * Makes the deployment current: its environment serves it at once. Nothing is built. If a rollback has pinned the environment, the pin ends, and new deployments are promoted again. If the deployment is already current, only the pin ends. While a rollout runs, only its candidate can be promoted, which completes the rollout. A deployment of a deleted environment cannot be promoted, unless the environment has come back and the index is still kept.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `index_retired` (409), `project_archived` (409), `rollout_running` (409).
   */
  promote(deploymentId: string, options?: PostOptions): ApiPromise<Deployment> {
    return this.call<Deployment>('POST', url`/deployments/${deploymentId}/promote`, {}, options);
  }

  /**
   * Roll back an environment.
   *
   * Makes an earlier deployment current again, with its avatars and knowledge: the previous deployment, or the deployment in `deploymentId`. The rollback takes effect at once.
   *
   * The environment is then pinned: new deployments stay staged until you promote a deployment with `POST …/deployments/{deployment_id}/promote`. Two rollbacks go back two steps.
   *
   * While a rollout runs, its end is the default: everybody gets the current deployment, and the rollout is `aborted`.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `deployment_never_current` (409), `environment_mismatch` (409), `index_retired` (409), `nothing_to_roll_back` (409), `project_archived` (409).
   */
  rollback(body: DeploymentRollbackRequest, options?: PostOptions): ApiPromise<Environment> {
    return this.call<Environment>('POST', url`/rollback`, { body }, options);
  }
}

export class DownloadsMethods extends Resource {
  /**
   * List downloads.
   *
   * Returns the command line and the clients of this deployment: first those of the version that it runs, then those of earlier versions. npm and pip install them without a registry. A deployment keeps the files of its last ten releases.
   *
   * Requires no credential.
   */
  list(query?: DownloadsListQuery, options?: RequestOptions): PagePromise<DownloadList> {
    return this.pages<DownloadList>(url`/downloads`, query, options);
  }
}

export class EnvironmentsMethods extends Resource {
  /**
   * List environments.
   *
   * Returns environments, sorted by name. The first deployment to an environment creates it.
   *
   * Requires the scope `deploy:read`.
   */
  list(query?: EnvironmentsListQuery, options?: RequestOptions): PagePromise<EnvironmentList> {
    return this.pages<EnvironmentList>(url`/environments`, query, options);
  }

  /**
   * Get an environment.
   *
   * Returns the current deployment, the deployment to which a rollback returns, and whether the environment is pinned.
   *
   * Requires the scope `deploy:read`.
   */
  get(name: string, options?: RequestOptions): ApiPromise<Environment> {
    return this.call<Environment>('GET', url`/environments/${name}`, {}, options);
  }

  /**
   * Delete an environment.
   *
   * Deletes the environment: it serves nothing any more. Its deployments stay readable, and become `superseded`. An index that no deployment of another environment has is kept for 7 more days, in which calls can search it with their `deploymentId`. A search, rollback or deployment with a retired index is 409 `index_retired`. The next deployment to the name creates an environment with an empty history. While a rollout runs, the request is 409 `environment_has_rollout`.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `environment_has_rollout` (409), `project_archived` (409).
   */
  delete(name: string, options?: RequestOptions): ApiPromise<Environment> {
    return this.call<Environment>('DELETE', url`/environments/${name}`, {}, options);
  }

  /**
   * Get the configuration of an environment.
   *
   * Returns the data that a runtime needs: the avatars and the knowledge index of the current deployment. To poll, send the `ETag` as `If-None-Match`. If nothing has changed, the response is 304 without a body. A conversation that keeps its `deploymentId` goes on with `GET …/deployments/{deployment_id}/config` after the next promotion.
   *
   * While a rollout runs, `rollout` says which part of the units gets the candidate. With `unit`, the configuration is that of the unit: of the current deployment, or of the candidate. Send its `rollout.assignment` with the conversation.
   *
   * Requires the scope `deploy:read` or `runtime:read`.
   */
  config(name: string, options?: EnvironmentsConfigQuery & RequestOptions & { ifNoneMatch?: undefined }): ApiPromise<EnvironmentConfig>;
  /** With `ifNoneMatch`, the result is undefined if nothing has changed. */
  config(name: string, options: EnvironmentsConfigQuery & IfNoneMatchOptions): ApiPromise<EnvironmentConfig | undefined>;
  config(name: string, options?: EnvironmentsConfigQuery & IfNoneMatchOptions): ApiPromise<EnvironmentConfig | undefined> {
    return this.call<EnvironmentConfig | undefined>('GET', url`/environments/${name}/config`, { query: { unit: options?.unit } }, options);
  }
}

export class EvaluationRunsMethods extends Resource {
  /**
   * Evaluate conversations.
   *
   * Queues a job that scores the conversations that match the filter and have started by now, oldest first, with evaluators of the kinds `rule` and `model`. The run uses the versions that are current now. It skips scores that are stored, so a run after another one only gives what is missing. An evaluator that is archived or paused meanwhile is left out.
   *
   * The runs of a project wait for each other. Dry runs and previews store no score, and wait for nobody.
   *
   * Each call of a model reserves the most that it can cost before it is sent. If that does not fit into `maxCostUsd` or the quota `modelCostUsd` of the day, the job succeeds with what it has done, and `stoppedBecause` says why.
   *
   * The run of a credential that is bound to environments leaves out the conversations of other environments.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  create(body: EvaluationRunCreateRequest = {}, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/evaluation-runs`, { body }, options);
  }
}

export class EvaluatorsMethods extends Resource {
  /**
   * List evaluators.
   *
   * Returns the current state, newest first.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `conversations:read`.
   */
  list(query?: EvaluatorsListQuery, options?: RequestOptions): PagePromise<EvaluatorList> {
    return this.pages<EvaluatorList>(url`/evaluators`, query, options);
  }

  /**
   * Create an evaluator.
   *
   * Creates an active evaluator with version 1: a way to score conversations. `name`, `kind` and `output` never change, because scores are stored, filtered and counted by them. A project can have 50 evaluators.
   *
   * Evaluators of the kinds `rule` and `model` score a conversation by themselves when it ends, on behalf of the credential that has set them. Imported conversations (also those stored more than an hour after their start), and those that ended before, are scored by `POST …/evaluation-runs`. `PUT …/conversations/{conversation_id}/scores/{name}` sends scores of any evaluator.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `evaluator_name_taken` (409), `project_archived` (409), `too_many_evaluators` (409).
   */
  create(body: EvaluatorCreateRequest, options?: PostOptions): ApiPromise<Evaluator> {
    return this.call<Evaluator>('POST', url`/evaluators`, { body }, options);
  }

  /**
   * Get an evaluator.
   *
   * Returns the latest version.
   *
   * Requires the scope `conversations:read`.
   */
  get(evaluatorId: string, options?: RequestOptions): ApiPromise<Evaluator> {
    return this.call<Evaluator>('GET', url`/evaluators/${evaluatorId}`, {}, options);
  }

  /**
   * Update an evaluator.
   *
   * Replaces the fields in the body and creates a new version. If nothing changes, there is no new version. Scores of earlier versions stay. A run that has started keeps its versions.
   *
   * An evaluator cannot be deleted, because scores name it. Set `status` to `archived` to end its use, or `paused` to interrupt it. After a change of anything but `description`, it acts on behalf of the credential that sends this request.
   *
   * Requires the scope `conversations:write`.
   *
   * Errors of this operation: `project_archived` (409), `version_mismatch` (412).
   */
  update(evaluatorId: string, body: EvaluatorUpdateRequest, options?: IfMatchOptions): ApiPromise<Evaluator> {
    return this.call<Evaluator>('PATCH', url`/evaluators/${evaluatorId}`, { body }, options);
  }
}

export class EvaluatorsVersionsMethods extends Resource {
  /**
   * List the versions of an evaluator.
   *
   * Returns all versions, newest first. The first version is the current evaluator.
   *
   * Requires the scope `conversations:read`.
   */
  list(evaluatorId: string, query?: EvaluatorsVersionsListQuery, options?: RequestOptions): PagePromise<EvaluatorVersionList> {
    return this.pages<EvaluatorVersionList>(url`/evaluators/${evaluatorId}/versions`, query, options);
  }

  /**
   * Get a version of an evaluator.
   *
   * Returns the version as it was created. Versions never change.
   *
   * Requires the scope `conversations:read`.
   */
  get(evaluatorId: string, version: number, options?: RequestOptions): ApiPromise<EvaluatorVersion> {
    return this.call<EvaluatorVersion>('GET', url`/evaluators/${evaluatorId}/versions/${version}`, {}, options);
  }
}

export class EventsMethods extends Resource {
  /**
   * List events.
   *
   * Returns the events of the last 30 days, newest first, for consumers that were offline. A credential that is bound to projects gets only the events of these projects. A credential gets only events whose `data` it may read: events of conversations require `conversations:read`, as the GET of a conversation does. If the credential may read no event of the requested `type`, the request gets 403 `insufficient_scope`.
   *
   * `data` is the resource as its GET showed it when the event was written, usually within a second of the change. It never has a secret or the text of a message. When the resource is erased or permanently deleted, `data` is reduced to its id.
   *
   * An event is sorted by the start of its request. So events of the last minute may still appear, also between events that you have read. With several filters, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `events:read`.
   */
  list(query?: EventsListQuery, options?: RequestOptions): PagePromise<PlatformEventList> {
    return this.pages<PlatformEventList>(url`/events`, query, options);
  }

  /**
   * Get an event.
   *
   * Returns an event, for 30 days. It also requires the scope that reads the resource in its `data`: `conversations:read` for a conversation. A credential that is bound to projects gets 404 for the events of other projects.
   *
   * Requires the scope `events:read`.
   */
  get(eventId: string, options?: RequestOptions): ApiPromise<PlatformEvent> {
    return this.call<PlatformEvent>('GET', url`/events/${eventId}`, {}, options);
  }
}

export class ExportsMethods extends Resource {
  /**
   * Export data.
   *
   * Queues a job that writes conversations with their messages, documents with their contents, or the project's audit events into files: JSON lines, compressed with gzip. The filters are the filters of the lists. The request requires the scope that reads the content: `conversations:read`, `knowledge:read` or `audit:read`.
   *
   * `GET …/exports/{job_id}` has the links. Data that is stored while the job runs may be missing.
   *
   * A line is a conversation with its first messages. A long conversation has further lines, with only its `id` and the next `messages`.
   *
   * A credential that is bound to environments gets only the conversations of these environments and those without a deployment. It cannot export the audit log.
   *
   * Requires the scope `conversations:read`, `knowledge:read` or `audit:read`.
   *
   * Errors of this operation: `too_many_exports` (409).
   */
  create(body: ExportCreateRequest, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/exports`, { body }, options);
  }

  /**
   * Get an export with its links.
   *
   * Returns the complete files, with links that work for 15 minutes without a credential. Send the request again for new links. A file is deleted after a day, or as soon as data in it is erased or deleted. Its links then stop working.
   *
   * The request requires the scope that reads the content. To wait for the end, use `GET …/jobs/{job_id}?waitSeconds=20`.
   *
   * Requires the scope `conversations:read`, `knowledge:read` or `audit:read`.
   */
  get(jobId: string, options?: RequestOptions): ApiPromise<Export> {
    return this.call<Export>('GET', url`/exports/${jobId}`, {}, options);
  }
}

export class JobsMethods extends Resource {
  /**
   * List jobs.
   *
   * Returns jobs, newest first. Jobs are kept for 30 days.
   *
   * The list has the jobs whose types the caller may read, so a page may be short. Each scope shows these jobs:
   *
   * * `knowledge:read`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`, `knowledge.expunge`, `knowledge.export`
   * * `conversations:read`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`, `conversations.export`, `conversations.import`
   * * `audit:read`: `audit.export`
   *
   * Requires the scope `knowledge:read`, `conversations:read` or `audit:read`.
   */
  list(query?: JobsListQuery, options?: RequestOptions): PagePromise<JobList> {
    return this.pages<JobList>(url`/jobs`, query, options);
  }

  /**
   * Get a job.
   *
   * Returns a job. While it is queued or running, poll it after `Retry-After` seconds. With `waitSeconds`, the response is sent when the job has ended, or when the time is up. Jobs are kept for 30 days.
   *
   * The result of a preview has its scores for an hour: `result.preview`. Lists and events do not have them.
   *
   * Some jobs fail with `credential_revoked` if the key or workload identity that requested them is revoked with its children: `knowledge.refresh`, `conversations.evaluate`, `conversations.export`, `knowledge.export`, `audit.export`.
   *
   * The type of the job decides which scope the request requires:
   *
   * * `knowledge:read`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`, `knowledge.expunge`, `knowledge.export`
   * * `conversations:read`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`, `conversations.export`, `conversations.import`
   * * `audit:read`: `audit.export`
   *
   * Requires the scope `knowledge:read`, `conversations:read` or `audit:read`.
   */
  get(jobId: string, query?: JobsGetQuery, options?: RequestOptions): ApiPromise<Job> {
    return this.call<Job>('GET', url`/jobs/${jobId}`, { query }, options);
  }

  /**
   * Cancel a job.
   *
   * Cancels the job. Its work is not published. Cancelling a cancelled job changes nothing. A job that has succeeded or failed cannot be cancelled. A job that removes data can never be cancelled: `knowledge.remove-source`, `knowledge.expunge`, `conversations.erase`.
   *
   * The type of the job decides which scope the request requires:
   *
   * * `knowledge:write`: `knowledge.reindex`, `knowledge.refresh`, `knowledge.remove-source`, `knowledge.expunge`
   * * `conversations:write`: `conversations.erase`, `conversations.reindex`, `conversations.evaluate`, `conversations.import`
   * * `conversations:read`: `conversations.export`
   * * `knowledge:read`: `knowledge.export`
   * * `audit:read`: `audit.export`
   *
   * Requires the scope `knowledge:write`, `conversations:write`, `conversations:read`, `knowledge:read` or `audit:read`.
   *
   * Errors of this operation: `job_ended` (409), `job_not_cancellable` (409), `project_archived` (409).
   */
  cancel(jobId: string, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/jobs/${jobId}/cancel`, {}, options);
  }
}

export class KnowledgeMethods extends Resource {
  /**
   * Evaluate the search with questions.
   *
   * Searches with questions whose answers are known, and returns how good the results are. Use it to test documents before a deployment. It changes nothing.
   *
   * A document is as good as its best piece. An expected document that the index does not contain counts as not found, and has `missing`. With `contains`, `answerIn5` and `answerIn10` say whether the passage is in the texts that a search hands over.
   *
   * The means count each question once, so the means of several requests can be combined by their numbers of questions, those of `answerIn5` by their numbers of questions with a passage, if `indexVersion` is the same.
   *
   * Requires the scope `knowledge:read`.
   *
   * Errors of this operation: `index_retired` (409), `not_indexed` (409).
   */
  evaluate(body: KnowledgeEvaluateRequest, options?: PostOptions): ApiPromise<Evaluation> {
    return this.call<Evaluation>('POST', url`/knowledge/evaluate`, { body }, options);
  }

  /**
   * Re-index the documents.
   *
   * Queues a job that builds a search index of all documents and publishes it when it is complete. Until then, searches use the previous index. The index includes everything that was stored before this request.
   *
   * If a job is queued and has not started, the response is 200 with that job. If a job is running, a new job is queued behind it. Wait for the job at its `Location`: each GET returns when the job has ended, or after 20 seconds. If nothing has changed, the job ends within a second and `result.changed` is false.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  reindex(options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/knowledge/reindex`, {}, options);
  }

  /**
   * Search documents.
   *
   * Returns the pieces of documents that match best, each with its `text`. A piece may match any word of the query, in any form. Matching several words, rare words, titles and headings ranks higher. A word that no document has also matches similar words. In long queries, the rarest words count.
   *
   * Searches the published index. Later changes are found after the next re-indexing. With `deploymentId`, a conversation that began before a deployment ends with the knowledge that it began with.
   *
   * Requires the scope `knowledge:read` or `runtime:read`.
   *
   * Errors of this operation: `index_retired` (409), `not_indexed` (409), `reindex_required` (409).
   */
  search(query: KnowledgeSearchQuery, options?: RequestOptions): ApiPromise<SearchResult> {
    return this.call<SearchResult>('GET', url`/knowledge/search`, { query }, options);
  }
}

export class KnowledgeDocumentsMethods extends Resource {
  /**
   * List documents.
   *
   * Returns documents without their content, newest first.
   *
   * With a selective filter or large documents, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `knowledge:read`.
   */
  list(query?: KnowledgeDocumentsListQuery, options?: RequestOptions): PagePromise<KnowledgeDocumentList> {
    return this.pages<KnowledgeDocumentList>(url`/knowledge/documents`, query, options);
  }

  /**
   * Create a document.
   *
   * Creates a document. It is `pending` until it is indexed. To synchronise documents from another system, use `PUT …/by-external-id/{external_id}`: you do not have to remember which documents you have sent.
   *
   * Send `content`, or `uploadId` for a file. The document of a file has no content until its `extraction` is `done`, after some seconds. A re-index waits for files that were sent before it.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `external_id_taken` (409), `project_archived` (409).
   */
  create(body: KnowledgeDocumentCreateRequest, options?: PostOptions): ApiPromise<KnowledgeDocument> {
    return this.call<KnowledgeDocument>('POST', url`/knowledge/documents`, { body }, options);
  }

  /**
   * Create or update documents by externalId.
   *
   * Creates or replaces up to 25 documents: all documents or no document. Each document is handled as in `PUT …/by-external-id/{external_id}`. The results are in the order of the documents.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  batch(body: KnowledgeDocumentBatchRequest, options?: PostOptions): ApiPromise<UpsertedDocuments> {
    return this.call<UpsertedDocuments>('POST', url`/knowledge/documents/batch`, { body }, options);
  }

  /**
   * Create or update a document by externalId.
   *
   * Creates or replaces the document with this externalId and `source`. Documents of other sources are not affected. An omitted field gets its default.
   *
   * You can repeat the request without an Idempotency-Key: it creates one document, and writes nothing if nothing has changed. With `If-Match`, only the document with this ETag is changed. Percent-encode the externalId (`handbook%2Freturns.md`).
   *
   * Send `content`, or `uploadId` for a file. A file always replaces the content, unless the request is repeated with the same upload: compare its SHA-256 with `fileSha256` before you upload it again.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409), `version_mismatch` (412).
   */
  put(externalId: string, body: KnowledgeDocumentPutRequest, options?: IfMatchOptions): ApiPromise<UpsertedDocument> {
    return this.call<UpsertedDocument>('PUT', url`/knowledge/documents/by-external-id/${externalId}`, { body }, options);
  }

  /**
   * Get a document.
   *
   * Returns the document without its content.
   *
   * Requires the scope `knowledge:read`.
   */
  get(documentId: string, options?: RequestOptions): ApiPromise<KnowledgeDocument> {
    return this.call<KnowledgeDocument>('GET', url`/knowledge/documents/${documentId}`, {}, options);
  }

  /**
   * Update a document.
   *
   * Replaces the fields in the body. Set `externalId` or `source` to null to remove it. `mimeType` is allowed only together with `content`; without it, the type does not change. If the title, content, tags or a value of the `searchFields` of the project change, the document is `pending` again.
   *
   * With `"ignored": true`, the next index leaves the document out, and it counts in no warning: use this for a file that has no text. Its `status` does not change. With `"ignored": false`, the document is `pending` again, unless its file has no text. Only `ignored` can be changed in a document of a source.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `external_id_taken` (409), `managed_by_source` (409), `project_archived` (409), `version_mismatch` (412).
   */
  update(documentId: string, body: KnowledgeDocumentUpdateRequest, options?: IfMatchOptions): ApiPromise<KnowledgeDocument> {
    return this.call<KnowledgeDocument>('PATCH', url`/knowledge/documents/${documentId}`, { body }, options);
  }

  /**
   * Delete a document.
   *
   * Deletes the document and returns it. Its externalId can be used again at once. Existing index versions keep the text of the document: searches find it until the next re-indexing, and environments serve it until the next deployment.
   *
   * With `expunge=true`, the text is removed from existing index versions too. The response is 202 with a job. Wait for the job at its `Location`. From this response on, no search returns the document in any environment. The job publishes versions without the document, removes the stored text, and lists the changed environments in its result. This also works for a document that was deleted or expunged before, and in an archived project.
   *
   * A document of a source can only be deleted with `expunge=true`. Later refreshes then leave its page out.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `managed_by_source` (409), `project_archived` (409), `version_mismatch` (412).
   */
  delete(documentId: string, query?: KnowledgeDocumentsDeleteQuery, options?: IfMatchOptions): ApiPromise<KnowledgeDocument | Job> {
    return this.call<KnowledgeDocument | Job>('DELETE', url`/knowledge/documents/${documentId}`, { query }, options);
  }

  /**
   * Get the content of a document.
   *
   * Returns the content exactly as it was sent.
   *
   * A content of more than 200 KB has several parts. Join the parts: continue with `cursor` until `nextCursor` is null. If the content changes in the meantime, the cursor is invalid: start again.
   *
   * Requires the scope `knowledge:read`.
   *
   * Errors of this operation: `not_extracted` (409).
   */
  content(documentId: string, query?: KnowledgeDocumentsContentQuery, options?: RequestOptions): ApiPromise<DocumentContent> {
    return this.call<DocumentContent>('GET', url`/knowledge/documents/${documentId}/content`, { query }, options);
  }
}

export class KnowledgeSourcesMethods extends Resource {
  /**
   * List sources.
   *
   * Returns sources, newest first.
   *
   * Requires the scope `knowledge:read`.
   */
  list(query?: KnowledgeSourcesListQuery, options?: RequestOptions): PagePromise<KnowledgeSourceList> {
    return this.pages<KnowledgeSourceList>(url`/knowledge/sources`, query, options);
  }

  /**
   * Create a source.
   *
   * Creates a source: pages of a website whose main content is kept as documents. With a `refresh` other than `manual`, the first refresh starts at once. Otherwise request it with `POST …/refresh`. A project can have 50 sources.
   *
   * A refresh respects robots.txt (as `platform-api-crawler`), sends one request at a time to each host, and requests pages that it knows with conditions, so that an unchanged page writes nothing. Its documents have the id of the source as `source`. Only the source can change them.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409), `too_many_sources` (409).
   */
  create(body: KnowledgeSourceCreateRequest, options?: PostOptions): ApiPromise<KnowledgeSource> {
    return this.call<KnowledgeSource>('POST', url`/knowledge/sources`, { body }, options);
  }

  /**
   * Get a source.
   *
   * Returns the source, with its last refresh and the time of its next refresh.
   *
   * Requires the scope `knowledge:read`.
   */
  get(sourceId: string, options?: RequestOptions): ApiPromise<KnowledgeSource> {
    return this.call<KnowledgeSource>('GET', url`/knowledge/sources/${sourceId}`, {}, options);
  }

  /**
   * Update a source.
   *
   * Replaces the fields in the body. A refresh that runs uses the new values from its next step on. A paused source is not refreshed. Set `paused` to false to refresh it again, on behalf of the credential that sends this request.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  update(sourceId: string, body: KnowledgeSourceUpdateRequest, options?: RequestOptions): ApiPromise<KnowledgeSource> {
    return this.call<KnowledgeSource>('PATCH', url`/knowledge/sources/${sourceId}`, { body }, options);
  }

  /**
   * Delete a source.
   *
   * Deletes the source, and cancels its refresh. The response is 202 with a job, which removes its pages and its documents. Wait for the job at its `Location`. With `keepDocuments=true`, the documents stay, and can be changed from now on.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409).
   */
  delete(sourceId: string, query?: KnowledgeSourcesDeleteQuery, options?: RequestOptions): ApiPromise<Job> {
    return this.call<Job>('DELETE', url`/knowledge/sources/${sourceId}`, { query }, options);
  }

  /**
   * List the pages of a source.
   *
   * Returns the pages in no particular order, each with its document, or why it could not be read.
   *
   * With a filter, a page of the list may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `knowledge:read`.
   */
  listPages(sourceId: string, query?: KnowledgeSourcesListPagesQuery, options?: RequestOptions): PagePromise<SourcePageList> {
    return this.pages<SourcePageList>(url`/knowledge/sources/${sourceId}/pages`, query, options);
  }

  /**
   * Refresh a source.
   *
   * Starts a job that requests the pages of the source, and stores what has changed. If such a job has not ended, the response is 200 with that job. Wait for the job at its `Location`.
   *
   * A page is gone if its server answers with 404 or 410, or if two refreshes find no link to it. Then its document is removed, as that of a page that now has the content of another page, or redirects to it. If more than half of the documents would be removed at once, they stay, and `unconfirmed` of the result has their number: send `confirm` to remove them. While a refresh without `confirm` runs, a request with `confirm` is 409 `refresh_running`.
   *
   * With `reread`, pages that have not changed are read again, too: after an upgrade of the service, its readers may find more in them (`extractedBy` of their documents). While a refresh without `reread` runs, a request with `reread` is 409 `refresh_running`.
   *
   * Requires the scope `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409), `refresh_running` (409), `source_paused` (409).
   */
  refresh(sourceId: string, body: KnowledgeSourceRefreshRequest = {}, options?: PostOptions): ApiPromise<Job> {
    return this.call<Job>('POST', url`/knowledge/sources/${sourceId}/refresh`, { body }, options);
  }
}

export class MeMethods extends Resource {
  /**
   * Get the calling credential.
   *
   * Returns the calling credential, an API key, a workload identity or an access token, and its permissions. Requires no scope. `GET /api-keys/me` returns all fields of a key, and `GET /usage` returns the limits.
   *
   * Requires any valid credential.
   */
  get(options?: RequestOptions): ApiPromise<Me> {
    return this.call<Me>('GET', url`/me`, {}, options);
  }
}

export class ModelsMethods extends Resource {
  /**
   * List models.
   *
   * Returns the models that avatars and evaluators may name, in the order of the operator. There are at most 50. The list is empty if the operator lists no models. Requires no scope.
   *
   * Requires any valid credential.
   */
  list(query?: ModelsListQuery, options?: RequestOptions): PagePromise<ModelList> {
    return this.pages<ModelList>(url`/models`, query, options);
  }
}

export class ProjectsMethods extends Resource {
  /**
   * List projects.
   *
   * Returns the current state, newest first.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `projects:read`.
   */
  list(query?: ProjectsListQuery, options?: RequestOptions): PagePromise<ProjectList> {
    return this.pages<ProjectList>(url`/projects`, query, options);
  }

  /**
   * Create a project.
   *
   * Creates an active project. A credential that is bound to projects cannot create projects.
   *
   * Requires the scope `projects:write`.
   *
   * Errors of this operation: `external_id_taken` (409).
   */
  create(body: ProjectCreateRequest, options?: PostOptions): ApiPromise<Project> {
    return this.call<Project>('POST', url`/projects`, { body }, options);
  }

  /**
   * Create or update a project by externalId.
   *
   * Creates a project with this externalId, or replaces the content of the existing project. An omitted field gets its default. The status does not change: an archived project stays archived. A deleted project has lost its externalId, so the request creates another project.
   *
   * You can repeat the request without an Idempotency-Key: it creates one project, and writes nothing if nothing has changed. A credential that is bound to projects cannot create projects. Percent-encode the externalId.
   *
   * Requires the scope `projects:write`.
   */
  put(externalId: string, body: ProjectPutRequest, options?: RequestOptions): ApiPromise<UpsertedProject> {
    return this.call<UpsertedProject>('PUT', url`/projects/by-external-id/${externalId}`, { body }, options);
  }

  /**
   * Get a project.
   *
   * Returns a project. A deleted project gets 404.
   *
   * Requires the scope `projects:read`.
   */
  get(projectId: string, options?: RequestOptions): ApiPromise<Project> {
    return this.call<Project>('GET', url`/projects/${projectId}`, {}, options);
  }

  /**
   * Update a project.
   *
   * Replaces the fields in the body. `metadata` replaces all pairs. Null removes a `description` or an `externalId`. In `settings`, only the fields in the body change. Set `status` to `archived` to archive the project, and to `active` to use it again.
   *
   * Requires the scope `projects:write`.
   *
   * Errors of this operation: `external_id_taken` (409).
   */
  update(projectId: string, body: ProjectUpdateRequest, options?: RequestOptions): ApiPromise<Project> {
    return this.call<Project>('PATCH', url`/projects/${projectId}`, { body }, options);
  }

  /**
   * Delete a project.
   *
   * Deletes the project. From this response on, requests to the project get 404, and its externalId is free. The project can be restored for 7 days. Then it is purged: everything below the project is removed. `GET …/purge` shows the progress.
   *
   * Requires the scope `projects:write`.
   */
  delete(projectId: string, options?: RequestOptions): ApiPromise<DeletedProject> {
    return this.call<DeletedProject>('DELETE', url`/projects/${projectId}`, {}, options);
  }

  /**
   * Get the purge of a deleted project.
   *
   * Everything below a deleted project is removed when the project can no longer be restored. This endpoint shows the due time, the progress and the end of this purge. The record is kept for 90 days after the end. A project that is not deleted gets 404.
   *
   * Requires the scope `projects:read`.
   */
  purge(projectId: string, options?: RequestOptions): ApiPromise<ProjectPurge> {
    return this.call<ProjectPurge>('GET', url`/projects/${projectId}/purge`, {}, options);
  }

  /**
   * Restore a deleted project.
   *
   * Restores a project within 7 days of its deletion, with the status and the externalId that it had. If another project has taken the externalId, the request gets 409 `external_id_taken`.
   *
   * Requires the scope `projects:write`.
   *
   * Errors of this operation: `external_id_taken` (409), `project_not_deleted` (409).
   */
  restore(projectId: string, options?: PostOptions): ApiPromise<Project> {
    return this.call<Project>('POST', url`/projects/${projectId}/restore`, {}, options);
  }

  /**
   * Get the usage of a project.
   *
   * Returns what the project has used on the current day (UTC). `GET /projects/{project_id}/usage/days` has other days, and says how they are counted. Quotas and limits are those of the organisation: `GET /usage`.
   *
   * Requires the scope `projects:read`.
   */
  usage(projectId: string, options?: RequestOptions): ApiPromise<ProjectUsage> {
    return this.call<ProjectUsage>('GET', url`/projects/${projectId}/usage`, {}, options);
  }

  /**
   * List the usage of a project by day.
   *
   * Returns what the project has used on each day (UTC), oldest day first. The range is extended to whole days. Days on which nothing was used are left out. Days are kept for 400 days.
   *
   * Whatever counts for the project counts for the organisation in the same transaction, so the days are as exact as those of `GET /usage/days`, which says how they are counted. The days of a project begin with the upgrade of the service that has introduced them.
   *
   * Requires the scope `projects:read`.
   */
  usageDays(projectId: string, query?: ProjectsUsageDaysQuery, options?: RequestOptions): ApiPromise<ProjectDailyUsage> {
    return this.call<ProjectDailyUsage>('GET', url`/projects/${projectId}/usage/days`, { query }, options);
  }
}

export class RepliesMethods extends Resource {
  /**
   * List the replies of a conversation.
   *
   * Returns the replies of the conversation, newest first, without their texts. Only a credential that may request a dry run sees the `passages` of one.
   *
   * Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential has created exist.
   */
  list(conversationId: string, query?: RepliesListQuery, options?: RequestOptions): PagePromise<ReplyList> {
    return this.pages<ReplyList>(url`/conversations/${conversationId}/replies`, query, options);
  }

  /**
   * Request a reply.
   *
   * Stores the message of the user, and requests an answer of the avatar: by the model of the avatar, with the persona and the knowledge of a deployment or of the draft. Read the answer with `GET …/replies/{reply_id}` or as a stream with `GET …/replies/{reply_id}/events`. It is stored once, as a message of the role `avatar`.
   *
   * A conversation without a deployment gets the deployment of its first reply. While a reply is `queued` or `running`, another is 409 `reply_running`. A model is never asked again after a failure that may have cost: the reply is `unknown` then, and `retryOf` asks again.
   *
   * If a message with this `clientMessageId` already has a reply, the response is that reply.
   *
   * Requires the scopes `conversations:write` and `deploy:read`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `avatar_archived` (409), `conversation_ended` (409), `conversation_not_test` (409), `deployment_mismatch` (409), `model_not_listed` (409), `no_model` (409), `nothing_served` (409), `project_archived` (409), `reply_not_retryable` (409), `reply_running` (409).
   */
  create(conversationId: string, body: ReplyCreateRequest = {}, options?: PostOptions): ApiPromise<Reply> {
    return this.call<Reply>('POST', url`/conversations/${conversationId}/replies`, { body }, options);
  }

  /**
   * Get a reply.
   *
   * Returns a reply with its text. While it is `queued` or `running`, send `nextAfter` as `after` to get the following text: with `waitSeconds`, the response is sent when there is more text, or when the reply has ended.
   *
   * A reply whose worker has stopped is `unknown` after 30 seconds.
   *
   * Requires the scope `conversations:read`. With `runtime:write`, only the conversations that the credential has created exist.
   */
  get(conversationId: string, replyId: string, query?: RepliesGetQuery, options?: RequestOptions): ApiPromise<Reply> {
    return this.call<Reply>('GET', url`/conversations/${conversationId}/replies/${replyId}`, { query }, options);
  }

  /**
   * Cancel a reply.
   *
   * Cancels a reply that is `queued` or `running`. Nothing more of it is stored. Cancelling a cancelled reply changes nothing; any other end is 409 `reply_ended`. The highest cost of a call that has begun stays counted.
   *
   * Requires the scopes `conversations:write` and `deploy:read`. With `runtime:write`, only the conversations that the credential has created exist.
   *
   * Errors of this operation: `project_archived` (409), `reply_ended` (409).
   */
  cancel(conversationId: string, replyId: string, options?: PostOptions): ApiPromise<ListedReply> {
    return this.call<ListedReply>('POST', url`/conversations/${conversationId}/replies/${replyId}/cancel`, {}, options);
  }
}

export class RolloutsMethods extends Resource {
  /**
   * Get the rollout of an environment.
   *
   * Returns the rollout that runs, or else the last one, with the comparison of its candidate and the current deployment. Only conversations with an `assignment` count, and each unit once, with its first conversation. Both sides are compared within spans of constant percent. The interval of each difference is a confidence sequence: it holds however often somebody looks.
   *
   * Requires the scope `deploy:read`.
   */
  get(name: string, options?: RequestOptions): ApiPromise<ComparedRollout> {
    return this.call<ComparedRollout>('GET', url`/environments/${name}/rollout`, {}, options);
  }

  /**
   * Start a rollout.
   *
   * A part of the units (usually users) gets another deployment of the environment, the candidate: with `percent`, until `complete` or `abort`, or in `steps`, which rise by themselves. A unit that has the candidate keeps it. Guards compare both deployments by scores, and end the rollout if the candidate harms.
   *
   * While a rollout runs, new deployments to the environment stay staged. A rollout in a pinned environment is allowed: its completion removes the pin.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `index_retired` (409), `nothing_served` (409), `project_archived` (409), `rollout_running` (409).
   */
  start(name: string, body: RolloutStartRequest, options?: PostOptions): ApiPromise<Rollout> {
    return this.call<Rollout>('POST', url`/environments/${name}/rollout`, { body }, options);
  }

  /**
   * Change a rollout.
   *
   * Raises the percent, pauses the rollout, or lets it go on. The percent only rises, so that a unit that has the candidate keeps it. Each change of the percent begins a span, and a rollout has at most 20. A rollout that goes on acts on behalf of the credential that sends this request. A breach that had paused it pauses it no more.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `project_archived` (409), `rollout_ended` (409), `rollout_only_forward` (409), `rollout_too_many_changes` (409), `version_mismatch` (412).
   */
  update(name: string, body: RolloutUpdateRequest, options?: IfMatchOptions): ApiPromise<Rollout> {
    return this.call<Rollout>('PATCH', url`/environments/${name}/rollout`, { body }, options);
  }

  /**
   * Abort a rollout.
   *
   * Ends the rollout: the environment serves its current deployment to everybody. It is not pinned, so the next deployment is promoted. A conversation that has begun keeps its deployment.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `project_archived` (409), `rollout_ended` (409), `version_mismatch` (412).
   */
  abort(name: string, body: RolloutAbortRequest = {}, options?: PostOptions & IfMatchOptions): ApiPromise<Rollout> {
    return this.call<Rollout>('POST', url`/environments/${name}/rollout/abort`, { body }, options);
  }

  /**
   * Advance a rollout.
   *
   * Begins the next step at once, in place of the rest of the present step, whatever the guards say. After the last step, the rollout completes: the candidate is promoted.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `project_archived` (409), `rollout_ended` (409), `rollout_paused` (409), `rollout_without_steps` (409), `version_mismatch` (412).
   */
  advance(name: string, body: RolloutAdvanceRequest = {}, options?: PostOptions & IfMatchOptions): ApiPromise<Rollout> {
    return this.call<Rollout>('POST', url`/environments/${name}/rollout/advance`, { body }, options);
  }

  /**
   * Complete a rollout.
   *
   * Promotes the candidate: the environment serves it to everybody, and is not pinned. The guards are not asked.
   *
   * Requires the scope `deploy:write`.
   *
   * Errors of this operation: `project_archived` (409), `rollout_ended` (409), `version_mismatch` (412).
   */
  complete(name: string, body: RolloutCompleteRequest = {}, options?: PostOptions & IfMatchOptions): ApiPromise<Rollout> {
    return this.call<Rollout>('POST', url`/environments/${name}/rollout/complete`, { body }, options);
  }

  /**
   * List the rollouts of an environment.
   *
   * Returns the rollouts of the environment, newest first, without their comparisons.
   *
   * Requires the scope `deploy:read`.
   */
  list(name: string, query?: RolloutsListQuery, options?: RequestOptions): PagePromise<RolloutList> {
    return this.pages<RolloutList>(url`/environments/${name}/rollouts`, query, options);
  }
}

export class UploadsMethods extends Resource {
  /**
   * Upload a file.
   *
   * Returns a link for a file. PUT the file to the link within 15 minutes: exactly `bytes` bytes, without a credential. Then send the `id` as `uploadId` within 12 hours: with the purpose `conversations` to `POST …/conversations/import-file`, with the purpose `knowledge` to `POST …/knowledge/documents` or `PUT …/knowledge/documents/by-external-id/{external_id}`.
   *
   * The purpose `knowledge` requires `knowledge:write`. The file is deleted when it has been read, and after a day at the latest.
   *
   * Requires the scope `conversations:write` or `knowledge:write`.
   *
   * Errors of this operation: `project_archived` (409), `secret_unavailable` (409), `too_many_uploads` (409).
   */
  create(body: UploadCreateRequest, options?: PostOptions): ApiPromise<Upload> {
    return this.call<Upload>('POST', url`/uploads`, { body }, options);
  }
}

export class UsageMethods extends Resource {
  /**
   * Get limits and usage.
   *
   * Returns the limits of the calling credential and of its organisation, for the mode of the credential, and the usage, even without a quota. Requires no scope. `used` is null for a key that is bound to projects, because the usage includes other projects.
   *
   * With a quota, `used` is exact. Without a quota, data that is stored in a day is counted within seconds: `countedThrough` is the time of the latest counted change. What models cost is always exact.
   *
   * Requires any valid credential.
   */
  get(options?: RequestOptions): ApiPromise<Usage> {
    return this.call<Usage>('GET', url`/usage`, {}, options);
  }

  /**
   * List usage by day.
   *
   * Returns what the organisation has used on each day (UTC), in the mode of the credential, oldest day first. The range is extended to whole days. Days on which nothing was used are left out. Days are kept for 400 days.
   *
   * Stored data is counted in the background, usually within seconds. The cost of models and exported records are counted by the transaction that settles or exports them. All are counted with and without quotas. Deletions and erasures do not lower the counts. Searches and other reads write nothing, so they are not counted: the access log has them.
   *
   * With `groupBy=project`, `projects` has the days of each project, page by page. The sums of all projects are the sums of the organisation, for the days after the upgrade that has introduced them.
   *
   * Requires no scope, and `groupBy` requires `projects:read`. A credential that is bound to projects is refused, because the usage includes other projects: use `GET /projects/{project_id}/usage/days`.
   *
   * Requires any valid credential.
   */
  days(query?: UsageDaysQuery, options?: RequestOptions): ApiPromise<DailyUsage> {
    return this.call<DailyUsage>('GET', url`/usage/days`, { query }, options);
  }
}

export class WebhooksMethods extends Resource {
  /**
   * List webhooks.
   *
   * Returns webhooks, newest first. A credential that is bound to projects gets only webhooks whose projects are all among its own projects.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `webhooks:read`.
   */
  list(query?: WebhooksListQuery, options?: RequestOptions): PagePromise<WebhookList> {
    return this.pages<WebhookList>(url`/webhooks`, query, options);
  }

  /**
   * Create a webhook.
   *
   * Creates a webhook, which sends events to a URL from now on, signed as in Standard Webhooks. An organisation can have 50 webhooks in each mode.
   *
   * Only this response shows the `secret`. To read it again, repeat the request with the same Idempotency-Key and the same credential.
   *
   * The receiver gets the data of all events of `eventTypes`. So the request requires the scopes that read this data, and 403 `insufficient_scope` names the missing scopes.
   *
   * Requires the scope `webhooks:write`.
   *
   * Errors of this operation: `secret_unavailable` (409), `too_many_webhooks` (409).
   */
  create(body: WebhookCreateRequest, options?: PostOptions): ApiPromise<WebhookWithSecret> {
    return this.call<WebhookWithSecret>('POST', url`/webhooks`, { body }, options);
  }

  /**
   * Get a webhook.
   *
   * Returns the webhook without its secret.
   *
   * Requires the scope `webhooks:read`.
   */
  get(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call<Webhook>('GET', url`/webhooks/${webhookId}`, {}, options);
  }

  /**
   * Update a webhook.
   *
   * Replaces the fields in the body. Null removes a `description`. With `projectIds` null, the webhook gets the events of all projects. Pending deliveries go to the new URL. While the webhook is `disabled`, events are not sent to it, and pending deliveries fail. Enable it again with `"disabled": false`. If the webhook was disabled with a key (`key_revoked`), rotate its secret before you enable it. Then, and if it has come back from a backup (`restored`), the webhook records the caller that enables it as the setter of its URL and its content.
   *
   * To set `url`, `eventTypes`, `projectIds` or `include`, the caller needs the scopes that read the data of all events of the webhook, before and after the change.
   *
   * Requires the scope `webhooks:write`.
   */
  update(webhookId: string, body: WebhookUpdateRequest, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call<Webhook>('PATCH', url`/webhooks/${webhookId}`, { body }, options);
  }

  /**
   * Delete a webhook.
   *
   * Deletes the webhook and its secret. A request that is already under way may still reach the receiver.
   *
   * Requires the scope `webhooks:write`.
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call<Webhook>('DELETE', url`/webhooks/${webhookId}`, {}, options);
  }

  /**
   * Recover missed events of a webhook.
   *
   * Sends again all failed deliveries of events since a time, and the events that were not sent because the webhook was disabled. The recovery runs in the background: `recovery` of the webhook shows when it has finished. Events are kept for 30 days.
   *
   * Requires the scope `webhooks:write`.
   *
   * Errors of this operation: `webhook_disabled` (409).
   */
  recover(webhookId: string, body: WebhookRecoverRequest, options?: PostOptions): ApiPromise<Webhook> {
    return this.call<Webhook>('POST', url`/webhooks/${webhookId}/recover`, { body }, options);
  }

  /**
   * Rotate a webhook's secret.
   *
   * Replaces the secret. Until `previousSecretExpiresAt`, requests have a signature with each of the two secrets, so that you can replace the old secret everywhere. While the old secret is valid, another rotation is refused (`previous_secret_valid`, with the end of the old secret in the details), unless `endPrevious` is true.
   *
   * A rotation needs the same scopes as a change of the URL: the scopes that read the data of the events, and for a webhook with messages `conversations:read`.
   *
   * Only this response shows the new `secret`. To read it again, repeat the request with the same Idempotency-Key and the same credential.
   *
   * Requires the scope `webhooks:write`.
   *
   * Errors of this operation: `previous_secret_valid` (409), `secret_unavailable` (409).
   */
  rotateSecret(webhookId: string, body: WebhookRotateSecretRequest = {}, options?: PostOptions): ApiPromise<WebhookWithSecret> {
    return this.call<WebhookWithSecret>('POST', url`/webhooks/${webhookId}/rotate-secret`, { body }, options);
  }

  /**
   * Test a webhook.
   *
   * Sends an event `webhook.test` only to this webhook, with any `eventTypes`. The `data` of the event is the webhook. The list of deliveries shows the response of the receiver.
   *
   * Requires the scope `webhooks:write`.
   *
   * Errors of this operation: `webhook_disabled` (409).
   */
  test(webhookId: string, options?: PostOptions): ApiPromise<Delivery> {
    return this.call<Delivery>('POST', url`/webhooks/${webhookId}/test`, {}, options);
  }
}

export class WebhooksDeliveriesMethods extends Resource {
  /**
   * List a webhook's deliveries.
   *
   * Returns the deliveries of 30 days, with their attempts, newest event first. The responses of the receiver (`body`) need the scope that reads the event, because a receiver may return the event. For a webhook with messages, they also need `conversations:read`.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `webhooks:read`.
   */
  list(webhookId: string, query?: WebhooksDeliveriesListQuery, options?: RequestOptions): PagePromise<DeliveryList> {
    return this.pages<DeliveryList>(url`/webhooks/${webhookId}/deliveries`, query, options);
  }

  /**
   * Send a delivery again.
   *
   * Sends the event again, with the same `webhook-id` and with new retries, in any status of the delivery. The event has its stored data. An erasure may have removed some of this data.
   *
   * Requires the scope `webhooks:write`.
   *
   * Errors of this operation: `webhook_disabled` (409).
   */
  redeliver(webhookId: string, deliveryId: string, options?: PostOptions): ApiPromise<Delivery> {
    return this.call<Delivery>('POST', url`/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`, {}, options);
  }
}

export class WorkloadIdentitiesMethods extends Resource {
  /**
   * List workload identities.
   *
   * Returns identities, newest first, including those that were deleted or expired in the last 30 days. A credential that is bound to projects gets only identities that are bound to the same projects or to some of them.
   *
   * With a selective filter, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.
   *
   * Requires the scope `api-keys:read`.
   */
  list(query?: WorkloadIdentitiesListQuery, options?: RequestOptions): PagePromise<WorkloadIdentityList> {
    return this.pages<WorkloadIdentityList>(url`/workload-identities`, query, options);
  }

  /**
   * Create a workload identity.
   *
   * Accepts OIDC tokens of another issuer in place of an API key, such as those that GitHub Actions gives to each run. A token must have the `issuer`, the `subject`, all `claims`, and the `audience` of the response as its only audience. Send it as `Authorization: Bearer`.
   *
   * The identity cannot have more scopes, projects or environments, wider addresses, a higher limit or a longer lifetime than the credential that creates it. Without `jwks`, the service reads the document of the issuer (`/.well-known/openid-configuration`) and its keys: if it cannot, the response is 400 with the reason.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `too_many_identities` (409).
   */
  create(body: WorkloadIdentityCreateRequest, options?: PostOptions): ApiPromise<WorkloadIdentity> {
    return this.call<WorkloadIdentity>('POST', url`/workload-identities`, { body }, options);
  }

  /**
   * Get a workload identity.
   *
   * Returns the identity. A deleted or expired identity is returned for 30 more days.
   *
   * Requires the scope `api-keys:read`.
   */
  get(identityId: string, options?: RequestOptions): ApiPromise<WorkloadIdentity> {
    return this.call<WorkloadIdentity>('GET', url`/workload-identities/${identityId}`, {}, options);
  }

  /**
   * Update a workload identity.
   *
   * Replaces the fields in the body, from the next request on. `status` `suspended` refuses all tokens until it is `active` again. The caller must have every scope of the identity. To change `issuer`, `subject`, `claims` or `jwks`, or to make the identity active, the caller must be able to create the identity as it is then. For all other fields, the rules of `PATCH /api-keys/{key_id}` apply. An identity cannot change itself. A deleted or expired identity cannot be changed.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `identity_ended` (409).
   */
  update(identityId: string, body: WorkloadIdentityUpdateRequest, options?: RequestOptions): ApiPromise<WorkloadIdentity> {
    return this.call<WorkloadIdentity>('PATCH', url`/workload-identities/${identityId}`, { body }, options);
  }

  /**
   * Delete a workload identity.
   *
   * Deletes the identity permanently. Every request with one of its tokens that starts after this response is refused. Deleting a deleted identity changes nothing. The caller must have every scope of the identity, unless the identity deletes itself.
   *
   * `children=true`, `force=true` and `dryRun=true` are as for `DELETE /api-keys/{key_id}`: with `children=true`, the response is 202, and everything ends that the identity has created or set with any of its tokens. `childrenRevocation` shows the progress.
   *
   * Requires the scope `api-keys:write`.
   *
   * Errors of this operation: `last_key` (409).
   */
  delete(identityId: string, query?: WorkloadIdentitiesDeleteQuery, options?: RequestOptions): ApiPromise<DeletedWorkloadIdentity> {
    return this.call<DeletedWorkloadIdentity>('DELETE', url`/workload-identities/${identityId}`, { query }, options);
  }
}
