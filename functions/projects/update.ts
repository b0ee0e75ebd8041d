import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Project, projectDescription, projectName, someSettings } from '../../lib/projects/schema.ts';
import { changeProject, projectInPath } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'projects.update',
  method: 'PATCH',
  path: '/projects/{project_id}',
  summary: 'Update a project',
  description:
    'Replaces the fields in the body. `metadata` replaces all pairs. A `description` of null removes ' +
    'it. In `settings`, only the fields in the body change. Set `status` to `archived` to archive the ' +
    'project, and to `active` to use it again.',
  auth: 'projects:write',
  loads: { project: projectInPath },
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
  access: { projects: ['UpdateItem'] },

  async handle({ loaded: { project }, body, store, nowMs }) {
    const settings = { ...project.settings, ...body.settings };
    const changes = { ...body, settings, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: { ...project, ...changes },
      writes: [changeProject(store, project, changes)],
    };
  },
});
