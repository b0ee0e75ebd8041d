/** Names and ids that callers choose, and the outcome of an upsert. An endpoint that needs a name loads no more. */

import * as z from 'zod';
import { environmentNamePattern } from '../base/ids.ts';
import { name } from './text.ts';

export const environmentName = z
  .string()
  .regex(environmentNamePattern, 'must be 1 to 40 of a-z, 0-9 and -')
  .meta({
    description: 'The name of the environment. The first deployment to it creates it.',
    example: 'production',
  });

const scoreNamePattern = /^[a-z0-9_-]{1,40}$/;

export const scoreName = z
  .string()
  .regex(scoreNamePattern, 'must be 1 to 40 of the characters a-z, 0-9, _ and -')
  // `__proto__` cannot be the name of a member.
  .refine((name) => name !== '__proto__', 'must not be __proto__')
  .meta({
    description: 'The name of the evaluator and of its scores, unique in the project.',
    example: 'goal_reached',
  });

/** @param resource the resource that has the id, and where the id is unique */
export const externalIdOf = (resource: string, example: string) =>
  name(255).meta({
    description: `Your own id of the ${resource}. No personal data: logs contain paths.`,
    example,
  });

/**
 * The field of an upsert that repeats the id of its path, so that an upsert takes the body of a creation. The pipeline compares
 * both.
 * @param schema the schema of `external_id` in the path
 */
export const externalIdInPath = (schema: z.ZodString) =>
  schema.optional().meta({
    description: 'It must equal the externalId of the path, if it is sent.',
  });

export const outcome = z.enum(['created', 'updated', 'unchanged']).meta({
  id: 'UpsertOutcome',
  description: 'The effect of the request. `unchanged` means that nothing was written.',
  example: 'updated',
});
