/**
 * Patterns that mean the same in ECMAScript with `u`, in Python's re, in Go's RE2 and in Java, so that every generator of
 * clients and tests can use the document. The checks of the service do not depend on these patterns.
 */

/** Python has no classes of Unicode, RE2 no lookaround and no backreference. */
const unsupported = /\\[pPk1-9]|\(\?[=!<]/;

/**
 * Parts that some languages write or mean in another way: `\u` is unknown to RE2, and the other parts are about Unicode in some
 * languages.
 */
const replaced = /\\u00([0-9a-f]{2})|\\([dsw])|\\.|[[\]]/g;

/** The characters of `\d`, `\s` (of ASCII) and `\w` in a class. */
const members = { d: '0-9', s: '\\x09-\\x0d ', w: 'A-Za-z0-9_' } as const;

/**
 * @param source of a regular expression of ECMAScript
 * @returns an equivalent without the parts that another language lacks; undefined if that is impossible
 */
export function portablePattern(source: string): string | undefined {
  if (unsupported.test(source)) return undefined;
  let inClass = false;
  const pattern = source.replace(replaced, (found, hex?: string, shorthand?: keyof typeof members) => {
    if (found === '[' || found === ']') inClass = found === '[';
    if (hex) return `\\x${hex}`;
    if (!shorthand) return found;
    return inClass ? members[shorthand] : `[${members[shorthand]}]`;
  });
  return pattern.includes('\\u') ? undefined : pattern;
}
