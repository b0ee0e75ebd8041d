/**
 * How the items of earlier versions of the service become items of this version, which reads no others. Each rule is a pure
 * function, and keeps an item that has its form. A new rule lets lib/ require an attribute that stored items may lack.
 */

import type { AuditEvent } from '../../lib/audit/schema.ts';
import { loggedUrl, loggedValues } from '../../lib/audit/store/fields.ts';
import { credentialIn } from '../../lib/base/caller.ts';
import type { Scope } from '../../lib/base/scopes.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { scopesOfEvent } from '../../lib/events/scopes.ts';
import { dayOf, ttlOfDay } from '../../lib/limits/store/day-sums.ts';
import { addOnDay } from '../../lib/limits/store/day-uses.ts';
import { maxUrlLength } from '../../lib/network/url-form.ts';
import { defaultSettings } from '../../lib/projects/store.ts';
import { settersOfNewWebhook } from '../../lib/webhooks/rules/grants.ts';

type Attributes = Readonly<Record<string, unknown>>;

type Rule = {
  table: TableName;
  /** The partition key without organisation and mode. */
  place: RegExp;
  id: RegExp;
  /** @returns attributes as this version stores them, from an item of any version */
  upgrade(item: Item): Attributes;
  /** @returns a line about a rewritten item for the operator */
  note?(before: Item): string | undefined;
};

const project = /^proj_\w+$/;

/** An item that is older than daily counts counts from its next content on. */
const dayUsesOf = ({ dayUses, createdAt }: Item) => dayUses ?? addOnDay(undefined, {}, `${createdAt}`);

/** The endpoints that stated an event before their items had the stamp `changedAs`. */
const statedBy: Attributes = {
  'projects.restore': 'project.restored',
  'deployments.rollback': 'deployment.rolled_back',
};
const statedOf = ({ changedAs, changedThrough }: Item): Attributes => {
  const stated = changedAs ?? statedBy[`${changedThrough}`];
  return stated === undefined ? {} : { changedAs: stated };
};

/** @returns the URL as the parser writes it, unless it gets too long */
function normalUrl(url: unknown): unknown {
  const { href } = new URL(`${url}`);
  return href.length > maxUrlLength ? url : href;
}

/** What events needed before webhooks stored the scopes of their setters. Such a webhook keeps its types. */
const scopesBefore: readonly Scope[] = [
  'api-keys:read',
  'projects:read',
  'avatars:read',
  'knowledge:read',
  'conversations:read',
  'deploy:read',
  'webhooks:read',
  'audit:read',
];

function upgradeChanges({ changes, resource }: Item): unknown {
  if (!changes) return changes;
  const { before, after, ...rest } = changes as NonNullable<AuditEvent['changes']>;
  const { type } = resource as AuditEvent['resource'];
  return {
    ...rest,
    before: before && loggedValues(type, before),
    after: after && loggedValues(type, after),
  };
}

const rules: readonly Rule[] = [
  {
    table: 'apiKeys',
    place: /^$/,
    id: /^(key|wid)_/,
    upgrade: ({ childrenRevocation }) =>
      childrenRevocation ? { childrenRevocation: { webhookIds: [], ...childrenRevocation } } : {},
  },
  {
    table: 'projects',
    place: /^(deleted)?$/,
    id: /^proj_/,
    upgrade: (item) => ({
      externalId: item.externalId ?? null,
      settings: { ...defaultSettings, ...(item.settings as object) },
      ...statedOf(item),
    }),
  },
  {
    table: 'avatars',
    place: project,
    id: /^avtr_/,
    upgrade: ({ externalId = null }) => ({ externalId }),
  },
  { table: 'deployments', place: /^proj_\w+(#environments)?$/, id: /./, upgrade: statedOf },
  {
    table: 'conversations',
    place: project,
    id: /^conv_/,
    upgrade: (item) => ({ externalId: item.externalId ?? null, dayUses: dayUsesOf(item) }),
  },
  {
    table: 'messages',
    place: /^proj_\w+#conv_\w+$/,
    id: /^\d+$/,
    upgrade: ({ citations = [] }) => ({
      citations: (citations as readonly Attributes[]).map((one) => ({ ...one, page: one.page ?? null })),
    }),
  },
  {
    table: 'conversationStats',
    place: /^proj_\w+#counted#/,
    id: /^conv_/,
    // It is counted in no sum of a deployment yet.
    upgrade: ({ deploymentId = null }) => ({ deploymentId }),
  },
  {
    table: 'knowledge',
    place: project,
    id: /^kdoc_/,
    upgrade: (item) => {
      const {
        source = null,
        extraction = null,
        extractionError = null,
        fileSha256 = null,
        ignored = false,
      } = item;
      return { source, extraction, extractionError, fileSha256, ignored, dayUses: dayUsesOf(item) };
    },
  },
  {
    table: 'knowledge',
    place: /^proj_\w+#sources$/,
    id: /^src_/,
    upgrade: ({ url }) => ({ url: normalUrl(url) }),
  },
  {
    table: 'jobs',
    place: project,
    id: /^job_/,
    upgrade: ({ after = null, type, result = null }) => ({
      after,
      ...(type === 'knowledge.reindex' &&
        result !== null && { result: { mode: 'lexical', ...(result as object) } }),
    }),
  },
  {
    table: 'jobs',
    place: /^proj_\w+#uploads$/,
    id: /^upl_/,
    upgrade: ({ purpose = 'conversations' }) => ({ purpose }),
  },
  {
    table: 'limits',
    place: /^usage$/,
    id: /#modelCostUsd$/,
    // Earlier versions kept it for two days.
    upgrade: ({ id }) => ({ ttl: ttlOfDay(dayOf(id)) }),
  },
  {
    table: 'webhooks',
    place: /^$/,
    id: /^whk_/,
    upgrade: (item) => {
      const setters = settersOfNewWebhook(credentialIn(`${item.createdBy}`));
      const { urlSetBy, contentSetBy, secretSetBy, scopes = scopesBefore } = { ...setters, ...item };
      return { urlSetBy, contentSetBy, secretSetBy, scopes, url: normalUrl(item.url) };
    },
    note: ({ scopes, tenant, id, createdAt, createdBy, eventTypes, url }) =>
      scopes
        ? undefined
        : ['without scopes', tenant, id, createdAt, createdBy, `${eventTypes}`, loggedUrl(url)].join('  '),
  },
  {
    table: 'deliveries',
    place: /^whk_\w+$/,
    id: /^dlv_/,
    upgrade: ({ scopes, eventType }) => ({ scopes: scopes ?? scopesOfEvent(`${eventType}`) }),
  },
  {
    table: 'audit',
    place: /^$/,
    id: /^aud_/,
    upgrade: (item) => ({
      actor: { subject: null, ...(item.actor as object) },
      // It may show more of a URL than is logged now.
      changes: upgradeChanges(item),
    }),
  },
];

/** The tables that may have items of earlier versions. */
export const upgradedTables: readonly TableName[] = [...new Set(rules.map(({ table }) => table))];

/** @returns the rule of an item; undefined for an item whose form has never changed */
export function ruleOf(table: TableName, { tenant, id }: Item): Rule | undefined {
  const place = tenant.split('#').slice(2).join('#');
  return rules.find((rule) => rule.table === table && rule.place.test(place) && rule.id.test(id));
}
