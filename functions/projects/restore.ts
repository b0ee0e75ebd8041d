import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { Project } from '../../lib/projects/schema.ts';
import { deletedProjectInPath, getProject, nameProject, restoreProject } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'projects.restore',
  method: 'POST',
  path: '/projects/{project_id}/restore',
  summary: 'Restore a deleted project',
  description:
    'Restores a project within 7 days of its deletion, with the status and the externalId that it had. If another ' +
    'project has taken the externalId, the request gets 409 `external_id_taken`.',
  auth: 'projects:write',
  loads: { deletedProject: optional(deletedProjectInPath) },
  request: { params: z.strictObject({ project_id: id('project') }) },
  causes: ['project.restored'],
  responses: { 200: Project },
  errors: ['not_found', 'project_not_deleted', 'external_id_taken'],
  access: { projects: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ params, loaded: { deletedProject }, store, nowMs }) {
    if (!deletedProject) {
      const project = await getProject(store, params.project_id);
      return fail(project ? 'project_not_deleted' : 'not_found');
    }
    const { holder, writes } = await nameProject(store, undefined, deletedProject);
    if (holder) return fail('external_id_taken');
    return {
      status: 200,
      data: { ...deletedProject, status: deletedProject.restoresTo, updatedAt: timestamp(nowMs) },
      writes: [...restoreProject(store, deletedProject, nowMs), ...writes],
    };
  },
});
