/**
 * Names for the objects and enums inside other schemas. Generators make a type of each schema; without a name, they make one
 * per place, and name it after the place.
 */

import type { Json } from './schemas.ts';

/** By `Schema.property`, with `[]` for the items of a list. A star stands for any schema, `*Request` for any request body. */
const names: Readonly<Record<string, string>> = {
  '*.metadata': 'Metadata',
  '*.role': 'MessageRole',
  '*.mimeType': 'MimeType',
  '*.error': 'Failure',
  '*.persona': 'Persona',
  '*.voice': 'Voice',
  '*.git': 'GitCommit',
  '*.phase': 'DeploymentPhase',
  '*Request.voice': 'NewVoice',
  '*Request.git': 'NewGitCommit',
  '*Request.settings': 'ProjectSettingsChange',
  'ApiKey.mode': 'Mode',
  'ApiKeyWithSecret.mode': 'Mode',
  'ApiKey.status': 'ApiKeyStatus',
  'ApiKey.childrenRevocation': 'ChildrenRevocation',
  'ApiKeyWithSecret.childrenRevocation': 'ChildrenRevocation',
  'ApiKeyWithSecret.status': 'ApiKeyStatus',
  'api-keys.list.status': 'ApiKeyStatus',
  'AppendedMessages.messages[]': 'AppendedMessage',
  'AuditEvent.actor': 'AuditActor',
  'AuditEvent.outcome': 'AuditOutcome',
  'AuditedChanges.before': 'AuditedValues',
  'AuditedChanges.after': 'AuditedValues',
  'AuditEvent.resource': 'AuditedResource',
  'AuditEvent.changes': 'AuditedChanges',
  'AuditEvent.origin': 'RequestOrigin',
  'Export.counts': 'ExportCounts',
  'Export.status': 'JobStatus',
  'Export.what': 'ExportContent',
  'Export.format': 'ExportFormat',
  'Avatar.status': 'AvatarStatus',
  'AvatarVersion.status': 'AvatarStatus',
  'AvatarUpdateRequest.status': 'AvatarStatus',
  'avatars.list.status': 'AvatarStatus',
  'AvatarCreateRequest.persona': 'NewPersona',
  'AvatarPutRequest.persona': 'NewPersona',
  'AvatarUpdateRequest.persona': 'PersonaChange',
  'Conversation.messageCountByRole': 'MessageCountByRole',
  'Conversation.status': 'ConversationStatus',
  'conversations.list.status': 'ConversationStatus',
  'conversations.search.status': 'ConversationStatus',
  'ConversationAppendRequest.messages[]': 'NewMessage',
  'ConversationImportRequest.conversations[]': 'ImportedConversation',
  'ImportedConversation.messages[]': 'ImportedMessage',
  'ImportedConversations.results[]': 'ImportedConversationResult',
  'ImportedConversationResult.outcome': 'ImportOutcome',
  'ImportedMessage.citations[]': 'NewCitation',
  'ConversationStats.items[]': 'ConversationStatsItem',
  'ConversationStats.totals': 'ConversationStatsTotals',
  'DeletedProject.status': 'ProjectStatus',
  'Delivery.attempts[]': 'DeliveryAttempt',
  'Delivery.status': 'DeliveryStatus',
  'DeliveryAttempt.error': 'DeliveryError',
  'webhooks.deliveries.list.status': 'DeliveryStatus',
  'Deployment.avatars[]': 'DeployedAvatar',
  'NewDeployment.avatars[]': 'DeployedAvatar',
  'NewDeployment.warnings[]': 'DeploymentWarning',
  'deployments.list.phase': 'DeploymentPhase',
  'Environment.rollback': 'Rollback',
  'EnvironmentConfig.avatars[]': 'FrozenAvatar',
  'Job.status': 'JobStatus',
  'jobs.list.status': 'JobStatus',
  'Job.progress': 'JobProgress',
  'Job.failures[]': 'DocumentProblem',
  'Job.warnings[]': 'DocumentProblem',
  'KnowledgeDocument.status': 'DocumentStatus',
  'knowledge.documents.list.status': 'DocumentStatus',
  'KnowledgeDocumentBatchRequest.documents[]': 'NewKnowledgeDocument',
  'MessageHit.matches[]': 'TextSpan',
  'NewMessage.citations[]': 'NewCitation',
  'Project.status': 'ProjectStatus',
  'ProjectPurge.status': 'PurgeStatus',
  'UpsertedAvatar.outcome': 'UpsertOutcome',
  'UpsertedConversation.outcome': 'UpsertOutcome',
  'UpsertedDocument.outcome': 'UpsertOutcome',
  'UpsertedProject.outcome': 'UpsertOutcome',
  'Usage.mode': 'Mode',
  'UsageQuotas.documents': 'Quota',
  'UsageQuotas.bytes': 'Quota',
  'UsageQuotas.conversations': 'Quota',
  'UsageQuotas.messages': 'Quota',
  'UsageQuotas.jobs': 'Quota',
  'UsageQuotas.waits': 'Quota',
  'RateLimit.per': 'RateLimitPeriod',
  'Webhook.recovery': 'WebhookRecovery',
  'WebhookWithSecret.recovery': 'WebhookRecovery',
  'Webhook.disabledReason': 'DisabledReason',
  'WebhookWithSecret.disabledReason': 'DisabledReason',
};

/** Enums in responses that may get more values. As open lists, they do not make a generated client fail on an unknown value. */
const openEnums = [
  'DeploymentWarning.code',
  'Job.type',
  'AuditEvent.reason',
  'AuditActor.kind',
  'AuditedResource.type',
];

/** What belongs to the place, and not to the named schema. */
const ofThePlace = ['description', 'examples', 'default'];

/**
 * Moves each nested object, and each enum that has a name, to the components.
 * @param owner the schema's name, or the operation's for a parameter
 * @returns the schema with references
 * @throws Error if an object has no name, or if one name stands for two schemas
 */
export function nameNested(owner: string, schema: Json, components: Record<string, Json>): Json {
  if (schema.type !== 'object') return namePlace(owner, schema, components);
  return { ...schema, ...nameMembers(owner, schema, components) };
}

function nameMembers(owner: string, { properties }: Json, components: Record<string, Json>): Json {
  if (!properties) return {};
  const named = Object.entries(properties as Record<string, Json>).map(([property, schema]) => [
    property,
    namePlace(`${owner}.${property}`, schema, components),
  ]);
  return { properties: Object.fromEntries(named) };
}

function namePlace(place: string, schema: Json, components: Record<string, Json>): Json {
  if (schema.items) {
    return { ...schema, items: namePlace(`${place}[]`, schema.items as Json, components) };
  }
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, anyOf: schema.anyOf.map((one) => namePlace(place, one, components)) };
  }
  if (openEnums.includes(place)) {
    const { enum: values, ...rest } = schema;
    return { ...rest, 'x-extensible-enum': values };
  }
  const isObject = schema.type === 'object';
  const name = isObject || schema.enum ? nameAt(place) : undefined;
  if (name === undefined) {
    if (isObject) throw new Error(`scripts/openapi/names.ts has no name for ${place}`);
    return schema;
  }
  const entries = Object.entries(schema);
  const content = Object.fromEntries(entries.filter(([key]) => !ofThePlace.includes(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => ofThePlace.includes(key)));
  const named = isObject ? nameNested(name, content, components) : content;
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(named)) {
    throw new Error(`scripts/openapi/names.ts names two different schemas ${name}: one is at ${place}`);
  }
  components[name] = named;
  return { $ref: `#/components/schemas/${name}`, ...rest };
}

function nameAt(place: string): string | undefined {
  const property = place.slice(place.lastIndexOf('.'));
  const isRequest = /Request\.[^.]+$/.test(place);
  return names[place] ?? (isRequest ? names[`*Request${property}`] : undefined) ?? names[`*${property}`];
}
