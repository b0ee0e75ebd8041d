/** Stored items, by their kinds (scripts/items/kinds.ts), and docs/items.md, which has examples of each kind. */

import { ulidPattern } from '../../lib/base/ids.ts';
import type { Client } from '../../lib/dynamodb/session.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { type Kind, kinds, titleOf } from '../../scripts/items/kinds.ts';
import { intercept } from './faults.ts';

const expressionOf = (key: string) =>
  new RegExp(
    `^${key
      .replaceAll('.', '\\.')
      .replaceAll('…', ulidPattern)
      .replace(/<SHA-256[^>]+>/g, '[\\w-]{43,64}')
      .replace(/<[^>]+>/g, '[^#]*')}$`,
  );

const known = kinds.map((kind) => ({ kind, tenant: expressionOf(kind.tenant), id: expressionOf(kind.id) }));

/** @returns the kinds of the item: one, if all is well */
export const kindsOf = (table: TableName, item: Item): Kind[] =>
  known
    .filter(({ kind, tenant, id }) => kind.table === table && tenant.test(item.tenant) && id.test(item.id))
    .map(({ kind }) => kind);

/** The key first, and the stamps last. */
const placeOf = (name: string) =>
  `${['tenant', 'id'].indexOf(name) + 1 || (name.startsWith('changed') ? 4 : 3)}${name}`;

/** Items of each kind, by their text. */
type Items = ReadonlyMap<string, Item>;

/** @returns what notes items, and what it has noted. `wrong` are those of no kind, or of several */
export function openRecord() {
  const wrong: string[] = [];
  const recorded = new Map<Kind, Map<string, Item>>();
  const seen = new Set<string>();
  const note = (table: TableName, item: Item): void => {
    const id = [table, item.tenant, item.id, ...Object.keys(item)].join();
    if (seen.has(id)) return;
    seen.add(id);
    const [kind, ...others] = kindsOf(table, item);
    if (!kind || others.length > 0) {
      wrong.push(`${table}: ${item.tenant} ${item.id}`);
      return;
    }
    // How long a change had to wait: any item may have it.
    const { changedAfterMs: _, ...shown } = stable(item) as Item;
    const lines = Object.entries(shown)
      .sort(([one], [other]) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    const items = recorded.get(kind) ?? new Map<string, Item>();
    recorded.set(kind, items.set(`{\n${lines.join(',\n')}\n}`, shown as Item));
  };
  return { recorded, wrong, note };
}

type Put = { Item?: Item };
type Input = {
  TableName?: string;
  ProjectionExpression?: string;
  TransactItems?: { Put?: Put & { TableName: string } }[];
  RequestItems?: Record<string, { PutRequest?: Put }[]>;
};

/** @returns a client that records each whole item that it puts or finds: some are gone before the end, or changed */
export const recording = (client: Client, noteItem: (table: TableName, item: Item) => void): Client =>
  intercept(client, async (command, proceed) => {
    const { TransactItems = [], RequestItems = {}, ...input } = command.input as Input & Put;
    const note = (name: string | undefined, items: readonly (Item | undefined)[] = []) => {
      for (const item of items) if (item) noteItem(name?.split('-').at(-1) as TableName, item);
    };
    note(input.TableName, [input.Item]);
    for (const { Put } of TransactItems) note(Put?.TableName, [Put?.Item]);
    for (const [table, requests] of Object.entries(RequestItems))
      if (Array.isArray(requests))
        note(
          table,
          requests.map(({ PutRequest }) => PutRequest?.Item),
        );
    const output = (await proceed()) as { Items?: Item[] };
    if (input.ProjectionExpression === undefined) note(input.TableName, output.Items);
    return output;
  });

const time = '2026-03-01T09:30:00.000';
const timeMs = Date.parse(`${time}Z`);
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** What differs between two runs of the same requests, and what is shown for it. */
const varying: readonly (readonly [RegExp, (found: string) => string])[] = [
  [new RegExp(ulidPattern, 'g'), () => '01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
  [/\b2\d{3}-\d\d-\d\d(T\d\d[\d:.]*)?/g, (found) => time.slice(0, found.length)],
  [/\b[12]\d{12}\b/g, () => String(timeMs)],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, () => '7f1c5d0e-6a39-4f0b-9c55-0d1f5a3f8f10'],
  [/\b([\da-f]{64}|[\da-f]{40})\b/g, (found) => sha256.slice(0, found.length)],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, () => 'X3zvLhVxBOGGVFVTZ1pJfNpVEXtPlmjVh9UrCvYbNdk'],
  [/[\w+/-]{65,}=*/g, () => '(encrypted)'],
  [/127\.0\.0\.1:\d+/g, () => '127.0.0.1:8080'],
];

/** @returns the value with the same ids, times and hashes in every run */
function stable(value: unknown): unknown {
  if (value instanceof Uint8Array) return '(bytes)';
  if (value instanceof Set) return [...value].map(stable);
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value === 'number' && value < 9e12) {
    if (value > timeMs / 2) return timeMs;
    return value > timeMs / 2000 ? timeMs / 1000 : value;
  }
  if (typeof value === 'string')
    return varying.reduce((text, [found, shown]) => text.replace(found, shown), value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [stable(name), stable(part)]));
}

/** @returns as few items as have all attributes, the one with the most attributes first */
function examplesIn(items: Items): string[] {
  const size = (item: Item) => Object.keys(item).length;
  const sorted = [...items].sort(([a, one], [b, other]) => size(other) - size(one) || (a < b ? -1 : 1));
  const seen = new Set<string>();
  return sorted.flatMap(([text, item]) => {
    const before = seen.size;
    for (const name of Object.keys(item)) seen.add(name);
    return seen.size > before ? [text] : [];
  });
}

/** Without the backslashes, Markdown takes `<…>` for HTML. */
const headingOf = (kind: Kind) => titleOf(kind).replaceAll('<', '\\<');

const namesIn = (items: Iterable<Item>) => [...new Set([...items].flatMap((item) => Object.keys(item)))];

function sectionOf(kind: Kind, items: Items): string {
  const all = [...items.values()];
  const optional = namesIn(all).filter((name) => all.some((item) => !(name in item)));
  const note = optional
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ');
  const blocks = examplesIn(items).map((text) => `\`\`\`json\n${text}\n\`\`\`\n`);
  return [`${headingOf(kind)}\n`, ...(note === '' ? [] : [`Not every item has ${note}.\n`]), ...blocks].join(
    '\n',
  );
}

/** @returns whether the section names each attribute of the items, and no other, and says which ones an item may lack */
function isTrueOf(section: string, items: Items): boolean {
  const examples = [...section.matchAll(/```json\n(.*?)```/gs)].map(
    ([, json = '']) => JSON.parse(json) as Item,
  );
  const [, note = ''] = /Not every item has (.*)\.\n/.exec(section) ?? [];
  const named = namesIn(examples);
  const required = named.filter((name) => !note.includes(`\`${name}\``));
  const all = [...items.values()];
  return (
    [...named].sort().join() === namesIn(all).sort().join() &&
    all.every((item) => required.every((name) => name in item))
  );
}

const beginning = `# Items

Examples of each kind of item in DynamoDB, from the tests. [storage.md](storage.md) explains the [keys](storage.md#keys) and
the [stamps](storage.md#changes), the attributes \`changed…\`. The ids, times and hashes are the same
everywhere on this page. Any item may also have \`changedAfterMs\`, which says how long its last change had to wait for others.

\`npx vitest run test/promises/stored-items.test.ts --update\` writes this page.
`;

/**
 * @param current the document as it is: a section that is still true stays
 * @returns the document with a section for each kind
 */
export function itemsDocument(current: string, recorded: ReadonlyMap<Kind, Items>): string {
  const sections = new Map(current.split('\n## ').map((section) => [section.split('\n')[0], section]));
  const written = kinds.map((kind) => {
    const items = recorded.get(kind) ?? new Map();
    const section = sections.get(headingOf(kind));
    return section !== undefined && isTrueOf(section, items) ? section : sectionOf(kind, items);
  });
  return [beginning, ...written.map((section) => `${section.trimEnd()}\n`)].join('\n## ');
}
