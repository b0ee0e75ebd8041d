import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { newProject, sentProject } from '../../lib/projects/project.ts';
import { Project, projectExternalId } from '../../lib/projects/schema.ts';
import { createProject, nameProject } from '../../lib/projects/store.ts';

export default defineEndpoint({
  id: 'projects.create',
  method: 'POST',
  path: '/projects',
  summary: 'Create a project',
  description: 'Creates an active project. A credential that is bound to projects cannot create projects.',
  auth: 'projects:write',
  request: {
    body: z.strictObject({ ...sentProject, externalId: projectExternalId.nullable().optional() }),
  },
  causes: ['project.created'],
  responses: { 201: Project },
  errors: ['insufficient_scope', 'external_id_taken'],
  access: { projects: ['GetItem', 'PutItem'] },

  async handle(input) {
    const { body, caller, store } = input;
    if (caller.projectIds) {
      return fail('insufficient_scope', 'A credential that is bound to projects cannot create projects.');
    }
    const project = newProject({ ...body, externalId: body.externalId ?? null }, input);
    const { holder, writes } = await nameProject(store, undefined, project);
    if (holder) return fail('external_id_taken', `The project ${holder.id} already has this externalId.`);
    return { status: 201, data: project, writes: [createProject(store, project), ...writes] };
  },
});
