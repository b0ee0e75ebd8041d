/** What a schema says against a value: issues, their messages, and the error that has them. */

import type { ErrorMap, Issue, Source } from './issue.ts';
import { englishMessage } from './messages.ts';

/** An issue after a parse. */
type FinalIssue = { code: string; path: PropertyKey[]; message: string; [detail: string]: unknown };

type Settings = { jitless?: boolean; customError?: ErrorMap };

const settings: Settings = {};

/** Sets the messages of all schemas. They are used when a parse ends. */
export const config = (changes: Settings): Settings => Object.assign(settings, changes);

export const finalIssue = (issue: Issue): FinalIssue => {
  const { inst, schema, continue: _, input: __, ...rest } = issue;
  const message =
    issue.message ||
    (messageOf(inst, issue) ??
      (schema === inst ? undefined : messageOf(schema, issue)) ??
      textOf(settings.customError?.(issue)) ??
      englishMessage(issue));
  return { ...rest, path: issue.path ?? [], message };
};

const messageOf = (source: Source | undefined, issue: Issue) => textOf(source?.error?.(issue));

const textOf = (message: ReturnType<ErrorMap>) => (typeof message === 'string' ? message : message?.message);

export class ZodError extends Error {
  readonly issues: readonly FinalIssue[];

  constructor(issues: readonly FinalIssue[]) {
    super();
    this.issues = issues;
  }

  override get name(): string {
    return 'ZodError';
  }

  /** Few readers need it, and an error can have thousands of issues. */
  override get message(): string {
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    return JSON.stringify(this.issues, plain, 2);
  }
}
