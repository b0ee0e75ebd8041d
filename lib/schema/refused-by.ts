import type * as z from 'zod';

/** @param refuse returns why a value is refused, or undefined if it is not */
export const refusedBy =
  <Value>(refuse: (value: Value) => string | undefined): z.core.CheckFn<Value> =>
  ({ value, issues }) => {
    const message = refuse(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  };
