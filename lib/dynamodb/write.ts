/** Writes as values: the handler returns them, and the pipeline commits them. */

import type { ErrorCode } from '../errors.ts';
import type { TableName } from './tables.ts';

/** A stored item: its keys, its attributes, and the stamps of its last change. */
export type Item = { tenant: string; id: string; [attribute: string]: unknown };

/** A condition on the item at the time of the write. */
export type Condition<Attribute extends string = string> =
  /** No condition. */
  | { kind: 'any' }
  | { kind: 'absent' }
  | { kind: 'present' }
  /**
   * The item is unchanged since it was read (`changedIn` is the call that last changed it). With `changedAfterMs`, the
   * time that this call had to wait, other requests wait too (see lib/http/contention.ts).
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
  /** There is no item, or it has expired and TTL has not removed it yet. */
  | { kind: 'absent_or_expired'; nowSeconds: number };

type Change =
  | { action: 'PutItem'; attributes: Readonly<Record<string, unknown>> }
  | ({ action: 'UpdateItem'; attributes: Readonly<Record<string, unknown>> } & FurtherChanges)
  | { action: 'DeleteItem' }
  | { action: 'ConditionCheckItem' };

/** Further changes of an update. */
export type FurtherChanges = {
  /** Numbers to add; a missing attribute counts as 0. */
  add?: Readonly<Record<string, number | undefined>>;
  /** Attributes to remove. */
  drop?: readonly string[];
};

/** A write, and the meaning of its failed condition: an error of the endpoint, or `retry` if the write lost a race. */
export type Write<Code extends ErrorCode = ErrorCode> = Change & {
  table: TableName;
  key: { tenant: string; id: string };
  condition: Condition;
  onConditionFailed: Code | 'retry';
};

/**
 * Who changed an item, and in which call. On every item that is put or updated. `changedAfterMs` is how long the call
 * had waited; it exists only if others changed the item at the same time.
 */
export type Stamp = { changedBy: string; changedIn: string; changedAfterMs?: number | undefined };

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
    case 'absent_or_expired':
      return expression(
        'attribute_not_exists(#id) OR #ttl <= :now',
        { ...id, '#ttl': 'ttl' },
        { ':now': condition.nowSeconds },
      );
  }
}

/** @returns the parameters of the write's command, which are also those of its part of a transaction */
export function writeParameters(write: Write, tableName: string, { changedAfterMs, ...named }: Stamp) {
  const isRace = changedAfterMs !== undefined && write.condition.kind === 'unchanged';
  const stamp = isRace ? { ...named, changedAfterMs } : named;
  const condition = conditionExpression(write.condition);
  switch (write.action) {
    case 'PutItem': {
      // An item that was read may be put back. The waiting time of its previous change is not kept.
      const { changedAfterMs: _, ...attributes } = write.attributes;
      return { TableName: tableName, Item: { ...attributes, ...write.key, ...stamp }, ...condition };
    }
    case 'UpdateItem': {
      const drop = [...(write.drop ?? []), ...(isRace ? [] : ['changedAfterMs'])];
      const attributes = { ...write.attributes, ...stamp };
      const { UpdateExpression, names, values } = updateExpression(attributes, { ...write, drop });
      return {
        TableName: tableName,
        Key: write.key,
        ...condition,
        UpdateExpression,
        ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, ...names },
        ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...values },
      };
    }
    case 'DeleteItem':
    case 'ConditionCheckItem':
      return { TableName: tableName, Key: write.key, ...condition };
  }
}

/** @returns an update that sets the attributes and makes the further changes */
function updateExpression(
  attributes: Readonly<Record<string, unknown>>,
  { add = {}, drop = [] }: FurtherChanges,
) {
  const values = { ...attributes, ...add };
  const names = [...Object.keys(values), ...drop];
  const set = Object.keys(attributes).map((name) => `#${name} = :${name}`);
  const added = Object.keys(add).map((name) => `#${name} :${name}`);
  const clauses = { SET: set, ADD: added, REMOVE: drop.map((name) => `#${name}`) };
  return {
    UpdateExpression: Object.entries(clauses)
      .flatMap(([clause, changes]) => (changes.length > 0 ? `${clause} ${changes.join()}` : []))
      .join(' '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
  };
}
