/** How a schema parses a value: it reads the value, and then its checks run. */

import type { ErrorMap, Issue } from './issue.ts';
import { finalIssue, ZodError } from './issues.ts';

/** The value of a schema during a parse, and what is said against it. */
export type Payload = {
  value: unknown;
  issues: Issue[];
  /** A pipe has stopped. */
  aborted?: boolean;
  addIssue?: (issue: string | Partial<Issue>) => void;
};

/** Whether a key may be absent, and whether the schema then gives a value. */
export type Presence = 'optional' | 'defaulted' | undefined;

type When = (payload: Payload) => boolean;

/** What a declaration passes to a schema or a check, beside a message. */
export type Params = { error?: string | ErrorMap; path?: readonly PropertyKey[]; when?: When };

type Rules = { error?: ErrorMap; path?: readonly PropertyKey[]; when?: When };

const known = ['error', 'path', 'when'];

/** @throws Error if zod has more parameters than this module: a declaration must not get other results than with zod */
export function rulesOf(params: string | Params | undefined): Rules {
  if (params === undefined) return {};
  if (typeof params === 'string') return { error: () => params };
  const { error, ...rules } = params;
  refuseUnknown(params, known);
  if (error === undefined) return rules;
  return { ...rules, error: typeof error === 'string' ? () => error : error };
}

export function refuseUnknown(params: object, names: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`the schemas of functions have no parameter ${unknown}`);
}

/** A condition on a value that a schema has read. */
export abstract class Check {
  readonly error: ErrorMap | undefined;
  readonly when: When | undefined;

  constructor({ error, when }: Rules) {
    this.error = error;
    this.when = when;
  }

  /** Adds issues, or replaces the value. */
  abstract check(payload: Payload): unknown;
}

/** A check that a declaration has written. */
class OwnCheck extends Check {
  readonly fn: (payload: Payload) => unknown;

  constructor(fn: (payload: Payload) => unknown) {
    super({});
    this.fn = fn;
  }

  check(payload: Payload): unknown {
    return this.fn(payload);
  }
}

export abstract class Core {
  error: ErrorMap | undefined;
  checks: readonly Check[] = [];

  constructor(params?: string | Params) {
    this.error = rulesOf(params).error;
  }

  /** Adds issues, or replaces the value. @returns the payload, or another one that has taken its place */
  abstract read(payload: Payload): Payload;

  /** Whether the key of a member with this schema may be absent from the input. */
  get optin(): Presence {
    return undefined;
  }

  /** Whether the key of a member with this schema may be absent from the result. */
  get optout(): 'optional' | undefined {
    return undefined;
  }

  /** What a declaration says, by the names of zod. */
  get _zod(): { def: Core } {
    return { def: this };
  }

  run(payload: Payload): Payload {
    const result = this.read(payload);
    return this.checks.length === 0 ? result : runChecks(this, result);
  }

  /** @returns the same schema with further checks, which run after the others */
  check(...checks: readonly (Check | ((payload: Payload) => unknown))[]): this {
    const added = checks.map((one) => (typeof one === 'function' ? new OwnCheck(one) : one));
    return this.with({ checks: [...this.checks, ...added] });
  }

  /** @returns the same schema with other members */
  protected with(members: object): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)) as this, this, members);
  }

  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: ZodError } {
    const { value: data, issues } = this.run(payloadOf(value));
    if (issues.length === 0) return { success: true, data };
    return { success: false, error: new ZodError(issues.map(finalIssue)) };
  }

  /** @throws ZodError */
  parse(value: unknown): unknown {
    const result = this.safeParse(value);
    if (result.success) return result.data;
    throw result.error;
  }
}

export const payloadOf = (value: unknown): Payload => ({ value, issues: [] });

/** Adds an issue of a schema, after which no check without a `when` runs. @returns the payload */
export function refuse(schema: Core, payload: Payload, issue: Issue): Payload {
  payload.issues.push({ ...issue, input: payload.value, inst: schema, schema });
  return payload;
}

/** Adds the issues of a member to those of the whole. */
export function addIssues(whole: Payload, key: PropertyKey, issues: readonly Issue[]): void {
  for (const issue of issues) {
    issue.path ??= [];
    issue.path.unshift(key);
    whole.issues.push(issue);
  }
}

export const isAborted = ({ aborted, issues }: Payload, from = 0): boolean =>
  aborted === true || issues.some((issue, index) => index >= from && issue.continue !== true);

const isEnded = ({ aborted, issues }: Payload): boolean =>
  aborted === true || issues.some((issue) => issue.continue === false);

function runChecks(schema: Core, payload: Payload): Payload {
  let aborted = isAborted(payload);
  for (const check of schema.checks) {
    if (check.when ? isEnded(payload) || !check.when(payload) : aborted) continue;
    const before = payload.issues.length;
    refusePromise(check.check(payload));
    aborted = markIssues(schema, payload, before) || aborted;
  }
  return payload;
}

/** Notes which schema has the check that raised issues. @returns whether one of them aborts */
export function markIssues(schema: Core, payload: Payload, from: number): boolean {
  if (payload.issues.length === from) return false;
  for (const issue of payload.issues.slice(from)) issue.schema ??= schema;
  return isAborted(payload, from);
}

/** @throws Error for a promise: it would pass as a value or as true */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) throw new Error('a schema or a check has returned a promise');
}

/** Lets a function of a declaration add issues. @param always what its issues have unless they say otherwise */
export function withAddIssue(payload: Payload, always: Partial<Issue>): Payload {
  payload.addIssue = (sent) => {
    if (typeof sent === 'string') {
      payload.issues.push({ code: 'custom', message: sent, input: payload.value });
    } else {
      const issue: Issue = { code: 'custom', input: payload.value, ...always, ...sent };
      payload.issues.push(issue.fatal ? { ...issue, continue: false } : issue);
    }
  };
  return payload;
}
