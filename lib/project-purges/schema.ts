import * as z from 'zod';
import { id, shownCount, shownTime } from '../schema/common.ts';

export const ProjectPurge = z
  .object({
    projectId: id('project'),
    status: z.enum(['scheduled', 'running', 'succeeded', 'failed']).meta({
      description:
        '`scheduled`: the project can still be restored. `failed`: the purge failed several times in a row; it goes on ' +
        'when the operator has fixed the cause.',
      example: 'succeeded',
    }),
    purgeAt: shownTime().meta({
      description: 'From when on the project is purged. DynamoDB may begin up to two days later.',
    }),
    startedAt: shownTime().nullable(),
    finishedAt: shownTime().nullable().meta({ description: 'When nothing was left of the project.' }),
    removedItems: shownCount().meta({
      description: 'How many stored items have been removed.',
      example: 412,
    }),
  })
  .meta({ id: 'ProjectPurge', description: 'The removal of everything below a deleted project.' });
