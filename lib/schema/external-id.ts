import * as z from 'zod';
import { name } from './text.ts';

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
    description: 'If it is sent, it must equal the externalId of the path.',
  });

export const outcome = z.enum(['created', 'updated', 'unchanged']).meta({
  id: 'UpsertOutcome',
  description: 'The effect of the request. `unchanged` means that nothing was written.',
  example: 'updated',
});
