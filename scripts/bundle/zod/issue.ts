/** The type of an issue during a parse. */

/** @returns the message for an issue, or undefined if another source has it */
export type ErrorMap = (issue: Issue) => string | { message: string } | null | undefined;

/** What may raise an issue: a schema or a check. */
export type Source = { readonly error: ErrorMap | undefined };

/** An issue during a parse. The members of zod have the names of zod: checks in declarations write and read them. */
export type Issue = {
  code: string;
  input?: unknown;
  message?: string;
  path?: PropertyKey[];
  /** Whether further checks run. If it is undefined, those run that have a `when`. */
  continue?: boolean;
  /** What raised the issue. */
  inst?: Source;
  /** The schema that raised the issue or has the check that raised it. */
  schema?: Source;
  [detail: string]: unknown;
};
