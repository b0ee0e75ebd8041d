import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { startedConversationFields } from '../../lib/conversations/schema/conversation.ts';
import { ScoredConversation } from '../../lib/conversations/schema/score.ts';
import { conversationExternalId } from '../../lib/conversations/schema/values.ts';
import { newConversation } from '../../lib/conversations/sent-conversation.ts';
import { createConversation } from '../../lib/conversations/store/changes.ts';
import { findByExternalId } from '../../lib/conversations/store/conversations.ts';
import { noteRecord } from '../../lib/conversations/store/messages.ts';
import { isTaken } from '../../lib/conversations/store/ownership.ts';
import { withScores } from '../../lib/conversations/store/scores.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { assignedOf, readAssignment } from '../../lib/rollouts/units/sent-assignment.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.create',
  method: 'POST',
  path: '/projects/{project_id}/conversations',
  summary: 'Start a conversation',
  description:
    'Starts a conversation. To import an earlier conversation, send its `startedAt`: lists sort by this time. The ' +
    'avatar and the deployment do not have to exist.\n\nA conversation ends with `POST …/end`. It ends by itself ' +
    'with the reason `timeout` if no message is stored for `conversationTimeoutMinutes` (a setting of the ' +
    'project). The timeout counts from the time at which messages are stored, so you have time to complete an ' +
    'import. A `startedAt` that is older than `retentionDays` is refused.',
  auth: anyOf('conversations:write', 'runtime:write'),
  project: 'active',
  environments: ({ body }) => [body.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      ...startedConversationFields,
      externalId: conversationExternalId.nullable().optional(),
    }),
  },
  causes: ['conversation.started'],
  responses: { 201: ScoredConversation },
  errors: ['external_id_taken', 'conversation_erased', 'quota_exceeded'],
  access: { conversations: ['GetItem', 'PutItem'], deployments: ['GetItem'], messages: ['PutItem'] },

  async handle(input) {
    const { body, caller, limits, store, nowMs, recordRef } = input;
    const { externalId = null } = body;
    const [nameEntry, found] = await Promise.all([
      externalId === null ? undefined : findByExternalId(store, externalId, input),
      readAssignment(store, body.assignment),
    ]);
    const assigned = assignedOf(found, body.deploymentId, input);
    if (nameEntry && (await isTaken(store, caller, nameEntry))) return fail('external_id_taken');
    if (nameEntry?.isErased) return fail('conversation_erased');
    if (nameEntry?.conversation) {
      return fail(
        'external_id_taken',
        `The conversation ${nameEntry.conversation.id} already has this externalId.`,
      );
    }
    const conversation = newConversation({ ...body, externalId }, input, assigned);
    return {
      status: 201,
      data: showConversation(withScores(conversation, undefined)),
      writes: [
        ...createConversation(store, conversation, nameEntry),
        ...noteRecord(store, conversation.id, recordRef),
        ...countUses(store, limits.quotas, { conversations: 1 }, nowMs),
      ],
    };
  },
});
