import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { Export } from '../../lib/bulk/exports/schema.ts';
import { showExport } from '../../lib/bulk/exports/show.ts';
import { exportInPath, exportScopes } from '../../lib/bulk/exports/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { scopeOf } from '../../lib/jobs/types.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'exports.get',
  method: 'GET',
  path: '/projects/{project_id}/exports/{job_id}',
  summary: 'Get an export with its links',
  description:
    'Returns the complete files, with links that work for 15 minutes without a credential. Send the request again ' +
    'for new links. A file is deleted after a day, or as soon as data in it is erased or deleted. Its links then ' +
    'stop working.\n\nThe request requires the scope that reads the content. To wait for the end, use `GET ' +
    '…/jobs/{job_id}?waitSeconds=20`.',
  auth: anyOf(...exportScopes),
  project: 'existing',
  environments: 'left_out',
  loads: { job: exportInPath },
  scopesForLoaded: ({ job }) => scopeOf(job, 'read'),
  request: { params: z.strictObject({ project_id: id('project'), job_id: id('job') }) },
  responses: { 200: Export },
  access: { jobs: ['Query'] },
  files: ['link'],

  async handle({ loaded: { job }, store, files, nowMs }) {
    return { status: 200, data: await showExport(store, job, { files, nowMs }) };
  },
});
