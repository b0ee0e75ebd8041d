/** Stored items, by their kinds (scripts/items/kinds.ts), and what a reader gets of them: their attributes, and examples. */

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

/** The stamps last. */
const placeOf = (name: string) => `${name.startsWith('changed') ? 1 : 0}${name}`;
/** One item with each set of attributes. */
type Items = ReadonlyMap<string, Item>;

/** @returns what notes items, and what it has noted. `wrong` are those of no kind, or of several */
export function openRecord() {
  const wrong: string[] = [];
  const recorded = new Map<Kind, Map<string, Item>>();
  const note = (table: TableName, item: Item): void => {
    const [kind, ...others] = kindsOf(table, item);
    if (!kind || others.length > 0) {
      wrong.push(`${table}: ${item.tenant} ${item.id}`);
      return;
    }
    const items = recorded.get(kind) ?? new Map<string, Item>();
    recorded.set(kind, items);
    const names = attributesOf(item).join();
    if (!items.has(names)) items.set(names, item);
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

const byPlace = (one: string, other: string) => (placeOf(one) < placeOf(other) ? -1 : 1);

/** Without the key, and without `changedAfterMs`, which any item may have: how long a change had to wait. */
const attributesOf = (item: Item): string[] =>
  Object.keys(item)
    .filter((name) => !['tenant', 'id', 'changedAfterMs'].includes(name))
    .sort(byPlace);

const attributesIn = (items: Items) => [...new Set([...items.values()].flatMap(attributesOf))];

/** Such as `createdAt name suspendedAt?`: not every item has what a question mark follows. */
function lineOf(items: Items): string {
  const names = attributesIn(items).sort(byPlace);
  const all = [...items.values()];
  return names.map((name) => (all.every((item) => name in item) ? name : `${name}?`)).join(' ');
}

/** @returns whether the line names each attribute of the items, and no other, and says which ones an item may lack */
function isTrueOf(line: string, items: Items): boolean {
  const words = line.split(' ').filter(Boolean);
  const required = words.filter((word) => !word.endsWith('?'));
  const named = words.map((word) => word.replace('?', ''));
  return (
    named.sort().join() === attributesIn(items).sort().join() &&
    [...items.values()].every((item) => required.every((name) => name in item))
  );
}

/**
 * @param current the list as it is: a line that is still true stays
 * @returns the list of the attributes of each kind
 */
export function attributeList(current: string, recorded: ReadonlyMap<Kind, Items>): string {
  const sections = current.split('\n\n').map((section) => section.trimEnd().split('\n  '));
  const lines = new Map(sections.map(([title = '', line = '']) => [title, line] as const));
  const written = kinds.map((kind) => {
    const items = recorded.get(kind) ?? new Map<string, Item>();
    const line = lines.get(titleOf(kind)) ?? '';
    return `${titleOf(kind)}\n  ${isTrueOf(line, items) ? line : lineOf(items)}`.trimEnd();
  });
  return `${written.join('\n\n')}\n`;
}

/** @returns as few items as have all attributes, the one with the most attributes first */
function examplesIn(items: Items): Item[] {
  const sorted = [...items.values()].sort(
    (one, other) => Object.keys(other).length - Object.keys(one).length,
  );
  const seen = new Set<string>();
  return sorted.filter((item) => {
    const before = seen.size;
    for (const name of Object.keys(item)) seen.add(name);
    return seen.size > before;
  });
}

const shown = (_: string, value: unknown) => {
  if (value instanceof Uint8Array) return '(bytes)';
  return value instanceof Set ? [...value] : value;
};

/** @returns a document with examples of each kind */
export function exampleDocument(recorded: ReadonlyMap<Kind, Items>): string {
  const sections = [...recorded].map(([kind, items]) => {
    const blocks = examplesIn(items).map((item) => `\`\`\`json\n${JSON.stringify(item, shown, 2)}\n\`\`\`\n`);
    // Without the backslashes, Markdown takes `<…>` for HTML.
    return [`## ${titleOf(kind).replaceAll('<', '\\<')}\n`, ...blocks].join('\n');
  });
  return `# Items\n\n${sections.join('\n')}`;
}
