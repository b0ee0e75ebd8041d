import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { Project, projectDescription, projectName, someSettings } from '../../lib/projects/schema.ts';
import { changeProject, getProject } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'projects.update',
  method: 'PATCH',
  path: '/projects/{project_id}',
  summary: 'Change a project',
  description:
    'Changes the fields that are sent, each as a whole: `metadata` replaces all pairs, a `description` of null takes ' +
    'it away. Of the `settings`, those that are sent change. Archive a project with `"status": "archived"`, and take it up again with `"active"`.',
  auth: 'projects:write',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: atLeastOneField(
      z.strictObject({
        name: projectName.exactOptional(),
        description: projectDescription.nullable().exactOptional(),
        metadata: metadata.exactOptional(),
        settings: someSettings.exactOptional(),
        status: z.enum(['active', 'archived']).exactOptional(),
      }),
    ),
  },
  responses: { 200: Project },
  errors: ['not_found'],
  access: { projects: ['GetItem', 'UpdateItem'] },

  async handle({ params, body, store, nowMs }) {
    const project = await getProject(store, params.project_id);
    if (!project) return fail('not_found');
    const settings = { ...project.settings, ...body.settings };
    const changes = { ...body, settings, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: { ...project, ...changes },
      writes: [changeProject(store, project, changes)],
    };
  },
});
