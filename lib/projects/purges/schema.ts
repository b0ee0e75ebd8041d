import * as z from 'zod';
import { id, shownCount, shownTime } from '../../schema/common.ts';

export const ProjectPurge = z
  .object({
    projectId: id('project'),
    status: z.enum(['scheduled', 'running', 'succeeded', 'failed']).meta({
      id: 'PurgeStatus',
      description:
        'How far the purge is. `scheduled`: the project can still be restored. `failed`: the purge failed repeatedly, and ' +
        'continues when the operator has fixed the cause.',
      example: 'succeeded',
    }),
    purgeAt: shownTime().meta({ description: 'When the purge is due. It starts some minutes later.' }),
    startedAt: shownTime().nullable().meta({ description: 'When the purge started. Null before.' }),
    finishedAt: shownTime()
      .nullable()
      .meta({ description: 'The time from which no data of the project was stored. Null before that time.' }),
    removedItems: shownCount().meta({
      description: 'The number of removed items.',
      example: 412,
    }),
  })
  .meta({ id: 'ProjectPurge', description: 'The removal of everything below a deleted project.' });
