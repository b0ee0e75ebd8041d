import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { contentOf, hasContent, newProject, sentProject } from '../../lib/projects/project.ts';
import { Project, projectExternalId } from '../../lib/projects/schema.ts';
import {
  changeProject,
  createProject,
  findProjectByExternalId,
  giveExternalId,
} from '../../lib/projects/store.ts';
import { externalIdInPath, outcome } from '../../lib/schema/names.ts';

const UpsertedProject = z
  .object({ outcome, project: Project.meta({ description: 'The project as it is stored.' }) })
  .meta({ id: 'UpsertedProject', description: 'A project and the outcome of the request.' });

export default defineEndpoint({
  id: 'projects.put',
  method: 'PUT',
  path: '/projects/by-external-id/{external_id}',
  summary: 'Create or update a project by externalId',
  description:
    'Creates a project with this externalId, or replaces the content of the existing project. An omitted field ' +
    'gets its default. The status does not change: an archived project stays archived. A deleted project has lost ' +
    'its externalId, so the request creates another project.\n\nYou can repeat the request without an ' +
    'Idempotency-Key: it creates one project, and writes nothing if nothing has changed. A credential that is ' +
    'bound to projects cannot create projects. Percent-encode the externalId.',
  auth: 'projects:write',
  request: {
    params: z.strictObject({ external_id: projectExternalId }),
    body: z.strictObject({
      ...sentProject,
      settings: sentProject.settings.meta({ removes: 'A shorter retention deletes conversations.' }),
      externalId: externalIdInPath(projectExternalId),
    }),
  },
  causes: ['project.created', 'project.updated'],
  responses: { 200: UpsertedProject, 201: UpsertedProject },
  errors: ['insufficient_scope'],
  access: { projects: ['GetItem', 'PutItem', 'UpdateItem'] },

  async handle(input) {
    const { params, body, caller, store, nowMs } = input;
    const externalId = params.external_id;
    const entry = await findProjectByExternalId(store, externalId);
    const existing = entry.resource;
    // A bound credential gets the same response whether there is such a project or not.
    if (caller.projectIds && !(existing && caller.projectIds.includes(existing.id))) {
      return fail('insufficient_scope', 'A credential that is bound to projects cannot create projects.');
    }
    if (!existing) {
      const project = newProject({ ...body, externalId }, input);
      return {
        status: 201,
        data: { outcome: 'created', project },
        writes: [createProject(store, project), giveExternalId(store, project, externalId, entry.pointer)],
      };
    }
    const content = contentOf(body);
    if (hasContent(existing, content)) {
      return { status: 200, data: { outcome: 'unchanged', project: existing } };
    }
    const changes = { ...content, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: { outcome: 'updated', project: { ...existing, ...changes } },
      writes: [changeProject(store, existing, changes)],
    };
  },
});
