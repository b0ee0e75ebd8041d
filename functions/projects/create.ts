import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { Project, projectDescription, projectName, someSettings } from '../../lib/projects/schema.ts';
import { createProject, defaultSettings } from '../../lib/projects/store.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'projects.create',
  method: 'POST',
  path: '/projects',
  summary: 'Create a project',
  description: 'Creates an active project. A credential that is bound to projects cannot create projects.',
  auth: 'projects:write',
  request: {
    body: z.strictObject({
      name: projectName,
      description: projectDescription.optional(),
      metadata: metadata.optional(),
      settings: someSettings.optional(),
    }),
  },
  responses: { 201: Project },
  errors: ['insufficient_scope'],
  access: { projects: ['PutItem'] },

  async handle({ body, caller, store, nowMs, newId }) {
    if (caller.projectIds) {
      return fail('insufficient_scope', 'A credential that is bound to projects cannot create projects.');
    }
    const createdAt = timestamp(nowMs);
    const project: Project = {
      id: newId('project'),
      name: body.name,
      description: body.description ?? null,
      metadata: body.metadata ?? {},
      settings: { ...defaultSettings, ...body.settings },
      status: 'active',
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.id,
    };
    return { status: 201, data: project, writes: [createProject(store, project)] };
  },
});
