/** Schemas made of other schemas or of functions. */

import { TestCheck } from './checks.ts';
import { isObject, type ObjectSchema } from './collections.ts';
import { isAborted, type Params, type Payload, type Presence, payloadOf, refuse } from './core.ts';
import { finalIssue } from './issues.ts';
import { PipeSchema, Schema, TransformSchema } from './schema.ts';
import { ValuesSchema } from './values.ts';

/** The first schema that accepts a value reads it. */
class UnionSchema extends Schema {
  readonly options: readonly Schema[];

  constructor(options: readonly Schema[], params?: string | Params) {
    super(params);
    if (options.length < 2) throw new Error('a union needs two schemas');
    this.options = options;
  }

  override get optin(): Presence {
    const all = this.options.map(({ optin }) => optin);
    return all.includes('defaulted') ? 'defaulted' : all.find((optin) => optin !== undefined);
  }

  override get optout(): 'optional' | undefined {
    return this.options.find(({ optout }) => optout !== undefined)?.optout;
  }

  read(payload: Payload): Payload {
    const results: Payload[] = [];
    for (const option of this.options) {
      const result = option.run(payloadOf(payload.value));
      if (result.issues.length === 0) return result;
      results.push(result);
    }
    // If only one schema can read the value at all, what it says is more useful.
    const [near, ...others] = results.filter((result) => !isAborted(result));
    if (near && others.length === 0) {
      payload.value = near.value;
      return near;
    }
    const errors = results.map(({ issues }) => issues.map(finalIssue));
    return refuse(this, payload, { code: 'invalid_union', errors });
  }
}

export const union = (options: readonly Schema[], params?: string | Params) =>
  new UnionSchema(options, params);

/** The value of one member says which object schema reads an object. */
class DiscriminatedSchema extends Schema {
  readonly discriminator: string;
  readonly options: ReadonlyMap<unknown, ObjectSchema>;

  constructor(discriminator: string, options: readonly ObjectSchema[], params?: string | Params) {
    super(params);
    this.discriminator = discriminator;
    const entries = options.flatMap((option) => {
      const member = option.shape[discriminator];
      if (!(member instanceof ValuesSchema)) throw new Error(`an option has no values of ${discriminator}`);
      return member.options.map((value) => [value, option] as const);
    });
    this.options = new Map(entries);
    if (this.options.size < entries.length) throw new Error(`two options have a value of ${discriminator}`);
  }

  read(payload: Payload): Payload {
    const { discriminator, options } = this;
    const input = payload.value;
    if (!isObject(input)) return refuse(this, payload, { code: 'invalid_type', expected: 'object' });
    const option = options.get(input[discriminator]);
    if (option) return option.run(payload);
    const details = { note: 'No matching discriminator', discriminator, options: [...options.keys()] };
    return refuse(this, payload, { code: 'invalid_union', errors: [], ...details, path: [discriminator] });
  }
}

export const discriminatedUnion = (
  discriminator: string,
  options: readonly ObjectSchema[],
  params?: string | Params,
) => new DiscriminatedSchema(discriminator, options, params);

/** A schema that is declared later, so that schemas can contain themselves. */
class LazySchema extends Schema {
  readonly getter: () => Schema;

  constructor(getter: () => Schema) {
    super();
    this.getter = getter;
  }

  override get optin(): Presence {
    return this.getter().optin;
  }

  override get optout(): 'optional' | undefined {
    return this.getter().optout;
  }

  read(payload: Payload): Payload {
    return this.getter().run(payload);
  }
}

export const lazy = (getter: () => Schema) => new LazySchema(getter);

class CustomSchema extends Schema {
  read(payload: Payload): Payload {
    return payload;
  }
}

/** A function decides which values are valid. */
export const custom = (test: TestCheck['test'], params?: string | Params) =>
  new CustomSchema(params).check(new TestCheck(test, params, true));

/** A function changes a value before a schema reads it. */
export const preprocess = (transform: TransformSchema['fn'], schema: Schema) =>
  new PipeSchema(new TransformSchema(transform), schema);

/** What a function returns if it has added an issue. */
export const NEVER = Object.freeze({ status: 'aborted' });
