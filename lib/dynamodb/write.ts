/** Writes are values: the handler returns them, and the pipeline commits them. */

import type { ApiError, ErrorCode } from '../base/errors.ts';
import { resourceAt, tracedAt } from './resources.ts';
import type { TableName } from './tables.ts';

/** A stored item: its keys, its attributes, and the stamps of its last change. */
export type Item = { tenant: string; id: string; [attribute: string]: unknown };

export type Condition<Attribute extends string = string> =
  | { kind: 'any' }
  | { kind: 'absent' }
  | { kind: 'present' }
  /**
   * The item is unchanged since it was read (`changedIn` is the call that last changed it). `changedAfterMs` is the time that
   * this call had to wait. With it, other requests wait too (lib/http/race.ts).
   */
  | { kind: 'unchanged'; changedIn: string; changedAfterMs?: number | undefined }
  /** The item exists and the attribute is NULL. */
  | { kind: 'null'; attribute: Attribute }
  /** The item exists without the attribute. */
  | { kind: 'lacks'; attribute: Attribute }
  /** The attribute has this value. */
  | { kind: 'equals'; attribute: Attribute; value: string | number }
  /** The attribute is a number greater than this value. */
  | { kind: 'above'; attribute: Attribute; value: number }
  /** There is no item, or its attribute sorts before this value. */
  | { kind: 'absent_or_before'; attribute: Attribute; value: string }
  /** There is no item, or the attribute is a number not greater than this value. */
  | { kind: 'absent_or_at_most'; attribute: Attribute; value: number }
  /** There is no item, or it has expired and TTL has not removed it yet. */
  | { kind: 'absent_or_expired'; nowSeconds: number };

type Change =
  | { action: 'PutItem'; attributes: Readonly<Record<string, unknown>> }
  | ({ action: 'UpdateItem'; attributes: Readonly<Record<string, unknown>> } & FurtherChanges)
  | { action: 'DeleteItem' }
  | { action: 'ConditionCheckItem' };

export type FurtherChanges = {
  /** These numbers are added. A missing attribute counts as 0. */
  add?: Readonly<Record<string, number | undefined>>;
  /** These numbers are added to sets. A missing attribute counts as an empty set. */
  addToSet?: Readonly<Record<string, ReadonlySet<number> | undefined>>;
  /** These attributes are removed. */
  drop?: readonly string[];
};

/** A write, and the meaning of its failed condition: an error of the endpoint, or `retry` if the write lost a race. */
export type Write<Code extends ErrorCode = ErrorCode> = Change & {
  table: TableName;
  key: { tenant: string; id: string };
  condition: Condition;
  onConditionFailed: Code | 'retry';
  /** The error of a failed condition, if it says more than its code. */
  error?: ApiError;
};

/**
 * The stamps say who changed an item last. Every item that is put or updated has the first two. A resource also has the other
 * stamps, and so has a traced helper if a request was the last to change it. The stamps are the version of the item too: a
 * write that keeps the stamps, such as noting the use of a key, does not count as a change.
 */
export type Stamp = {
  /**
   * The id of an API key, the id of a workload identity with the subject of its token, `sub:` and the subject of an access
   * token, `worker:` and the id of a worker, or an operator.
   */
  changedBy: string;
  /** The id of the call. */
  changedIn: string;
  /** The id of the endpoint, `worker:` and the id of a worker, or `script:` and the name of a script. */
  changedThrough?: string;
  /** The event that the request states, if the state of the resource does not show it. */
  changedAs?: string;
  /** The address of the caller, as the gateway saw it. Workers and scripts have neither this stamp nor the next two. */
  changedFrom?: string;
  /** The user agent of the caller, at most 200 characters. */
  changedUsing?: string;
  /** The id of the request, as in its response. */
  changedRequest?: string;
  /** The time that the call had waited. This stamp exists only if other calls changed the item at the same time. */
  changedAfterMs?: number | undefined;
};

/** The author commits writes. It has the stamps of the changed items, and the time. */
export type Author = Pick<Stamp, 'changedBy' | 'changedIn' | 'changedAfterMs'> & {
  changedThrough: string;
  changedAs?: string | undefined;
  changedFrom?: string | undefined;
  changedUsing?: string | undefined;
  changedRequest?: string | undefined;
  nowMs: number;
};

type Expression = {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};

const expression = (
  ConditionExpression: string,
  ExpressionAttributeNames: Record<string, string>,
  ExpressionAttributeValues?: Record<string, unknown>,
): Expression => ({
  ConditionExpression,
  ExpressionAttributeNames,
  ...(ExpressionAttributeValues && { ExpressionAttributeValues }),
});

function conditionExpression(condition: Condition): Expression {
  const id = { '#id': 'id' };
  switch (condition.kind) {
    case 'any':
      return {};
    case 'absent':
      return expression('attribute_not_exists(#id)', id);
    case 'present':
      return expression('attribute_exists(#id)', id);
    case 'unchanged':
      return expression(
        '#changedIn = :seen',
        { '#changedIn': 'changedIn' },
        { ':seen': condition.changedIn },
      );
    case 'null':
      return expression(
        'attribute_exists(#id) AND attribute_type(#attribute, :null)',
        { ...id, '#attribute': condition.attribute },
        { ':null': 'NULL' },
      );
    case 'lacks':
      return expression('attribute_exists(#id) AND attribute_not_exists(#lacking)', {
        ...id,
        '#lacking': condition.attribute,
      });
    case 'equals':
      return expression('#equal = :equal', { '#equal': condition.attribute }, { ':equal': condition.value });
    case 'above':
      return expression('#above > :above', { '#above': condition.attribute }, { ':above': condition.value });
    case 'absent_or_before':
      return expression(
        'attribute_not_exists(#id) OR #before < :before',
        { ...id, '#before': condition.attribute },
        { ':before': condition.value },
      );
    case 'absent_or_at_most':
      return expression(
        'attribute_not_exists(#id) OR #atMost <= :atMost',
        { ...id, '#atMost': condition.attribute },
        { ':atMost': condition.value },
      );
    case 'absent_or_expired':
      return expression(
        'attribute_not_exists(#id) OR #ttl <= :now',
        { ...id, '#ttl': 'ttl' },
        { ':now': condition.nowSeconds },
      );
  }
}

/** Only resources and traced helpers have these stamps. Workers and scripts add only the first to resources. */
const resourceStamps = [
  'changedThrough',
  'changedAs',
  'changedFrom',
  'changedUsing',
  'changedRequest',
] as const;
/** The stamps that not every item has. */
const furtherStamps = [...resourceStamps, 'changedAfterMs'] as const;

function stampOf({ table, key, condition }: Write, author: Author): Stamp {
  const { changedBy, changedIn, changedAfterMs } = author;
  const stamp: Stamp = { changedBy, changedIn };
  const isTraced = author.changedRequest !== undefined && tracedAt(table, key);
  for (const name of isTraced || resourceAt(table, key) ? resourceStamps : []) {
    const value = author[name];
    if (value !== undefined) stamp[name] = value;
  }
  if (changedAfterMs !== undefined && condition.kind === 'unchanged') stamp.changedAfterMs = changedAfterMs;
  return stamp;
}

/** @returns the parameters of the command of a write, or of its part of a transaction */
export function writeParameters(write: Write, tableName: string, author: Author) {
  const condition = conditionExpression(write.condition);
  switch (write.action) {
    case 'PutItem': {
      // An item that was read may be put back. It keeps no stamp of its previous change.
      const Item: Record<string, unknown> = { ...write.attributes, ...write.key };
      for (const name of furtherStamps) if (name in Item) delete Item[name];
      Object.assign(Item, stampOf(write, author));
      return { TableName: tableName, Item, ...condition };
    }
    case 'UpdateItem': {
      const stamp = stampOf(write, author);
      const drop = [...(write.drop ?? []), ...furtherStamps.filter((name) => !(name in stamp))];
      const attributes = { ...write.attributes, ...stamp };
      const update = updateExpression(attributes, { ...write, drop });
      return {
        TableName: tableName,
        Key: write.key,
        ...condition,
        ...update,
        ExpressionAttributeNames: {
          ...condition.ExpressionAttributeNames,
          ...update.ExpressionAttributeNames,
        },
        ExpressionAttributeValues: {
          ...condition.ExpressionAttributeValues,
          ...update.ExpressionAttributeValues,
        },
      };
    }
    case 'DeleteItem':
    case 'ConditionCheckItem':
      return { TableName: tableName, Key: write.key, ...condition };
  }
}

export function updateExpression(
  attributes: Readonly<Record<string, unknown>>,
  { add = {}, addToSet = {}, drop = [] }: FurtherChanges,
) {
  const additions = { ...add, ...addToSet };
  const values = { ...attributes, ...additions };
  const names = [...Object.keys(values), ...drop];
  const settings = Object.keys(attributes).map((name) => `#${name} = :${name}`);
  const additionClauses = Object.keys(additions).map((name) => `#${name} :${name}`);
  const clauses = { SET: settings, ADD: additionClauses, REMOVE: drop.map((name) => `#${name}`) };
  return {
    UpdateExpression: Object.entries(clauses)
      .flatMap(([clause, changes]) => (changes.length > 0 ? `${clause} ${changes.join()}` : []))
      .join(' '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}
