import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { Project } from '../../lib/projects/schema.ts';
import { getProject } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'projects.get',
  method: 'GET',
  path: '/projects/{project_id}',
  summary: 'Get a project',
  description: 'Returns a project. A deleted project gets 404.',
  auth: 'projects:read',
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: Project },
  errors: ['not_found'],
  access: { projects: ['GetItem'] },

  async handle({ params, store }) {
    const project = await getProject(store, params.project_id);
    return project ? { status: 200, data: project } : fail('not_found');
  },
});
