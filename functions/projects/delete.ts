import * as z from 'zod';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Project } from '../../lib/projects/schema.ts';
import { deleteProject, nameProject, projectInPath, purgeAt } from '../../lib/projects/store.ts';
import { id, shownTime } from '../../lib/schema/common.ts';

const DeletedProject = Project.extend({
  purgeAt: shownTime().meta({ description: 'Until when it can be restored. Then it is purged.' }),
}).meta({ id: 'DeletedProject', description: 'A deleted project.' });

export default defineEndpoint({
  id: 'projects.delete',
  method: 'DELETE',
  path: '/projects/{project_id}',
  summary: 'Delete a project',
  description:
    'Deletes the project. From this response on, requests to the project get 404, and its externalId is free. The ' +
    'project can be restored for 7 days. Then it is purged: everything below the project is removed. `GET ' +
    '…/purge` shows the progress.',
  auth: 'projects:write',
  loads: { project: projectInPath },
  request: { params: z.strictObject({ project_id: id('project') }) },
  causes: ['project.deleted'],
  responses: { 200: DeletedProject },
  access: { projects: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ loaded: { project }, store, nowMs }) {
    const naming = await nameProject(store, project, undefined);
    return {
      status: 200,
      data: {
        ...project,
        status: 'deleted',
        updatedAt: timestamp(nowMs),
        purgeAt: purgeAt(nowMs),
      },
      writes: [...deleteProject(store, project, nowMs), ...naming.writes],
    };
  },
});
