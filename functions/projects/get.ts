import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Project } from '../../lib/projects/schema.ts';
import { projectInPath } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'projects.get',
  method: 'GET',
  path: '/projects/{project_id}',
  summary: 'Get a project',
  description: 'Returns a project. A deleted project gets 404.',
  auth: 'projects:read',
  loads: { project: projectInPath },
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: Project },

  async handle({ loaded }) {
    return { status: 200, data: loaded.project };
  },
});
