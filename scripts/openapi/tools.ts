/** The tools of agents, from the OpenAPI document. */

import { type OpenApi, resolveRef, type Schema } from './client/document.ts';
import { isInPath, type Operation, operationsIn } from './client/operations.ts';
import type { Json } from './schemas.ts';

/** Operations that only read, with a body because they take much. */
const reading: ReadonlySet<string> = new Set(['knowledge.evaluate']);

/** Files are addresses for bytes: an address is as good as a credential. Imports are for programs. */
const aboutFiles = /^(exports\.|uploads\.|conversations\.import)/;

/** These operations give access to others, or send data to another address. An instruction in a transcript could ask for that. */
const givesAccess = /^(api-keys\.update|workload-identities\.(create|update)|webhooks\.update)$/;

/** Arguments that an agent does not need: the size of pages, and how long to wait. */
const leftOut = /^(limit|waitSeconds|uploadId)$/;

/** The largest enumeration that is listed. */
const maxChoices = 8;

/** @returns `Tool[]` of lib/mcp/tools.ts, as JSON */
export function toolsFile(document: Json): string {
  const openApi = document as OpenApi;
  const tools = operationsIn(openApi)
    .filter(isOffered)
    .map((operation) => toolOf(openApi, operation));
  // Usual values are left out: a function and the command line read it at each start.
  const short = (_: string, value: unknown) =>
    value === false || (Array.isArray(value) && value.length === 0) ? undefined : value;
  return `${JSON.stringify(tools, short, 1)}\n`;
}

/** What has a secret in its response would have it in a transcript. */
const isOffered = ({ id, isPublic, givesSecret }: Operation): boolean =>
  !isPublic && !givesSecret && !aboutFiles.test(id) && !givesAccess.test(id);

function toolOf(openApi: OpenApi, operation: Operation) {
  const { id, method, path, summary, pathParameters, query, body, isList, takes, scopes } = operation;
  const fields = [...pathParameters, ...query].filter(
    ({ name, deprecated }) => !deprecated && !(leftOut.test(name) && (name !== 'limit' || isList)),
  );
  const schema = body && resolveRef(openApi, body.schema);
  const inBody = Object.entries(schema?.properties ?? {}).filter(
    ([name]) => !leftOut.test(name) && !isInPath(operation, name),
  );
  const named = [
    ...fields.map((field) => [field.name, compact(openApi, field.schema)] as const),
    ...inBody.map(([name, one]) => [name, compact(openApi, one)] as const),
    ...(takes.idempotencyKey && !reading.has(id) ? [['idempotencyKey', { type: 'string' }] as const] : []),
    ...(method === 'GET' && /\b(content|transcript|get)$/.test(id)
      ? [['textOffset', { type: 'integer' }] as const]
      : []),
  ];
  const removes = operation.removes ?? (method === 'DELETE' ? 'It deletes or ends something.' : undefined);
  const removing = [...fields.map(({ name, schema }) => [name, schema] as const), ...inBody].flatMap(
    ([name, { 'x-removes': removal }]) => (removal ? [[name, removal] as const] : []),
  );
  const twice = named.find(([name], at) => named.findIndex(([other]) => other === name) !== at);
  if (twice) throw new Error(`the tool of ${id} has two arguments ${twice[0]}`);
  return {
    name: id.replace(/[^a-z]+/g, '_'),
    id,
    description: summary,
    ...(method !== 'GET' && { method }),
    path,
    query: fields.filter((field) => query.includes(field)).map(({ name }) => name),
    hasBody: body !== undefined,
    isList: isList && query.some(({ name }) => name === 'limit'),
    scopes,
    ...(reading.has(id) && { isReading: true }),
    ...(removes !== undefined && { removes }),
    ...(removing.length > 0 && { destructiveArguments: Object.fromEntries(removing) }),
    properties: Object.fromEntries(named),
    required: [
      ...fields.filter((field) => field.required).map(({ name }) => name),
      ...(schema?.required ?? []),
    ],
  };
}

/** The most characters of the names of an object's fields. */
const maxNames = 60;

/** The type, the choices, and the names of the fields of an object. `null` is left out: it takes a value away. */
function compact(openApi: OpenApi, given: Schema): object {
  const schema = resolveRef(openApi, given);
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).map((one) => resolveRef(openApi, one));
  const some = alternatives.filter(({ type }) => type !== 'null');
  if (some.length === 1 && some[0]) return compact(openApi, some[0]);
  // Such as `0` or `24h`, or a rule.
  if (some.length > 1) return some.every(({ type }) => type === 'object') ? { type: 'object' } : {};
  const choices = (schema.enum ?? []).filter((one) => typeof one === 'string');
  if (choices.length > 0 && choices.length <= maxChoices) return { enum: choices };
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'array') return { type, items: schema.items ? compact(openApi, schema.items) : {} };
  if (type === 'object' || schema.properties) {
    const names = Object.keys(schema.properties ?? {}).map((name) =>
      schema.required?.includes(name) ? name : `${name}?`,
    );
    return { type: 'object', ...(names.length > 0 && { description: cut(names.join(', ')) }) };
  }
  return type === undefined ? {} : { type };
}

const cut = (names: string): string => (names.length <= maxNames ? names : `${names.slice(0, maxNames)}…`);
