import type * as z from 'zod';

/**
 * @param refuse says why a value is refused; undefined if it is not
 * @returns a check of a schema
 */
export const refusedBy =
  <Value>(refuse: (value: Value) => string | undefined): z.core.CheckFn<Value> =>
  ({ value, issues }) => {
    const message = refuse(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  };
