import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { secondMs, timestamp, ttlSeconds } from '../../lib/time.ts';
import { Upload, uploadBytes } from '../../lib/uploads/schema.ts';
import {
  hasMaxUploads,
  uploadKey,
  uploadLifetimeMs,
  uploadLinkMs,
  uploads,
} from '../../lib/uploads/store.ts';

export default defineEndpoint({
  id: 'uploads.create',
  method: 'POST',
  path: '/projects/{project_id}/uploads',
  summary: 'Upload a file',
  description:
    'Returns a link for a file to import. PUT the file to it within 15 minutes: exactly `bytes` bytes, without a ' +
    'credential. Then send the `id` to `POST …/conversations/import-file`, within 12 hours.\n\nThe file is deleted when ' +
    'its import has ended, and after a day at the latest.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ bytes: uploadBytes }),
  },
  responses: { 201: Upload },
  secrets: ['url'],
  errors: ['too_many_uploads'],
  access: { jobs: ['PutItem', 'Query'] },
  files: ['uploadLink'],

  async handle({ body: { bytes }, caller, store, files, nowMs, newId }) {
    if (await hasMaxUploads(store)) return fail('too_many_uploads');
    const write = uploads.at(store).put({
      id: newId('upload'),
      bytes,
      createdAt: timestamp(nowMs),
      createdBy: caller.id,
      ttl: ttlSeconds(nowMs + uploadLifetimeMs),
    });
    const url = await files.uploadLink(uploadKey(write.key), uploadLinkMs / secondMs, bytes);
    const expiresAt = timestamp(nowMs + uploadLinkMs);
    return { status: 201, data: { id: write.key.id, bytes, url, expiresAt }, writes: [write] };
  },
});
