import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Project } from '../../lib/models/project.ts';
import { getProject } from '../../lib/store/projects.ts';

export default defineEndpoint({
  id: 'projects.get',
  method: 'GET',
  path: '/projects/{project_id}',
  summary: 'Get a project',
  description: 'A deleted project is not found.',
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
