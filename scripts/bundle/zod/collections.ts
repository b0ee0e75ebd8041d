/** Schemas of lists and objects. */

import { LengthCheck, maxLength, minLength } from './checks.ts';
import {
  addIssues,
  type Core,
  markIssues,
  type Params,
  type Payload,
  type Presence,
  payloadOf,
  refuse,
} from './core.ts';
import { finalIssue } from './issues.ts';
import { Schema } from './schema.ts';
import { StringSchema } from './values.ts';

type Message = string | Params;

class ArraySchema extends Schema {
  readonly element: Schema;

  constructor(element: Schema, params?: Message) {
    super(params);
    this.element = element;
  }

  /** lib/http/middleware/validate.ts reads it. */
  get type(): 'array' {
    return 'array';
  }

  read(payload: Payload): Payload {
    const { value } = payload;
    if (!Array.isArray(value)) return refuse(this, payload, { code: 'invalid_type', expected: 'array' });
    if (this.isTooLong(value, payload)) return payload;
    const items = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) {
      const result = this.element.run(payloadOf(value[index]));
      addIssues(payload, index, result.issues);
      items[index] = result.value;
    }
    payload.value = items;
    return payload;
  }

  /** A list that is too long is refused before its items are read, and then no other check runs. */
  private isTooLong({ length }: readonly unknown[], payload: Payload): boolean {
    for (const check of this.checks) {
      if (!(check instanceof LengthCheck)) return false;
      if (length <= check.maximum) continue;
      const from = payload.issues.length;
      check.check(payload);
      for (const issue of payload.issues.slice(from)) issue.continue = false;
      return markIssues(this, payload, from);
    }
    return false;
  }

  min(...limit: Parameters<typeof minLength>): this {
    return this.check(minLength(...limit));
  }

  max(...limit: Parameters<typeof maxLength>): this {
    return this.check(maxLength(...limit));
  }

  unwrap(): Schema {
    return this.element;
  }
}

export const array = (element: Schema, params?: Message) => new ArraySchema(element, params);

type Shape = Readonly<Record<string, Schema>>;

/** What happens to a key that the shape does not have. */
type Others = 'removed' | 'refused' | 'kept';

type Field = { key: string; schema: Core; optin: Presence; optout: 'optional' | undefined };

export class ObjectSchema extends Schema {
  readonly shape: Shape;
  readonly others: Others;
  /** They are found at the first parse, because a member can be a schema that is not yet declared. */
  private fields: readonly Field[] | undefined = undefined;

  constructor(shape: Shape, others: Others, params?: Message) {
    super(params);
    this.shape = shape;
    this.others = others;
  }

  read(payload: Payload): Payload {
    const input = payload.value;
    if (!isObject(input)) return refuse(this, payload, { code: 'invalid_type', expected: 'object' });
    const output: Record<string, unknown> = {};
    payload.value = output;
    this.fields ??= fieldsOf(this.shape);
    for (const field of this.fields) {
      readMember(field, input, output, payload);
    }
    if (this.others === 'refused') this.refuseOthers(input, payload);
    if (this.others === 'kept')
      for (const key of this.othersIn(input)) if (key !== '__proto__') output[key] = input[key];
    return payload;
  }

  /** A shape may be made of another one, whose members it has first. */
  extend(shape: Shape): this {
    const twice = this.checks.length > 0 && Object.keys(shape).some((key) => Object.hasOwn(this.shape, key));
    if (twice) throw new Error('an object schema with checks cannot replace a member');
    return this.with({ shape: { ...this.shape, ...shape }, fields: undefined });
  }

  /** @param mask the members to keep, in their new order */
  pick(mask: Readonly<Record<string, true>>): this {
    const keys = Object.keys(mask);
    const unknown = keys.find((key) => !Object.hasOwn(this.shape, key));
    if (unknown !== undefined) throw new Error(`an object schema has no member ${unknown}`);
    if (this.checks.length > 0) throw new Error('an object schema with checks needs all its members');
    const { shape } = this;
    return this.with({ shape: Object.fromEntries(keys.map((key) => [key, shape[key]])), fields: undefined });
  }

  private refuseOthers(input: object, payload: Payload): void {
    const keys = this.othersIn(input);
    if (keys.length === 0) return;
    const issue = { code: 'unrecognized_keys', keys, input, inst: this, schema: this };
    // It says nothing about the other members, so the checks of the object run.
    payload.issues.push({ ...issue, continue: true });
  }

  private othersIn(input: object): string[] {
    const keys: string[] = [];
    for (const key in input) if (!Object.hasOwn(this.shape, key)) keys.push(key);
    return keys;
  }
}

export const object = (shape: Shape, params?: Message) => new ObjectSchema(shape, 'removed', params);
export const strictObject = (shape: Shape, params?: Message) => new ObjectSchema(shape, 'refused', params);
export const looseObject = (shape: Shape, params?: Message) => new ObjectSchema(shape, 'kept', params);

export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the members of a shape. A result never has a member `__proto__`, which would be its prototype */
const fieldsOf = (shape: Shape): Field[] =>
  Object.entries(shape).flatMap(([key, schema]) =>
    key === '__proto__' ? [] : { key, schema, optin: schema.optin, optout: schema.optout },
  );

function readMember(
  { key, schema, optin, optout }: Field,
  input: Readonly<Record<string, unknown>>,
  output: Record<string, unknown>,
  payload: Payload,
): void {
  const { value, issues } = schema.run(payloadOf(input[key]));
  const isPresent = key in input;
  if (!isPresent && optout === 'optional' && (optin === 'optional' || (optin && issues.length > 0))) return;
  addIssues(payload, key, issues);
  if (!isPresent && optin === undefined) {
    if (issues.length > 0) return;
    payload.issues.push({ code: 'invalid_type', expected: 'nonoptional', input: undefined, path: [key] });
    return;
  }
  if (value !== undefined || isPresent || (optin === 'defaulted' && optout === undefined))
    output[key] = value;
}

class RecordSchema extends Schema {
  readonly keyType: StringSchema;
  readonly valueType: Schema;

  constructor(keyType: StringSchema, valueType: Schema, params?: Message) {
    super(params);
    if (!(keyType instanceof StringSchema)) throw new Error('the keys of a record need the schema of a text');
    this.keyType = keyType;
    this.valueType = valueType;
  }

  read(payload: Payload): Payload {
    const input = payload.value;
    if (!isPlain(input)) return refuse(this, payload, { code: 'invalid_type', expected: 'record' });
    const output: Record<string, unknown> = {};
    payload.value = output;
    for (const key of Reflect.ownKeys(input)) {
      if (key === '__proto__' || !Object.prototype.propertyIsEnumerable.call(input, key)) continue;
      const name = this.keyType.run(payloadOf(key));
      if (name.issues.length > 0) {
        const issue = { code: 'invalid_key', origin: 'record', issues: name.issues.map(finalIssue) };
        payload.issues.push({ ...issue, input: key, path: [key], inst: this, schema: this });
      } else if (name.value !== '__proto__') {
        const { value, issues } = this.valueType.run(payloadOf(input[key]));
        addIssues(payload, key, issues);
        output[name.value as string] = value;
      }
    }
    return payload;
  }
}

export const record = (keyType: StringSchema, valueType: Schema, params?: Message) =>
  new RecordSchema(keyType, valueType, params);

/** @returns whether a value is an object that no class has made */
function isPlain(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  if (!isObject(value)) return false;
  const maker = value.constructor;
  if (typeof maker !== 'function') return true;
  return isObject(maker.prototype) && Object.hasOwn(maker.prototype, 'isPrototypeOf');
}
