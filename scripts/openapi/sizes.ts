/** Writes docs/sizes.md: how large and how many things may be, and how long, from the OpenAPI document and the constants. */

import { maxLimits } from '../../lib/api-keys/restrictions.ts';
import { defaultLifetimeMs, maxLifetimeMs } from '../../lib/api-keys/schema.ts';
import { keptAfterEndMs as keyKeptMs, shownAfterEndMs } from '../../lib/api-keys/store/credentials.ts';
import { originDays } from '../../lib/audit/store/events.ts';
import { maxAvatarBytes } from '../../lib/avatars/avatar.ts';
import { maxAvatars } from '../../lib/avatars/deployments/schema.ts';
import { maxRuntimeBytes } from '../../lib/avatars/runtime.ts';
import { maxJsonDepth, maxResponseBytes } from '../../lib/base/json.ts';
import { maxRate } from '../../lib/base/rate-limit.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/base/time.ts';
import { maxExports } from '../../lib/bulk/exports/store.ts';
import { maxUploadBytes, maxUploads, uploadLinkMs } from '../../lib/bulk/imports/uploads/store.ts';
import { maxTextBytes } from '../../lib/conversations/schema/message.ts';
import { maxCounters } from '../../lib/conversations/store/counters.ts';
import { maxContentBytes } from '../../lib/documents/schema/document.ts';
import { tombstoneDays } from '../../lib/dynamodb/commit.ts';
import { maxEvaluators } from '../../lib/evaluations/store/evaluators.ts';
import { maxNoticeMs } from '../../lib/events/from-changes/moments.ts';
import { eventDays } from '../../lib/events/store/events.ts';
import { maxBodyBytes } from '../../lib/http/middleware/parse-body.ts';
import { leaseMs } from '../../lib/http/waiting.ts';
import { maxDocuments, maxMegabytes } from '../../lib/indexing/jobs/index-version.ts';
import { retiredRetentionMs } from '../../lib/indexing/store/parts.ts';
import { keptMs as jobKeptMs } from '../../lib/jobs/job.ts';
import { keptAfterEndMs as purgeKeptMs } from '../../lib/projects/purges/store.ts';
import { defaultSettings, restorableMs } from '../../lib/projects/store.ts';
import { maxTextBytes as maxFileTextBytes } from '../../lib/readers/types.ts';
import { maxMessageMetadataBytes, maxMetadataBytes } from '../../lib/schema/metadata.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from '../../lib/schema/query.ts';
import { indexLimits } from '../../lib/search/index/builder.ts';
import { maxSources } from '../../lib/sources/store/sources.ts';
import { maxDistinctTerms } from '../../lib/text/terms.ts';
import { maxWebhooks } from '../../lib/webhooks/schema/webhook.ts';
import { type Parameter, readDocument } from './read.ts';
import type { Json } from './schemas.ts';

const bytes = (count: number) =>
  count >= 1024 * 1024
    ? `${count / 1024 / 1024} MB`
    : count >= 1024
      ? `${count / 1024} KB`
      : `${count} bytes`;

/** Sizes and times that no schema has. */
const others: readonly (readonly [what: string, limit: string])[] = [
  ['the body of a request, in UTF-8', bytes(maxBodyBytes)],
  ['levels of the JSON of a body', `${maxJsonDepth}`],
  ['a response', bytes(maxResponseBytes)],
  ['the text of a message, in UTF-8', bytes(maxTextBytes)],
  ['the metadata of a resource, in UTF-8, if a value has more than 500 characters', bytes(maxMetadataBytes)],
  ['the metadata of a message, in UTF-8', bytes(maxMessageMetadataBytes)],
  ['the `runtime` of an avatar as JSON, in UTF-8', bytes(maxRuntimeBytes)],
  ['an avatar as JSON, in UTF-8', bytes(maxAvatarBytes)],
  ['the content of a document in a request, in UTF-8', bytes(maxContentBytes)],
  ['a file of conversations to import', bytes(maxUploadBytes.conversations)],
  ['a file of a document', bytes(maxUploadBytes.knowledge)],
  ['the text of a file of a document, in UTF-8', bytes(maxFileTextBytes)],
  ['uploads of a project that are not read yet', `${maxUploads}`],
  ['exports of a project whose files are stored', `${maxExports}`],
  ['documents in the index of a project', `${maxDocuments}`],
  ['the index of a project', `${maxMegabytes} MB`],
  ['pieces in the index of a project', `${indexLimits.chunks}`],
  ['different words in the index of a project', `${indexLimits.terms}`],
  ['active avatars in a deployment', `${maxAvatars}`],
  ['webhooks of an organisation, in a mode', `${maxWebhooks}`],
  ['sources of a project', `${maxSources}`],
  ['evaluators of a project', `${maxEvaluators}`],
  ['requests of a credential that wait (`waitSeconds`) at the same time', `${maxWaitsPerCaller}`],
  ['requests of an organisation that wait, in a mode', `${maxWaitsPerTenant}`],
  ['requests per second of a limit', `${maxRate}`],
  ['limits of keys that a request counts against', `${maxLimits}`],
  ['different words of a message that are searchable', `${maxDistinctTerms}`],
  ['combinations of day, avatar, deployment and channel in statistics', `${maxCounters}`],
];

const duration = (ms: number): string => {
  const [unit, length] =
    [['day', dayMs] as const, ['hour', hourMs] as const, ['minute', minuteMs] as const].find(
      ([, one]) => ms >= one && ms % one === 0,
    ) ?? (['second', secondMs] as const);
  return `${ms / length} ${unit}${ms === length ? '' : 's'}`;
};

const times: readonly (readonly [what: string, ms: number])[] = [
  ['a key lives at most', maxLifetimeMs],
  ['a key lives, unless asked otherwise', defaultLifetimeMs],
  ['the notice before a key ends', maxNoticeMs],
  ['a key is listed, after its end', shownAfterEndMs],
  ['a key is stored, after its end', keyKeptMs],
  ['a deleted project can be restored', restorableMs],
  ['the record of a purge', purgeKeptMs],
  ['the tombstone of a deleted resource', tombstoneDays * dayMs],
  ['a job, after it was queued', jobKeptMs],
  ['an event', eventDays * dayMs],
  ['the address and user agent in an audit event', originDays * dayMs],
  [
    'a version of the index, after it was replaced, or after the last environment that has it was deleted',
    retiredRetentionMs,
  ],
  ['a link to a file', uploadLinkMs],
  [
    'a conversation without a message, until it ends by itself',
    defaultSettings.conversationTimeoutMinutes * minuteMs,
  ],
  ['the place of a wait whose function has died', leaseMs],
];

/** Parameters of every list. */
const shared = ['limit', 'cursor'];
const isList = (parameters: readonly Parameter[]) => parameters.some(({ name }) => name === 'cursor');

/** A number's unit is in its name. */
const unitIn = (field: string): string => {
  const [unit] = /(?:minutes|days|seconds|bytes|requests|limit)(?= |$)/i.exec(field) ?? [];
  return unit === 'limit' ? ' items' : unit ? ` ${unit.toLowerCase()}` : '';
};

const units: Readonly<Record<string, (field: string) => string>> = {
  maxLength: () => ' characters',
  maxItems: () => ' items',
  maxProperties: () => ' pairs',
  maximum: unitIn,
};

/** The description of a text says whether its limit counts bytes. A schema can only count characters. */
function limitText(keyword: string, value: number, field: string, { description }: Json): string {
  if (keyword === 'maxLength' && /UTF-8/.test(String(description))) return `${bytes(value)} in UTF-8`;
  const unit = units[keyword]?.(field) ?? '';
  return unit === ' bytes' ? bytes(value) : `${value}${unit}`;
}

type Row = { field: string; limit: string };

/**
 * @param around the names of the schemas that it is in: one that contains itself is listed once
 * @returns the limits of a schema and of everything in it, in the order of the schema
 */
function limitsOf(
  schema: Json,
  schemas: Readonly<Record<string, Json>>,
  field: string,
  around: readonly string[] = [],
): Row[] {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  if (around.includes(name)) return [];
  const names = name === '' ? around : [...around, name];
  const target = schemas[name] ?? schema;
  const own = Object.keys(units).flatMap((keyword) =>
    keyword in target ? [{ field, limit: limitText(keyword, Number(target[keyword]), field, target) }] : [],
  );
  const inside = (part: unknown, suffix: string) =>
    typeof part === 'object' && part !== null ? limitsOf(part as Json, schemas, field + suffix, names) : [];
  const properties = Object.entries((target.properties ?? {}) as Record<string, Json>);
  const choices = [target.anyOf, target.oneOf, target.allOf].flatMap((some) => (some ?? []) as Json[]);
  return [
    ...own,
    ...properties.flatMap(([key, part]) => inside(part, field === '' ? key : `.${key}`)),
    ...inside(target.items, '[]'),
    ...inside(target.propertyNames, ' (each name)'),
    ...inside(target.additionalProperties, ' (each value)'),
    ...choices.flatMap((part) => inside(part, '')),
  ];
}

/** @param json the OpenAPI document */
export function sizesText(json: Json): string {
  const { tags, operations, paths, components } = readDocument(json);
  const rowsOf = ({ path, method, parameters }: (typeof operations)[number]): Row[] => {
    const own = isList(parameters) ? parameters.filter(({ name }) => !shared.includes(name)) : parameters;
    const body = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
    return [
      ...own.flatMap(({ name, in: where, schema }) =>
        limitsOf(schema, components.schemas, `${name} (${where})`),
      ),
      ...(body ? limitsOf(body, components.schemas, '') : []),
    ];
  };
  const list = operations.find(({ parameters }) => isList(parameters));
  const ofLists = (list?.parameters ?? [])
    .filter(({ name }) => shared.includes(name))
    .flatMap(({ name, schema }) => limitsOf(schema, components.schemas, name))
    .map(({ field, limit }) => [`\`${field}\` of a list`, limit] as const);
  const sections = tags.flatMap(({ name }) => {
    const rows = operations.filter(({ tag }) => tag === name).flatMap(rowsOf);
    const texts = new Set(rows.map(({ field, limit }) => `| \`${field}\` | ${limit} |`));
    return texts.size === 0 ? [] : [`## ${name}`, ['| field | at most |', '|---|---|', ...texts].join('\n')];
  });
  const general = [
    '| | at most |',
    '|---|---|',
    ...[...others, ...ofLists].map(([what, limit]) => `| ${what} | ${limit} |`),
  ];
  return [
    '# Sizes and times',
    '`npm run generate` writes this page from the declarations. A request above a limit gets 400 `validation_error`, with the name ' +
      'of the field; the errors of other limits are in the API reference. Characters are code points of Unicode. 1 KB is 1024 bytes, ' +
      'and 1 MB is 1024 KB. Limits of requests and quotas are in [Limits](limits.md).',
    '## In general',
    general.join('\n'),
    '## Times',
    ['| | |', '|---|---|', ...times.map(([what, ms]) => `| ${what} | ${duration(ms)} |`)].join('\n'),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}
