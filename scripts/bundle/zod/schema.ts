/** What every schema can become: optional, nullable, with a default, transformed or refined. */

import { OverwriteCheck, RefinementCheck, refine } from './checks.ts';
import { Core, type Payload, type Presence, payloadOf, refusePromise, withAddIssue } from './core.ts';

export abstract class Schema extends Core {
  refine(...rule: Parameters<typeof refine>): this {
    return this.check(refine(...rule));
  }

  superRefine(refinement: RefinementCheck['refinement']): this {
    return this.check(new RefinementCheck(refinement));
  }

  overwrite(overwrite: OverwriteCheck['overwrite']): this {
    return this.check(new OverwriteCheck(overwrite));
  }

  optional(): OptionalSchema {
    return new OptionalSchema(this);
  }

  exactOptional(): ExactOptionalSchema {
    return new ExactOptionalSchema(this);
  }

  nullable(): NullableSchema {
    return new NullableSchema(this);
  }

  default(value: unknown): DefaultSchema {
    return new DefaultSchema(this, value);
  }

  transform(transform: Transform): PipeSchema {
    return new PipeSchema(this, new TransformSchema(transform));
  }
}

/** A schema that changes what another schema reads. */
abstract class Wrapper extends Schema {
  readonly innerType: Schema;

  constructor(innerType: Schema) {
    super();
    this.innerType = innerType;
  }

  unwrap(): Schema {
    return this.innerType;
  }
}

/** The key may be absent, and the value undefined. */
export class OptionalSchema extends Wrapper {
  override get optin(): Presence {
    return this.innerType.optin === 'defaulted' ? 'defaulted' : 'optional';
  }

  override get optout(): 'optional' {
    return 'optional';
  }

  read(payload: Payload): Payload {
    if (payload.value !== undefined) return this.innerType.run(payload);
    if (this.innerType.optin !== 'defaulted') return payload;
    const { value, issues } = this.innerType.run(payloadOf(undefined));
    payload.value = issues.length === 0 ? value : undefined;
    return payload;
  }
}

/** The key may be absent, but the value is not undefined. */
export class ExactOptionalSchema extends OptionalSchema {
  override read(payload: Payload): Payload {
    return this.innerType.run(payload);
  }
}

class NullableSchema extends Wrapper {
  override get optin(): Presence {
    return this.innerType.optin;
  }

  override get optout(): 'optional' | undefined {
    return this.innerType.optout;
  }

  read(payload: Payload): Payload {
    return payload.value === null ? payload : this.innerType.run(payload);
  }
}

/** An absent value becomes the default, which is not checked. */
class DefaultSchema extends Wrapper {
  readonly value: unknown;

  constructor(innerType: Schema, value: unknown) {
    super(innerType);
    if (typeof value === 'function') throw new Error('the schemas of functions do not compute a default');
    this.value = value;
  }

  override get optin(): Presence {
    return 'defaulted';
  }

  read(payload: Payload): Payload {
    const result = payload.value === undefined ? payload : this.innerType.run(payload);
    if (result.value === undefined) result.value = copyOf(this.value);
    return result;
  }
}

/** Each result has a copy, so that changing a result does not change the default. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return typeof value === 'object' && value !== null ? { ...value } : value;
}

type Transform = (value: never, context: Payload) => unknown;

export class TransformSchema extends Schema {
  readonly fn: Transform;

  constructor(transform: Transform) {
    super();
    this.fn = transform;
  }

  override get optin(): Presence {
    return 'optional';
  }

  read(payload: Payload): Payload {
    const value = this.fn(payload.value as never, withAddIssue(payload, { inst: this }));
    refusePromise(value);
    payload.value = value;
    return payload;
  }
}

/** One schema reads what another one has read. */
export class PipeSchema extends Schema {
  readonly in: Schema;
  readonly out: Schema;

  constructor(from: Schema, to: Schema) {
    super();
    this.in = from;
    this.out = to;
  }

  override get optin(): Presence {
    return this.in.optin;
  }

  override get optout(): 'optional' | undefined {
    return this.out.optout;
  }

  read(payload: Payload): Payload {
    const result = this.in.run(payload);
    const { value, issues } = result;
    // An unknown key says nothing about the value that is passed on.
    if (issues.some(({ code }) => code !== 'unrecognized_keys')) {
      result.aborted = true;
      return result;
    }
    return this.out.run({ value, issues });
  }
}
