import * as z from 'zod';
import { Conversation, tags } from '../../lib/conversations/schema/conversation.ts';
import { channel, externalUserId } from '../../lib/conversations/schema/values.ts';
import { assertNotFuture } from '../../lib/conversations/sent-times.ts';
import { createConversation } from '../../lib/conversations/store/changes.ts';
import type { NewConversation } from '../../lib/conversations/store/conversations.ts';
import { noteRecord } from '../../lib/conversations/store/messages.ts';
import {
  retentionCutoffMs,
  retentionTtl,
  showConversation,
  timesOutAt,
} from '../../lib/conversations/store/state.ts';
import { invalidField } from '../../lib/errors.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { timeOfId } from '../../lib/ids.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { id, pastTime } from '../../lib/schema/common.ts';
import { metadata } from '../../lib/schema/metadata.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'conversations.create',
  method: 'POST',
  path: '/projects/{project_id}/conversations',
  summary: 'Start a conversation',
  description:
    'Starts a conversation. To import an earlier one, send its `startedAt`: lists sort by it. The ' +
    'avatar and the deployment do not have to exist.\n\nA conversation ends with `POST …/end`. It ends ' +
    'by itself with the reason `timeout` if no message is stored for `conversationTimeoutMinutes` (a ' +
    'setting of the project). The timeout counts from when messages are stored, so you have time to ' +
    'complete an import. A `startedAt` that is older than `retentionDays` is refused.',
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
        description:
          'Default: now. For an import, when the conversation started. At most 5 minutes in the future.',
      }),
    }),
  },
  responses: { 201: Conversation },
  errors: ['quota_exceeded'],
  access: { conversations: ['PutItem'], messages: ['PutItem'] },

  async handle({ body, caller, project, limits, store, nowMs, newId, recordRef }) {
    assertNotFuture('startedAt', body.startedAt, nowMs);
    const conversationId = newId('conversation', body.startedAt);
    const startedAtMs = timeOfId(conversationId);
    if (startedAtMs <= (retentionCutoffMs(project, nowMs) ?? -1)) {
      throw invalidField('startedAt', 'must not be older than the retentionDays of the project');
    }
    const createdAt = timestamp(nowMs);
    const conversation: NewConversation = {
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
      ...retentionTtl(project, startedAtMs),
    };
    return {
      status: 201,
      data: showConversation(conversation),
      writes: [
        ...createConversation(store, conversation),
        ...noteRecord(store, conversationId, recordRef),
        ...countUses(store, limits.quotas, { conversations: 1 }, nowMs),
      ],
    };
  },
});
