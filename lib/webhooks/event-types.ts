/** The event types that a webhook wants: exact ones, all of a resource (`project.*`), or all (`*`). */

const pattern = /^(\*|[a-z_]+\.(\*|[a-z_]+))$/;

/** Whether it has the form of a type or of a wildcard. */
export const isTypePattern = (text: string): boolean => pattern.test(text);

/** @returns whether one of the patterns includes the type */
export const includesType = (patterns: readonly string[], type: string): boolean =>
  patterns.some((one) => one === '*' || one === type || one === `${type.split('.')[0]}.*`);
