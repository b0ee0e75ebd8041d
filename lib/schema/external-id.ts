/** The ids that callers give to resources. */

import * as z from 'zod';
import { name } from './text.ts';

/** @param resource what has the id, and where the id is unique */
export const externalIdOf = (resource: string, example: string) =>
  name(255).meta({
    description: `Your own id of the ${resource}. No personal data: logs contain paths.`,
    example,
  });

/** What an upsert has done. */
export const outcome = z.enum(['created', 'updated', 'unchanged']).meta({
  id: 'UpsertOutcome',
  description: 'The effect of the request. `unchanged` means that nothing was written.',
  example: 'updated',
});
