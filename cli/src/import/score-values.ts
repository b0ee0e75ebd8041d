/** The values of scores, without zod: the command line starts faster without it. */

export type ScoreValue = boolean | number | string;

/** @param type the type of an evaluator's output */
export const scoreTypeFits = (type: string, value: ScoreValue): boolean =>
  type === 'category' || type === 'text' ? typeof value === 'string' : typeof value === type;
