import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { someSettings } from '../../lib/projects/project.ts';
import { Project, projectDescription, projectExternalId, projectName } from '../../lib/projects/schema.ts';
import { changeProject, nameProject, projectInPath } from '../../lib/projects/store.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';

export default defineEndpoint({
  id: 'projects.update',
  method: 'PATCH',
  path: '/projects/{project_id}',
  summary: 'Update a project',
  description:
    'Replaces the fields in the body. `metadata` replaces all pairs. Null removes a `description` or an ' +
    '`externalId`. In `settings`, only the fields in the body change. Set `status` to `archived` to archive the ' +
    'project, and to `active` to use it again.',
  auth: 'projects:write',
  loads: { project: projectInPath },
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: atLeastOneField(
      z.strictObject({
        externalId: projectExternalId.nullable().exactOptional(),
        name: projectName.exactOptional(),
        description: projectDescription.nullable().exactOptional(),
        metadata: metadata.exactOptional(),
        settings: someSettings
          .exactOptional()
          .meta({ removes: 'A shorter retention deletes conversations.' }),
        status: z
          .enum(['active', 'archived'])
          .exactOptional()
          .meta({ description: '`archived` makes the project read-only. `active` makes it writable again.' }),
      }),
    ),
  },
  causes: ['project.updated'],
  responses: { 200: Project },
  errors: ['external_id_taken'],
  access: { projects: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },

  async handle({ loaded: { project }, body, store, nowMs }) {
    const settings = { ...project.settings, ...body.settings };
    const changes = { ...body, settings, updatedAt: timestamp(nowMs) };
    const after = { ...project, ...changes };
    const { holder, writes } = await nameProject(store, project, after);
    // The message does not name the holder: the caller may be bound to other projects.
    if (holder) return fail('external_id_taken');
    return { status: 200, data: after, writes: [changeProject(store, project, changes), ...writes] };
  },
});
