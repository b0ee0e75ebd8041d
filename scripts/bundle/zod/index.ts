/**
 * Takes the place of zod in the bundles of functions, for the schemas of functions/, lib/ and workers/. It has what they use, with
 * the results and the issues of zod, in a tenth of the code. A build fails if a declaration uses another function of zod.
 *
 * Its messages, its pattern of times and its way to count code points are those of zod (LICENSE in this folder).
 * It differs in what no JSON can have: it does not look for cycles in a value.
 */

export { gte, lte, maxLength, minLength, refine } from './checks.ts';
export { array, looseObject, object, record, strictObject } from './collections.ts';
export { custom, discriminatedUnion, lazy, NEVER, preprocess, union } from './combinations.ts';
export { config } from './issues.ts';
export { boolean, enum, int, iso, literal, number, string, unknown } from './values.ts';
