import * as z from 'zod';
import {
  Avatar,
  avatarName,
  defaultLanguage,
  imageUrl,
  knowledgeTags,
  newPersona,
  newVoice,
} from '../../lib/avatars/schema.ts';
import { createAvatar } from '../../lib/avatars/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'avatars.create',
  method: 'POST',
  path: '/projects/{project_id}/avatars',
  summary: 'Create an avatar',
  description: 'Creates an active avatar with version 1.',
  auth: 'avatars:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      name: avatarName,
      persona: newPersona,
      voice: newVoice.nullable().optional(),
      imageUrl: imageUrl.nullable().optional(),
      knowledgeTags: knowledgeTags.optional(),
      metadata: metadata.optional(),
    }),
  },
  responses: { 201: Avatar },
  headers: versionHeader,
  access: { avatars: ['PutItem'] },

  async handle({ body, caller, store, nowMs, newId }) {
    const createdAt = timestamp(nowMs);
    const { prompt, greeting = null, language = defaultLanguage } = body.persona;
    const avatar: Avatar = {
      id: newId('avatar'),
      name: body.name,
      persona: { prompt, greeting, language },
      voice: body.voice ?? null,
      imageUrl: body.imageUrl ?? null,
      knowledgeTags: body.knowledgeTags ?? [],
      metadata: body.metadata ?? {},
      status: 'active',
      version: 1,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.id,
    };
    return { status: 201, data: avatar, writes: createAvatar(store, avatar) };
  },
});
