/** The facts about each operation from which the command line makes a command. */

import { type OpenApi, resolveRef, type Schema } from './client/document.ts';
import { isInPath, type Operation, operationsIn } from './client/operations.ts';
import type { Json } from './schemas.ts';

/** The first sentence. Text of the reference has links and code, which a terminal does not show. */
const plain = (text: string) =>
  (text.split(/\.\s/)[0] ?? '').replaceAll('`', '').replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1');

/** @returns the kind of an option, and the values that it may have */
function kindOf(openApi: OpenApi, given: Schema): { kind: string; choices?: readonly string[] } {
  const schema = resolveRef(openApi, given);
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).map((one) => resolveRef(openApi, one));
  const some = alternatives.filter(({ type }) => type !== 'null');
  if (some.length === 1 && some[0]) return kindOf(openApi, some[0]);
  // Such as `0` or `24h`.
  if (alternatives.length > 0)
    return {
      kind: some.every(({ type }) => type === 'string' || type === 'integer' || type === 'number')
        ? 'text'
        : 'json',
    };
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'array') {
    const items = schema.items ? kindOf(openApi, schema.items) : { kind: 'json' };
    return items.kind === 'text' ? { ...items, kind: 'list' } : { kind: 'json' };
  }
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type !== 'string') return { kind: 'json' };
  const choices = (schema.enum ?? []).filter((one) => typeof one === 'string');
  if (schema.format === 'date-time') return { kind: 'time' };
  return { kind: 'text', ...(choices.length > 0 && { choices }) };
}

function bodyFields(openApi: OpenApi, operation: Operation) {
  const schema = operation.body && resolveRef(openApi, operation.body.schema);
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => !isInPath(operation, name))
    .map(([name, one]) => ({
      name,
      text: plain(one.description ?? resolveRef(openApi, one).description ?? ''),
      required: schema?.required?.includes(name) ?? false,
      ...kindOf(openApi, one),
    }));
}

/** @returns `Operation[]` of cli/src/derived/operation.ts, as JSON. @param document the OpenAPI document */
export function cliFile(document: Json): string {
  const openApi = document as OpenApi;
  const operations = operationsIn(openApi).map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    isList: operation.isList,
    query: operation.query
      .filter(({ name, deprecated }) => !deprecated && !(operation.isList && /^(limit|cursor)$/.test(name)))
      .map(({ name, description, required, schema }) => ({
        name,
        text: plain(description ?? ''),
        required,
        ...kindOf(openApi, schema),
      })),
    body: bodyFields(openApi, operation),
  }));
  // Usual values are left out: the command line is one file, which every start reads.
  const short = (key: string, value: unknown) =>
    value === false || (key === 'kind' && value === 'text') || (Array.isArray(value) && value.length === 0)
      ? undefined
      : value;
  return `${JSON.stringify(operations, short, 1)}\n`;
}
