import * as z from 'zod';
import { Conversation, tags } from '../../lib/conversations/schema/conversation.ts';
import { channel, externalUserId } from '../../lib/conversations/schema/values.ts';
import { requireCome } from '../../lib/conversations/sent-times.ts';
import {
  createConversation,
  goneUntilMs,
  showConversation,
  timesOutAt,
  ttlOf,
  type UnstoredConversation,
} from '../../lib/conversations/store/conversations.ts';
import { noteRecord } from '../../lib/conversations/store/messages.ts';
import { invalidField } from '../../lib/errors.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { timeOfId } from '../../lib/ids.ts';
import { id, pastTime } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.create',
  method: 'POST',
  path: '/projects/{project_id}/conversations',
  summary: 'Start a conversation',
  description:
    'Starts a conversation, or imports one that took place before: with its own `startedAt` it stands in lists where it ' +
    'belongs by time. The avatar and the deployment are not looked up: history outlives them.\n\n' +
    'It ends by `end`, or by itself, with the reason `timeout`, when nothing is stored for as long as the ' +
    "project's `conversationTimeoutMinutes` say. That counts from when things are stored, so an import has time to be " +
    'completed. A `startedAt` from before what the project keeps (`retentionDays`) is refused.',
  auth: 'conversations:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      avatarId: id('avatar'),
      externalUserId: externalUserId.nullable().optional(),
      channel: channel.nullable().optional(),
      tags: tags.optional(),
      metadata: metadata.optional(),
      deploymentId: id('deployment').nullable().optional(),
      startedAt: pastTime().optional().meta({
        description: 'Now when left out; for imported history, when it took place. At most 5 minutes ahead.',
      }),
    }),
  },
  responses: { 201: Conversation },
  access: { conversations: ['PutItem'], messages: ['PutItem'] },

  async handle({ body, caller, project, store, nowMs, newId, recordRef }) {
    requireCome('startedAt', body.startedAt, nowMs);
    const conversationId = newId('conversation', body.startedAt);
    const startedAtMs = timeOfId(conversationId);
    if (startedAtMs <= (goneUntilMs(project, nowMs) ?? -1)) {
      throw invalidField('startedAt', 'is from before what the project keeps');
    }
    const createdAt = timestamp(nowMs);
    const conversation: UnstoredConversation = {
      id: conversationId,
      avatarId: body.avatarId,
      externalUserId: body.externalUserId ?? null,
      channel: body.channel ?? null,
      tags: body.tags ?? [],
      metadata: body.metadata ?? {},
      deploymentId: body.deploymentId ?? null,
      status: 'active',
      startedAt: timestamp(startedAtMs),
      endedAt: null,
      endReason: null,
      messageCount: 0,
      messageCountByRole: { user: 0, avatar: 0, system: 0, tool: 0 },
      firstMessageAt: null,
      lastMessageAt: null,
      lastActivityAt: createdAt,
      timesOutAt: timesOutAt(project, nowMs),
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.id,
      ...ttlOf(project, startedAtMs),
    };
    return {
      status: 201,
      data: showConversation(conversation),
      writes: [
        ...createConversation(store, project, conversation),
        ...noteRecord(store, project.id, conversationId, recordRef),
      ],
    };
  },
});
