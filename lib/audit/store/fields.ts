/**
 * This is the only list of the fields that the audit log has of each kind of resource. A field of the public schemas is in
 * exactly one of the three groups (a test checks it). Attributes that no schema shows, such as the hash of a secret, are never
 * looked at.
 */

import { isDeepStrictEqual } from 'node:util';
import { environments, showEnvironment } from '../../avatars/deployments/store/environments.ts';
import type { TableName } from '../../dynamodb/tables.ts';
import type { Item } from '../../dynamodb/write.ts';
import type { ResourceType } from '../schema.ts';
import { wasChangedAs } from '../stated.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Logged = {
  type: ResourceType;
  /** These fields are logged with their values before and after a change. */
  values: readonly string[];
  /** Only a part of these values is logged. */
  shorten?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** These fields are logged without their values. */
  names: readonly string[];
  /** The service sets these fields itself. If a worker changes only these fields, nothing is logged. */
  kept: readonly string[];
  /** @returns the fields, if the attributes of the item are not the fields */
  fields?: (item: Item) => Fields;
  /** @returns the item before a move to this partition: the stream record of the put has only the item after the move */
  beforeMove?: (moved: Item, place: string) => Item | undefined;
  /** @returns the id of the resource to which an item that is no resource belongs */
  owner?: (item: Item) => string;
};

const times = ['createdAt', 'updatedAt', 'createdBy'];

/**
 * The part of a webhook's URL that logs may show. The query often has a secret of the receiver.
 * @param url valid; a log may also have null, for no URL
 * @returns the origin and the path
 */
export function loggedUrl(url: unknown): unknown {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const apiKey: Logged = {
  type: 'api_key',
  values: [
    'name',
    'scopes',
    'projectIds',
    'environments',
    'allowedCidrs',
    'rateLimit',
    'mode',
    'expiresAt',
    'revokedAt',
    'previousSecretExpiresAt',
  ],
  // The log only says that there is a new secret.
  names: ['hint'],
  kept: ['id', 'status', 'createdAt', 'createdBy', 'childrenRevocation', 'lastUsedAt', 'lastUsedFrom'],
  fields: ({ previousSecret, ...rest }) => ({
    ...rest,
    previousSecretExpiresAt: (previousSecret as Fields | undefined)?.expiresAt,
  }),
};

const workloadIdentity: Logged = {
  type: 'workload_identity',
  values: [
    'name',
    'issuer',
    'subject',
    'claims',
    'scopes',
    'projectIds',
    'environments',
    'allowedCidrs',
    'rateLimit',
    'expiresAt',
    'status',
    'deletedAt',
  ],
  names: ['jwks'],
  // The audience has only the tenant and the id.
  kept: ['id', 'audience', 'childrenRevocation', 'lastUsedAt', 'lastUsedFrom', ...times],
  fields: ({ revokedAt, ...rest }) => ({ ...rest, deletedAt: revokedAt }),
};

const project: Logged = {
  type: 'project',
  values: ['externalId', 'name', 'description', 'metadata', 'settings', 'status'],
  names: [],
  kept: ['id', ...times],
  beforeMove(moved, place) {
    if (place === 'deleted') return { ...moved, status: moved.restoresTo };
    return wasChangedAs(moved, 'project.restored') ? { ...moved, status: 'deleted' } : undefined;
  },
};

const avatar: Logged = {
  type: 'avatar',
  values: [
    'externalId',
    'name',
    'status',
    'version',
    'voice',
    'imageUrl',
    'knowledgeTags',
    'model',
    'metadata',
    'persona.language',
  ],
  names: ['persona.prompt', 'persona.greeting', 'runtime'],
  kept: ['id', ...times],
  fields({ persona, ...rest }) {
    const entries = Object.entries((persona ?? {}) as Fields);
    return { ...rest, ...Object.fromEntries(entries.map(([name, value]) => [`persona.${name}`, value])) };
  },
};

const knowledgeDocument: Logged = {
  type: 'knowledge_document',
  values: [],
  names: [
    'title',
    'source',
    'externalId',
    'url',
    'mimeType',
    'bytes',
    'contentSha256',
    'fileSha256',
    'fileMimeType',
    'tags',
    'metadata',
    'extraction',
    'ignored',
  ],
  kept: [
    'id',
    'status',
    'error',
    'extractionError',
    'extractionNotes',
    'extractedBy',
    'indexVersion',
    ...times,
  ],
};

const knowledgeSource: Logged = {
  type: 'knowledge_source',
  values: [
    'type',
    'url',
    'include',
    'exclude',
    'maxPages',
    'maxDepth',
    'tags',
    'refresh',
    'reindex',
    'paused',
    'pausedReason',
  ],
  shorten: { url: loggedUrl },
  names: ['lastRefresh'],
  // These fields follow from the others.
  kept: ['id', 'jobId', 'nextRefreshAt', 'setBy', 'health', ...times],
};

const job: Logged = {
  type: 'job',
  values: ['type', 'status'],
  names: ['result', 'error'],
  kept: [
    'id',
    'progress',
    'failures',
    'warnings',
    'createdAt',
    'createdBy',
    'startedAt',
    'finishedAt',
    'deadlineAt',
    'environments',
  ],
};

const upload: Logged = {
  type: 'upload',
  values: ['bytes', 'purpose', 'jobId', 'documentId'],
  names: [],
  // The link is never stored.
  kept: ['id', 'url', 'expiresAt'],
};

const deployment: Logged = {
  type: 'deployment',
  values: ['environment', 'phase', 'git', 'reason', 'promotedFrom', 'knowledgeIndexVersion', 'avatars'],
  names: ['configHash'],
  kept: ['id', 'createdAt', 'createdBy', 'promotedAt'],
};

const environment: Logged = {
  type: 'environment',
  values: ['current', 'previous', 'pinned', 'rollback', 'rollout', 'knowledgeIndexVersion'],
  names: [],
  kept: ['name', 'createdAt', 'updatedAt'],
  fields(item) {
    const environment = environments.read(item);
    // An expunge replaces the index of the current deployment.
    const { knowledgeIndexVersion = null } = environment.serves ?? {};
    return { ...showEnvironment(environment), rollout: environment.rollout?.id, knowledgeIndexVersion };
  },
};

const rollout: Logged = {
  type: 'rollout',
  values: [
    'environment',
    'deploymentId',
    'currentDeploymentId',
    'status',
    'percent',
    'reason',
    'steps',
    'guards',
    'onBreach',
    'breach',
  ],
  names: [],
  // These fields follow from the others, or from the time.
  kept: [
    'id',
    'since',
    'by',
    'span',
    'step',
    'spans',
    'holdUntil',
    'history',
    'comparison',
    'endedAt',
    'version',
    ...times,
  ],
};

const conversation: Logged = {
  type: 'conversation',
  values: [],
  names: [
    'avatarId',
    'externalId',
    'externalUserId',
    'channel',
    'tags',
    'metadata',
    'deploymentId',
    'assignment',
    'counted',
    'test',
    'status',
    'startedAt',
    'endedAt',
    'endReason',
    'messageCount',
    // The scores are in a traced helper.
    'scores',
  ],
  kept: [
    'id',
    'messageCountByRole',
    'durationSeconds',
    'firstMessageAt',
    'lastMessageAt',
    'lastActivityAt',
    ...times,
  ],
};

const evaluator: Logged = {
  type: 'evaluator',
  values: ['name', 'kind', 'output', 'appliesTo', 'status', 'paused', 'pausedReason', 'version'],
  names: ['description', 'rule', 'model'],
  kept: ['id', 'setBy', ...times],
};

const webhook: Logged = {
  type: 'webhook',
  values: [
    'url',
    'eventTypes',
    'scopes',
    'projectIds',
    'include',
    'description',
    'disabled',
    'disabledReason',
    'secretCreatedAt',
    'previousSecretExpiresAt',
  ],
  shorten: { url: loggedUrl },
  names: ['recovery'],
  // The setters are not logged, because an event names its actor. Attempts change the health, not callers.
  kept: ['id', ...times, 'urlSetBy', 'contentSetBy', 'secretSetBy', 'health'],
};

/** The log has of a delivery which event was requested again. */
const delivery: Logged = {
  type: 'webhook',
  values: ['delivery'],
  names: [],
  kept: ['id', 'eventId', 'eventType', 'status', 'attempts', 'nextAttemptAt', 'createdAt'],
  fields: ({ id, eventId, eventType }) => (eventId ? { delivery: { id, eventId, eventType } } : {}),
  owner: ({ tenant }) => tenant.split('#').at(-1) ?? '',
};

const organisation: Logged = {
  type: 'organisation',
  values: ['name', 'suspendedAt', 'deletionBeganAt'],
  names: [],
  kept: ['id', 'createdAt'],
};

const byTable: { readonly [Table in TableName]?: (place: string) => Logged } = {
  organisations: () => organisation,
  apiKeys: (id) => (id.startsWith('wid_') ? workloadIdentity : apiKey),
  projects: () => project,
  avatars: () => avatar,
  knowledge: (id) => (id.startsWith('src_') ? knowledgeSource : knowledgeDocument),
  jobs: (id) => (id.startsWith('upl_') ? upload : job),
  deployments: (id) => (id.startsWith('dep_') ? deployment : id.startsWith('rol_') ? rollout : environment),
  conversations: (id) => (id.startsWith('eval_') ? evaluator : conversation),
  webhooks: () => webhook,
  deliveries: () => delivery,
};

/** The tables with resources or traced helpers. */
export const auditedTables = Object.keys(byTable) as TableName[];

/** @returns the logged fields of the resource or traced helper with this id; undefined for a table without them */
export const loggedOf = (table: TableName, id: string): Logged | undefined => byTable[table]?.(id);

/** The values of these types of resources are shortened. */
const shortened: { readonly [Type in ResourceType]?: Logged['shorten'] } = {
  webhook: webhook.shorten,
  knowledge_source: knowledgeSource.shorten,
};

/** @returns the values as they may be logged. A second call changes nothing */
export function loggedValues(type: ResourceType, values: Fields): Record<string, unknown> {
  const shorten = shortened[type] ?? {};
  const entries = Object.entries(values).map(([name, value]) => {
    const short = shorten[name];
    return [name, short ? short(value) : value];
  });
  return Object.fromEntries(entries);
}

/** @returns the fields before and after a change, and the names of those that have changed */
export function changedFields(
  { values, names, fields: fieldsOf = (item) => item }: Logged,
  before: Item | undefined,
  after: Item,
): { old: Fields; current: Fields; names: string[] } {
  const [old, current] = [before ? fieldsOf(before) : {}, fieldsOf(after)];
  const changed = [...values, ...names].filter(
    (name) => !isDeepStrictEqual(old[name] ?? null, current[name] ?? null),
  );
  return { old, current, names: changed };
}
