import * as z from 'zod';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { purgeInPath } from '../../lib/projects/purges/store.ts';
import { deletedProjectInPath } from '../../lib/projects/store.ts';
import { id, shownCount, shownTime } from '../../lib/schema/common.ts';

const ProjectPurge = z
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

export default defineEndpoint({
  id: 'projects.purge',
  method: 'GET',
  path: '/projects/{project_id}/purge',
  summary: 'Get the purge of a deleted project',
  description:
    'Everything below a deleted project is removed when the project can no longer be restored. This endpoint ' +
    'shows the due time, the progress and the end of this purge. The record is kept for 90 days after the end. A ' +
    'project that is not deleted gets 404.',
  auth: 'projects:read',
  loads: { purge: optional(purgeInPath), deletedProject: optional(deletedProjectInPath) },
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: ProjectPurge },
  errors: ['not_found'],

  async handle({ params: { project_id: projectId }, loaded: { purge, deletedProject } }) {
    if (purge) {
      const { status, startedAt, finishedAt, removedItems } = purge;
      return {
        status: 200,
        data: { projectId, status, purgeAt: startedAt, startedAt, finishedAt, removedItems },
      };
    }
    if (!deletedProject) return fail('not_found');
    const initialState = { status: 'scheduled', startedAt: null, finishedAt: null, removedItems: 0 } as const;
    return { status: 200, data: { projectId, purgeAt: deletedProject.purgeAt, ...initialState } };
  },
});
