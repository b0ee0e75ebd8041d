/** Writes docs/sizes.md: how large and how many things may be, from the OpenAPI document and the constants of the code. */

import { maxResponseBytes } from '../../lib/base/response-bytes.ts';
import { maxTextBytes } from '../../lib/conversations/schema/message.ts';
import { maxAvatars } from '../../lib/deployments/schema.ts';
import { maxWebhooks } from '../../lib/events/webhooks/schema/webhook.ts';
import { maxExports } from '../../lib/exports/store.ts';
import { maxBodyBytes } from '../../lib/http/middleware/parse-body.ts';
import { maxUploadBytes, maxUploads } from '../../lib/imports/uploads/store.ts';
import { maxDocuments, maxMegabytes } from '../../lib/knowledge/jobs/index-version.ts';
import { maxContentBytes } from '../../lib/knowledge/schema/document.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from '../../lib/limits/waits/store.ts';
import { type Parameter, readDocument } from './read.ts';
import type { Json } from './schemas.ts';

const bytes = (count: number) =>
  count >= 1024 * 1024
    ? `${count / 1024 / 1024} MB`
    : count >= 1024
      ? `${count / 1024} KB`
      : `${count} bytes`;

/** What no schema says. */
const others: readonly (readonly [what: string, limit: string])[] = [
  ['the body of a request, in UTF-8', bytes(maxBodyBytes)],
  ['a response', bytes(maxResponseBytes)],
  ['the text of a message, in UTF-8', bytes(maxTextBytes)],
  ['the content of a document, in UTF-8', bytes(maxContentBytes)],
  ['a file to import', bytes(maxUploadBytes)],
  ['uploads of a project that are not imported', `${maxUploads}`],
  ['exports of a project whose files are stored', `${maxExports}`],
  ['documents in the index of a project', `${maxDocuments}`],
  ['the index of a project', `${maxMegabytes} MB`],
  ['active avatars in a deployment', `${maxAvatars}`],
  ['webhooks of an organisation, in a mode', `${maxWebhooks}`],
  ['requests of a credential that wait (`waitSeconds`) at the same time', `${maxWaitsPerCaller}`],
  ['requests of an organisation that wait, in a mode', `${maxWaitsPerTenant}`],
];

/** Parameters of every list. */
const shared = ['limit', 'cursor'];
const isList = (parameters: readonly Parameter[]) => parameters.some(({ name }) => name === 'cursor');

const units: Readonly<Record<string, string>> = {
  maxLength: ' characters',
  maxItems: ' items',
  maxProperties: ' pairs',
  maximum: '',
};

type Row = { field: string; limit: string };

/** @returns the limits of a schema and of everything in it, in the order of the schema */
function limitsOf(schema: Json, schemas: Readonly<Record<string, Json>>, field: string): Row[] {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const target = schemas[name] ?? schema;
  const own = Object.entries(units).flatMap(([keyword, unit]) =>
    keyword in target ? [{ field, limit: `${target[keyword]}${unit}` }] : [],
  );
  const inside = (part: unknown, suffix: string) =>
    typeof part === 'object' && part !== null ? limitsOf(part as Json, schemas, field + suffix) : [];
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
    '# Sizes',
    '`npm run generate` writes this page from the declarations. A request above a limit gets 400 `validation_error`, with the name ' +
      'of the field; the errors of other limits are in the API reference. Characters are code points of Unicode. Limits of ' +
      'requests and quotas are in [Limits](limits.md).',
    '## In general',
    general.join('\n'),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}
