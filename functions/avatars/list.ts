import * as z from 'zod';
import { Avatar, avatarExternalId, avatarStatus } from '../../lib/avatars/schema.ts';
import { listAvatars } from '../../lib/avatars/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import {
  defaultLimit,
  pageQuery,
  rangeAfter,
  rangeBefore,
  rangeFrom,
  rangeStartMs,
} from '../../lib/schema/query.ts';
import { text } from '../../lib/schema/text.ts';

export default defineEndpoint({
  id: 'avatars.list',
  method: 'GET',
  path: '/projects/{project_id}/avatars',
  summary: 'List avatars',
  description:
    'Returns the current state, newest first.\n\nWith a selective filter, a page may have fewer than ' +
    '`limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'avatars:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      externalId: avatarExternalId.optional().meta({ description: 'Only the avatar with this externalId.' }),
      status: avatarStatus.optional().meta({ description: 'Only avatars with this status.' }),
      namePrefix: text(100)
        .min(1, 'must not be empty')
        .optional()
        .meta({ description: 'Only avatars whose name starts with this text, ignoring case.' }),
      createdFrom: rangeFrom('avatars created'),
      createdBefore: rangeBefore('avatars created'),
      createdAfter: rangeAfter('avatars created', 'createdFrom'),
    }),
  },
  responses: { 200: listOf(Avatar).meta({ id: 'AvatarList' }) },
  access: { avatars: ['GetItem', 'Query'] },

  async handle({ query, store, cursor }) {
    const list = {
      externalId: query.externalId,
      status: query.status,
      namePrefix: query.namePrefix,
      createdFromMs: rangeStartMs('created', { from: query.createdFrom, after: query.createdAfter }),
      createdBeforeMs: query.createdBefore,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listAvatars(store, list);
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
