/**
 * Descriptions of fields and parameters whose zod schema has none. They are here and not there because a function parses its
 * schemas in each cold start, and needs no descriptions.
 */

import type { Json } from './schemas.ts';

/** By `Schema.property`, or `operation.parameter` in the id's form. A star stands for any schema or operation. */
const fields: Readonly<Record<string, string>> = {
  '*.id': 'Identifies it.',
  '*.success': 'Whether the request succeeded.',
  '*.data': 'The result.',
  '*.createdAt': 'When it was created.',
  '*.updatedAt': 'When it was last changed.',
  '*.startedAt': 'When it started; null before.',
  '*.finishedAt': 'When it ended; null before.',
  '*.items': 'The items of the page.',
  '*.metadata': 'Your own data: names of up to 40 characters, values of up to 500.',
  '*.documentId': 'The document.',
  '*.conversationId': 'The conversation.',
  '*.messageId': 'The message.',
  '*.avatarId': 'The avatar.',
  '*.deploymentId': 'The deployment.',
  '*.externalId': 'Your own id of the resource. Null for none.',
  '*.source': 'The folder or system that it comes from. Null for none.',
  '*.description': 'The purpose of the project. Null for none.',
  '*.imageUrl': 'The https address of its image. Null for none.',
  '*.persona': 'Who it is and how it speaks.',
  '*.voice': 'Its voice. Null for none.',
  '*.reason': 'The reason, for people. Null for none.',
  '*.role': 'Who said it.',
  '*.at': 'When it was said.',
  '*.citations': 'The documents that the message is based on.',
  '*.clientMessageId':
    'Your own id of the message, unique in the conversation. A message that is sent again with the same id is stored once. ' +
    'Null for none.',
  '*.code': 'The reason, for programs.',
  '*.message': 'The reason, for people.',
  '*.title': 'The title of the document. Null for none.',
  '*.snippet': 'The cited text. Null for none.',
  '*.version': 'The version of the avatar.',
  '*.channel': 'Where it takes place, such as `web`. Null for none.',
  '*.externalUserId': 'Your own id of the user. Null for none.',
  '*Request.deploymentId': 'The deployment that the avatar runs in. Null for none.',
  '*Request.settings': 'The settings to set. Others keep their values.',
  'DeletedProject.settings': 'The settings of the project.',
  'Project.settings': 'The settings of the project.',
  'Usage.rateLimits': 'The limits of requests. Both apply.',
  'Usage.quotas': 'The quotas of the organisation in this mode.',
  'UpsertedAvatar.avatar': 'The avatar as it is stored.',
  'UpsertedConversation.conversation': 'The conversation as it is stored.',
  'UpsertedDocument.document': 'The document as it is stored.',
  'UpsertedProject.project': 'The project as it is stored.',
  'AuditEvent.outcome': 'Whether the request was refused.',
  'AuditEvent.resource': 'What was changed.',
  'AuditActor.kind': 'What kind of actor it is.',
  'AuditedResource.type': 'What kind of resource it is.',
  '*.event_id': 'The id of the event.',
  '*.project_id': 'The id of the project.',
  '*.key_id': 'The id of the API key.',
  '*.avatar_id': 'The id of the avatar.',
  '*.conversation_id': 'The id of the conversation.',
  '*.deployment_id': 'The id of the deployment.',
  '*.document_id': 'The id of the document.',
  '*.job_id': 'The id of the job.',
  '*.webhook_id': 'The id of the webhook.',
  '*.delivery_id': 'The id of the delivery.',
  'avatars.versions.get.version': 'The number of the version.',
  'ApiKey.projectIds': 'The projects that the key can access. Null for all.',
  'ApiKeyWithSecret.projectIds': 'The projects that the key can access. Null for all.',
  'ApiKey.allowedCidrs': 'The addresses from which the key may be used. Null for everywhere.',
  'ApiKeyWithSecret.allowedCidrs': 'The addresses from which the key may be used. Null for everywhere.',
  'ApiKeyCreateRequest.rateLimit': 'The limit of requests. Default: that of the creating key, or none.',
  'ApiKeyUpdateRequest.rateLimit': 'The limit of requests. Null for none.',
  'ApiKeyUpdateRequest.allowedCidrs': 'The addresses from which the key may be used. Null for everywhere.',
  'ChildrenRevocation.requestedAt': 'When it was last requested.',
  'ApiKey.revokedAt': 'When it was revoked. Null if it was not.',
  'ApiKeyWithSecret.revokedAt': 'When it was revoked. Null if it was not.',
  'ApiKey.status': 'Only an `active` key is accepted.',
  'ApiKeyWithSecret.status': 'Only an `active` key is accepted.',
  'AppendedMessages.messages': 'The messages as they are stored.',
  'Delivery.eventType': 'The type of the event.',
  'Delivery.status': '`pending` while attempts are left.',
  'Webhook.projectIds': 'Only events of these projects. Null for all events.',
  'WebhookWithSecret.projectIds': 'Only events of these projects. Null for all events.',
  'WebhookCreateRequest.projectIds':
    'Only events of these projects. Default: those of the creating credential, or null for all events, including those ' +
    'that belong to no project.',
  'WebhookUpdateRequest.projectIds': 'Only events of these projects. Null for all events.',
  'WebhookCreateRequest.disabled': 'Whether nothing is sent yet. Default: false.',
  'WebhookUpdateRequest.disabled': 'Whether nothing is sent.',
  'WebhookRecovery.since': 'Deliveries of events from then on are requested again.',
  'WebhookRecovery.requestedAt': 'When it was requested.',
  'AvatarUpdateRequest.status': 'Deployments include active avatars.',
  'Conversation.deploymentId': 'The deployment that the avatar runs in. Null for none.',
  'Conversation.endedAt': 'When it ended. Null while it is active.',
  'Conversation.messageCountByRole': 'The number of messages, by who said them.',
  'Conversation.startedAt': 'When it started. Lists sort by it.',
  'Conversation.status': 'An `active` conversation accepts messages.',
  'ConversationAppendRequest.messages': 'The messages, in order.',
  'ConversationImportRequest.conversations': 'The conversations with their messages.',
  'ImportedConversations.results': 'What was done with each conversation.',
  'ConversationStats.items': 'The counts of each day, avatar or channel.',
  'ConversationStats.totals': 'The counts of the whole range.',
  'KnowledgeDocument.externalId': 'Your own id of the document, unique within its source. Null for none.',
  'KnowledgeDocumentUpdateRequest.externalId':
    'Your own id of the document, unique within its source. Null for none.',
  'Environment.rollback': 'The rollback that pinned the environment.',
  'EnvironmentConfig.deploymentId': 'The deployment that the environment serves.',
  'ErasedConversation.erasedAt': 'When it was erased.',
  'ErasedConversation.status': 'Always `erased`.',
  'Failure.message': 'What failed, for people.',
  'Failure.code': 'What failed, for programs.',
  'HealthStatus.database': 'Whether the database responds.',
  'HealthStatus.status': 'Whether the service responds.',
  'HealthStatus.version': 'The version of the service.',
  'DeploymentWarning.code': 'What is not included.',
  'Job.type': 'What the job does.',
  'Job.progress': 'How much of the work is done.',
  'Job.status': '`succeeded`, `failed` and `cancelled` are final.',
  'OpenApi.openapi': 'The version of the OpenAPI Specification.',
  'ProjectPurge.projectId': 'The project.',
  'ProjectUpdateRequest.status': '`archived` makes the project read-only, `active` ends that.',
  'Rollback.at': 'When it was rolled back.',
  'SearchResult.items': 'The matches, best first.',
  'UpsertedDocuments.results': 'The results, in the order of the documents.',
  'Voice.provider': 'The provider of the voice.',
  'Voice.voiceId': "The provider's id of the voice.",
  'NewVoice.provider': 'The provider of the voice.',
  'NewVoice.voiceId': "The provider's id of the voice.",
};

/** Of named schemas that have none of their own. */
const schemas: Readonly<Record<string, string>> = {
  ChildrenRevocation: 'The revocation of the keys that a key created, and of theirs.',
  ApiKeyStatus: 'Whether the key is accepted.',
  AppendedMessage: 'A message, and whether it was already stored.',
  AuditActor: 'Who did it.',
  AuditOutcome: 'Whether the request was refused.',
  AuditedChanges: 'What has changed.',
  AuditedResource: 'What was changed.',
  AuditedValues: 'The values of fields, by name.',
  AvatarStatus: 'Deployments include active avatars.',
  ConversationStatsItem: 'The counts of a day, an avatar or a channel.',
  ConversationStatsTotals: 'The counts of the whole range.',
  ConversationStats: 'Counts of conversations and messages.',
  ConversationStatus: 'An active conversation accepts messages.',
  DeliveryError: 'Why an attempt led to no usable response.',
  DeliveryStatus: '`pending` while attempts are left.',
  DisabledReason: 'Why nothing is sent.',
  WebhookRecovery: 'What a webhook has missed is sent again.',
  DeployedAvatar: 'An avatar in a deployment.',
  DeploymentPhase: 'Whether the deployment is served.',
  DeploymentWarning: 'What is stored but not included in the deployment.',
  DocumentProblem: 'A document that was not indexed completely, and why.',
  DocumentStatus: 'Whether the index includes the latest version of the document.',
  Failure: 'Why something failed.',
  FrozenAvatar: 'An avatar as it is served.',
  GitCommit: 'The deployed commit.',
  HealthStatus: 'The state of the service.',
  JobProgress: 'How much of the work is done.',
  ExportContent: 'What an export contains.',
  ExportCounts: 'What is exported so far.',
  JobStatus: 'The state of a job. `succeeded`, `failed` and `cancelled` are final.',
  Message: 'A message of a conversation.',
  MessageCountByRole: 'The number of messages, by who said them.',
  MessageRole: 'Who said it.',
  Metadata: 'Your own data: names of up to 40 characters, values of up to 500.',
  MimeType: 'The format of the content.',
  Mode: 'Live and test data are separate.',
  NewCitation: 'A document that the message is based on.',
  NewGitCommit: 'The commit to deploy.',
  NewKnowledgeDocument: 'A complete document.',
  NewMessage: 'A message to store.',
  NewPersona: 'Who the avatar is and how it speaks.',
  NewVoice: 'The voice of an avatar.',
  OpenApi: 'An OpenAPI document.',
  Persona: 'Who the avatar is and how it speaks.',
  PersonaChange: 'The fields to change. Others keep their values.',
  ProjectSettings: 'The settings of a project.',
  ProjectSettingsChange: 'The settings to set. Others keep their values, initially the defaults.',
  Quota: 'A quota, and what is used of it.',
  RateLimitPeriod: 'A second, a minute or an hour.',
  ProjectStatus: 'An archived project is read-only.',
  PurgeStatus: 'The state of a purge.',
  RequestOrigin: 'Where a request came from.',
  Rollback: 'A rollback of an environment.',
  TextSpan: 'A part of a text.',
  Transcript: 'Messages of a conversation, in order.',
  ImportedConversation: 'A conversation with its messages, as it is imported.',
  ImportedConversationResult: 'What was done with a conversation.',
  ImportedMessage: 'A message, as it is imported.',
  ImportOutcome: 'What an import did.',
  UpsertOutcome: 'What an upsert did.',
  Voice: 'The voice of an avatar.',
};

/** @returns the description of a property or parameter without one of its own */
export function fieldDescription(owner: string, name: string): string | undefined {
  const ofRequest = owner.endsWith('Request') ? fields[`*Request.${name}`] : undefined;
  return fields[`${owner}.${name}`] ?? ofRequest ?? fields[`*.${name}`];
}

/** @returns the schema, in which it and each of its properties has a description, if there is one */
export function describeSchema(name: string, schema: Json): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([field, value]) => [field, described(value, fieldDescription(name, field))],
  );
  return {
    ...described(schema, schemas[name] ?? (name.endsWith('List') ? 'A page of a list.' : undefined)),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}

function described(schema: Json, fallback: string | undefined): Json {
  const { description = fallback, ...rest } = schema;
  const values = schema['x-extensible-enum'] as string[] | undefined;
  if (description === undefined) return schema;
  // Tools that do not know the extension show the values too.
  const list = values
    ? ` Values: ${values.map((value) => `\`${value}\``).join(', ')}. More may be added.`
    : '';
  return { description: `${description}${list}`, ...rest };
}
