/** Schemas of single values: texts, numbers, booleans and what has listed values. */

import { gt, gte, lte, MultipleCheck, maxLength, minLength, PatternCheck, WholeCheck } from './checks.ts';
import { type Params, type Payload, refuse } from './core.ts';
import { Schema } from './schema.ts';

type Message = string | Params;

export class StringSchema extends Schema {
  read(payload: Payload): Payload {
    if (typeof payload.value === 'string') return payload;
    return refuse(this, payload, { code: 'invalid_type', expected: 'string' });
  }

  min(...limit: Parameters<typeof minLength>): this {
    return this.check(minLength(...limit));
  }

  max(...limit: Parameters<typeof maxLength>): this {
    return this.check(maxLength(...limit));
  }

  regex(pattern: RegExp, params?: Message): this {
    return this.check(new PatternCheck('regex', pattern, params));
  }
}

export const string = (params?: Message) => new StringSchema(params);

/** zod's pattern of times with `Z` or an offset. */
const datetimePattern =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))$/;

export const iso = {
  /** Only a check: no declaration uses it as a schema. */
  datetime({ offset, ...params }: Params & { offset: true }): PatternCheck {
    if (!offset) throw new Error('the schemas of functions have no times without offset');
    return new PatternCheck('datetime', datetimePattern, params);
  },
};

class NumberSchema extends Schema {
  read(payload: Payload): Payload {
    const { value } = payload;
    if (Number.isFinite(value)) return payload;
    const received = typeof value === 'number' && { received: String(value) };
    return refuse(this, payload, { code: 'invalid_type', expected: 'number', ...received });
  }

  min(...limit: Parameters<typeof gte>): this {
    return this.check(gte(...limit));
  }

  max(...limit: Parameters<typeof lte>): this {
    return this.check(lte(...limit));
  }

  positive(params?: Message): this {
    return this.check(gt(0, params));
  }

  int(params?: Message): this {
    return this.check(new WholeCheck(params));
  }

  multipleOf(divisor: number, params?: Message): this {
    return this.check(new MultipleCheck(divisor, params));
  }
}

export const number = (params?: Message) => new NumberSchema(params);

/** The message is that of the schema and of its check. */
export const int = (params?: Message) => number(params).int();

class BooleanSchema extends Schema {
  read(payload: Payload): Payload {
    if (typeof payload.value === 'boolean') return payload;
    return refuse(this, payload, { code: 'invalid_type', expected: 'boolean' });
  }
}

export const boolean = (params?: Message) => new BooleanSchema(params);

export class ValuesSchema extends Schema {
  readonly options: readonly unknown[];

  constructor(options: readonly unknown[], params?: Message) {
    super(params);
    this.options = options;
  }

  read(payload: Payload): Payload {
    if (this.options.includes(payload.value)) return payload;
    return refuse(this, payload, { code: 'invalid_value', values: this.options });
  }

  /** @returns the schema of the other values, without further checks */
  exclude(values: readonly unknown[]): this {
    const options = this.options.filter((value) => !values.includes(value));
    return this.with({ options, checks: [] });
  }
}

const enumOf = (values: readonly string[], params?: Message) => new ValuesSchema([...values], params);

export { enumOf as enum };

export const literal = (value: unknown, params?: Message) =>
  new ValuesSchema(Array.isArray(value) ? value : [value], params);

class UnknownSchema extends Schema {
  read(payload: Payload): Payload {
    return payload;
  }
}

export const unknown = () => new UnknownSchema();
