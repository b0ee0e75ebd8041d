import * as z from 'zod';

export const scoreNamePattern = /^[a-z0-9_-]{1,40}$/;

export const scoreName = z
  .string()
  .regex(scoreNamePattern, 'must be 1 to 40 of the characters a-z, 0-9, _ and -')
  // `__proto__` cannot be the name of a member.
  .refine((name) => name !== '__proto__', 'must not be __proto__')
  .meta({
    description: 'The name of the evaluator and of its scores, unique in the project.',
    example: 'goal_reached',
  });
