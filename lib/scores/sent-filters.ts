/** The filters by score, as a request has them. */

import * as z from 'zod';

const maxScoreFilters = 3;

const scoreFilter = z
  .string()
  .max(100, 'must be at most 100 characters')
  .regex(
    /^[a-z0-9_-]{1,40}:(?:exists|(?:eq|ne|gt|gte|lt|lte):[^\p{Cc}]+)$/u,
    'must be a name and exists, or a name, eq, ne, gt, gte, lt or lte, and a value: csat:gte:3',
  )
  .meta({
    description: 'The name of an evaluator, an operator and a value.',
    pattern: '^[a-z0-9_-]{1,40}:(exists|(eq|ne|gt|gte|lt|lte):[^\\x00-\\x1f\\x7f-\\x9f]+)$',
    example: 'csat:gte:3',
  });

export const scoreFilters = z
  .array(scoreFilter)
  .max(maxScoreFilters, `must have at most ${maxScoreFilters} filters`)
  .meta({
    description:
      'Only conversations whose effective scores hold: `csat:gte:3`, with `eq`, `ne`, `gt`, `gte`, `lt` or `lte`, or ' +
      '`csat:exists`. At most three, and all must hold. A conversation without a value of that name is left out, also by `ne`.',
    example: ['csat:gte:3'],
  });

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;
export type ScoreOperator = (typeof operators)[number];

/** @param filter a filter that the schema accepts @returns its parts; `value` is null with `exists` */
export function splitScoreFilter(filter: string): { name: string; op: ScoreOperator; value: string | null } {
  const [name = '', operator = '', ...rest] = filter.split(':');
  const op = operators.find((one) => one === operator) ?? 'exists';
  return { name, op, value: op === 'exists' ? null : rest.join(':') };
}
