import * as z from 'zod';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { ProjectPurge } from '../../lib/projects/purges/schema.ts';
import { purgeInPath } from '../../lib/projects/purges/store.ts';
import { deletedProjectInPath } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';

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
