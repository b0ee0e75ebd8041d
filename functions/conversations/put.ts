import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { timestamp } from '../../lib/base/time.ts';
import { startedConversationFields } from '../../lib/conversations/schema/conversation.ts';
import { UpsertedConversation } from '../../lib/conversations/schema/score.ts';
import { conversationExternalId } from '../../lib/conversations/schema/values.ts';
import {
  differingFields,
  differingIdentity,
  labelsOf,
  newConversation,
} from '../../lib/conversations/sent-conversation.ts';
import { changeConversation, createConversation } from '../../lib/conversations/store/changes.ts';
import { findByExternalId } from '../../lib/conversations/store/conversations.ts';
import { isTaken } from '../../lib/conversations/store/ownership.ts';
import { getSummary, withScores } from '../../lib/conversations/store/scores.ts';
import { showConversation } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { assignedOf, readAssignment } from '../../lib/rollouts/units/sent-assignment.ts';
import { id } from '../../lib/schema/common.ts';
import { externalIdInPath } from '../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'conversations.put',
  method: 'PUT',
  path: '/projects/{project_id}/conversations/by-external-id/{external_id}',
  summary: 'Create or update a conversation by externalId',
  description:
    'Starts a conversation with this externalId, or replaces `tags` and `metadata` of the existing conversation. ' +
    'If `tags` or `metadata` is omitted, it becomes empty. The other fields are fixed: if a field differs from ' +
    'the existing conversation, the request gets 409 `conversation_mismatch`. An omitted `startedAt` or `assignment` is ' +
    'not compared.\n\nYou can repeat the request without an Idempotency-Key: it starts one conversation, and writes ' +
    'nothing if nothing has changed. If the conversation was erased, the request gets 409 `conversation_erased`, ' +
    'so a repeated import does not bring it back. Percent-encode the externalId.\n\nWith `"resume": true`, an existing ' +
    'conversation is returned as it is, for a process that continues a call after a restart: `tags`, `metadata`, ' +
    '`deploymentId`, `assignment` and `startedAt` are used only to start a conversation. The response has the stored ones: go on ' +
    'with its `deploymentId`. If `avatarId`, `externalUserId`, `channel` or `test` is sent and differs, the request gets ' +
    '409 `conversation_mismatch`. If the conversation has ended, it gets 409 `conversation_ended`, with the id in the ' +
    'message and as the `path` of its detail.',
  auth: anyOf('conversations:write', 'runtime:write'),
  project: 'active',
  environments: ({ body }) => [body.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), external_id: conversationExternalId }),
    body: z.strictObject({
      ...startedConversationFields,
      externalId: externalIdInPath(conversationExternalId),
      resume: z.boolean().optional().meta({
        description:
          'Whether to return an existing conversation as it is, unless it has ended. Default: false.',
      }),
    }),
  },
  causes: ['conversation.started', 'conversation.updated'],
  responses: { 200: UpsertedConversation, 201: UpsertedConversation },
  errors: [
    'external_id_taken',
    'conversation_ended',
    'conversation_erased',
    'conversation_mismatch',
    'quota_exceeded',
  ],
  access: {
    conversations: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    deployments: ['GetItem'],
  },

  async handle(input) {
    const { params, body, caller, limits, store, nowMs } = input;
    const externalId = params.external_id;
    const [nameEntry, found] = await Promise.all([
      findByExternalId(store, externalId, input),
      readAssignment(store, body.assignment),
    ]);
    if (await isTaken(store, caller, nameEntry)) return fail('external_id_taken');
    if (nameEntry.isErased) return fail('conversation_erased');
    const existing = nameEntry.conversation;
    if (!existing) {
      const assigned = assignedOf(found, body.deploymentId, input);
      const conversation = newConversation({ ...body, externalId }, input, assigned);
      return {
        status: 201,
        data: { outcome: 'created', conversation: showConversation(withScores(conversation, undefined)) },
        writes: [
          ...createConversation(store, conversation, nameEntry),
          ...countUses(store, limits.quotas, { conversations: 1 }, nowMs),
        ],
      };
    }
    const { resume = false } = body;
    // What the conversation was created with is right, also when its rollout is gone.
    if (!resume && body.assignment !== existing.assignment) assignedOf(found, body.deploymentId, input);
    const differences = resume ? differingIdentity(existing, body) : differingFields(existing, body);
    if (differences.length > 0) {
      return fail(
        'conversation_mismatch',
        `The conversation ${existing.id} has another ${differences.join(' and another ')}.`,
      );
    }
    if (resume && existing.status === 'ended') {
      const detail = { path: existing.id, message: 'has ended' };
      return fail('conversation_ended', `The conversation ${existing.id} has ended.`, [detail]);
    }
    const { tags = [], metadata = {} } = resume ? existing : body;
    const scores = await getSummary(store, existing.id);
    const show = (conversation: typeof existing) => showConversation(withScores(conversation, scores));
    if (labelsOf({ tags, metadata }) === labelsOf(existing)) {
      return { status: 200, data: { outcome: 'unchanged', conversation: show(existing) } };
    }
    const changes = { tags, metadata, updatedAt: timestamp(nowMs) };
    return {
      status: 200,
      data: { outcome: 'updated', conversation: show({ ...existing, ...changes }) },
      writes: changeConversation(store, existing, changes),
    };
  },
});
