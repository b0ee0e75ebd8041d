import * as z from 'zod';
import { externalUserId } from '../../lib/conversations/schema/values.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { newJob } from '../../lib/jobs/job.ts';
import { jobHeaders } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { putErasure } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.erase',
  method: 'POST',
  path: '/projects/{project_id}/conversations/erase',
  summary: "Erase a user's conversations",
  description:
    'Queues a job that erases all conversations with this `externalUserId` permanently, as `DELETE` erases one ' +
    'conversation. When the job has succeeded, their data is no longer stored, and `result` has their number. ' +
    'Conversations that are created after the request may be erased too. You can repeat the request: each job ' +
    'erases the conversations that exist when it runs.\n\nThe identifier is in the body because logs contain ' +
    'paths. The job stores only its hash, in `result.externalUserIdSha256`. This also works in an archived ' +
    'project.\n\nA credential that is bound to environments is refused, because it could erase only a part of the conversations. It can ' +
    'erase those of its environments one by one.',
  auth: 'conversations:write',
  project: 'existing',
  // The caller tells the user that everything is gone, so an erasure of a part must not look like one of everything.
  environments: {
    refused:
      'It erases the conversations of the user in all environments, and your credential is bound to some. Use a credential without ' +
      'environments, or erase the conversations of your environments one by one: `GET …/conversations?externalUserId=` lists them.',
  },
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ externalUserId }),
  },
  causes: ['job.created'],
  removes: 'It erases all conversations of a user.',
  responses: { 202: Job },
  headers: jobHeaders,
  access: { jobs: ['PutItem'] },

  async handle({ body, caller, store, nowMs, newId }) {
    const job = newJob(newId('job'), 'conversations.erase', caller.principal, nowMs);
    return { status: 202, data: job, writes: putErasure(store, job, body.externalUserId) };
  },
});
