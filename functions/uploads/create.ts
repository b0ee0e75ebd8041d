import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { secondMs, timestamp, ttlSeconds } from '../../lib/base/time.ts';
import { newUpload, Upload } from '../../lib/bulk/imports/uploads/schema.ts';
import {
  fileOf,
  takeUploadPlace,
  uploadLifetimeMs,
  uploadLinkMs,
  uploads,
} from '../../lib/bulk/imports/uploads/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'uploads.create',
  method: 'POST',
  path: '/projects/{project_id}/uploads',
  summary: 'Upload a file',
  description:
    'Returns a link for a file. PUT the file to the link within 15 minutes: exactly `bytes` bytes, without a ' +
    'credential. Then send the `id` as `uploadId` within 12 hours: with the purpose `conversations` to `POST ' +
    '…/conversations/import-file`, with the purpose `knowledge` to `POST …/knowledge/documents` or `PUT ' +
    '…/knowledge/documents/by-external-id/{external_id}`.\n\nThe purpose `knowledge` requires `knowledge:write`. ' +
    'The file is deleted when it has been read, and after a day at the latest.',
  auth: anyOf('conversations:write', 'knowledge:write'),
  scopesFor: ({ body: { purpose } }) => `${purpose}:write`,
  project: 'active',
  environments: 'none',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: newUpload,
  },
  causes: { nothing: 'An upload is no resource: the job or the document that uses it is.' },
  responses: { 201: Upload },
  secrets: ['url'],
  errors: ['too_many_uploads'],
  access: { jobs: ['PutItem', 'Query', 'BatchGetItem'] },
  files: ['uploadLink'],

  async handle({ body: { bytes, purpose }, caller, store, files, nowMs, newId }) {
    const upload = {
      id: newId('upload'),
      bytes,
      purpose,
      createdAt: timestamp(nowMs),
      createdBy: caller.principal,
      ttl: ttlSeconds(nowMs + uploadLifetimeMs),
    };
    const place = await takeUploadPlace(store, upload, nowMs);
    if (!place) return fail('too_many_uploads');
    const url = await files.uploadLink(fileOf(store, upload.id), uploadLinkMs / secondMs, bytes);
    const expiresAt = timestamp(nowMs + uploadLinkMs);
    return {
      status: 201,
      data: { id: upload.id, bytes, purpose, url, expiresAt },
      writes: [uploads.at(store).put(upload), place],
    };
  },
});
