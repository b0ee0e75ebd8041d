import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { countMessages, numberMessages } from '../../lib/conversations/append.ts';
import { changeConversation, requireConversation } from '../../lib/conversations/store/changes.ts';
import { changedConversationInPath } from '../../lib/conversations/store/conversations.ts';
import { addMessages, getByClientIds, noteRecord } from '../../lib/conversations/store/messages.ts';
import { activityOf } from '../../lib/conversations/store/state.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { countUses } from '../../lib/limits/store/quotas.ts';
import { queuedReply, replyAt, withoutText } from '../../lib/replies/reply.ts';
import { newReply, Reply } from '../../lib/replies/schema/reply.ts';
import { draftReaders, replyWriters } from '../../lib/replies/scopes.ts';
import { answeredBy, openReplyOf, retriedReply } from '../../lib/replies/start.ts';
import { addReply } from '../../lib/replies/store/replies.ts';
import { findTarget, modelOf } from '../../lib/replies/target.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'replies.create',
  method: 'POST',
  path: '/projects/{project_id}/conversations/{conversation_id}/replies',
  summary: 'Request a reply',
  description:
    'Stores the message of the user, and requests an answer of the avatar: by the model of the avatar, with the persona and the ' +
    'knowledge of a deployment or of the draft. Read the answer with `GET …/replies/{reply_id}` or as a stream with ' +
    '`GET …/replies/{reply_id}/events`. It is stored once, as a message of the role `avatar`.\n\nA conversation without a ' +
    'deployment gets the deployment of its first reply. While a reply is `queued` or `running`, another is 409 `reply_running`. ' +
    'A model is never asked again after a failure that may have cost: the reply is `unknown` then, and `retryOf` asks again.\n\n' +
    'If a message with this `clientMessageId` already has a reply, the response is that reply.',
  auth: replyWriters,
  scopesFor: ({ body }) => (body.dryRun || body.target?.draft ? draftReaders : undefined),
  project: 'active',
  loads: { conversation: changedConversationInPath },
  environments: ({ loaded, body }) => [
    loaded.conversation.deploymentId,
    body.target?.environment,
    body.target?.deploymentId,
  ],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    body: newReply,
  },
  causes: ['conversation.updated'],
  responses: { 202: Reply },
  headers: {
    Location: {
      description: 'The address of the reply.',
      value: ({ id }, { path }) => `${path}/${id}`,
    },
  },
  errors: [
    'conversation_ended',
    'reply_running',
    'reply_not_retryable',
    'deployment_mismatch',
    'conversation_not_test',
    'no_model',
    'model_not_listed',
    'nothing_served',
    'avatar_archived',
    'quota_exceeded',
  ],
  models: true,
  access: {
    conversations: ['PutItem', 'UpdateItem', 'ConditionCheckItem'],
    messages: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    deployments: ['GetItem'],
    avatars: ['BatchGetItem'],
  },

  async handle({
    loaded: { conversation },
    body,
    caller,
    project,
    limits,
    models,
    store,
    nowMs,
    newId,
    recordRef,
  }) {
    const { input, retryOf = null, dryRun = false, maxCostUsd } = body;
    const clientMessageId = input?.clientMessageId ?? null;
    const [open, stored] = await Promise.all([
      openReplyOf(store, conversation, nowMs),
      clientMessageId === null ? undefined : getByClientIds(store, conversation.id, [clientMessageId]),
    ]);
    const earlier = clientMessageId === null ? undefined : stored?.get(clientMessageId);
    if (earlier && !dryRun) {
      const reply =
        earlier.role === 'user' && earlier.text === input?.text
          ? await answeredBy(store, conversation, earlier)
          : undefined;
      if (!reply) throw invalidField('input.clientMessageId', 'belongs to another message');
      const note = recordRef
        ? [requireConversation(store, conversation.id), ...noteRecord(store, conversation.id, recordRef)]
        : [];
      return {
        status: 202,
        data: withoutText(replyAt(reply, nowMs)),
        writes: note,
      };
    }
    if (conversation.status === 'ended') return fail('conversation_ended');
    if (open?.isOpen && !dryRun)
      return fail('reply_running', `The reply ${open.reply.id} is ${open.reply.status}.`, [
        { path: 'replyId', message: open.reply.id },
      ]);
    const retried = retryOf === null ? undefined : await retriedReply(store, conversation, retryOf, nowMs);
    const { target, avatar } = await findTarget(store, conversation, body.target);
    modelOf(avatar, models);
    const id = newId('reply');
    const sent = input && !dryRun ? [{ role: 'user' as const, text: input.text, clientMessageId }] : [];
    const messages = numberMessages(sent, new Map(), conversation, { nowMs, newId }).map(
      ({ duplicate: _, ...message }) => message,
    );
    const [message] = messages;
    const reply = queuedReply(
      {
        id,
        conversationId: conversation.id,
        inputMessageId: message?.id ?? retried?.inputMessageId ?? null,
        inputSeq: message?.seq ?? retried?.inputSeq ?? conversation.messageCount,
        retryOf,
        ...target,
        avatarId: conversation.avatarId,
        avatarVersion: target.draft ? null : avatar.version,
        createdBy: caller.principal,
      },
      { maxCostUsd, dryRun, question: input?.text },
      nowMs,
    );
    const data = withoutText(reply);
    if (dryRun) {
      return {
        status: 202,
        data,
        writes: [
          requireConversation(store, conversation.id),
          addReply(store, conversation, reply),
          ...noteRecord(store, conversation.id, recordRef),
        ],
      };
    }
    const { spentMicroUsd, writes } = open ?? { spentMicroUsd: 0, writes: [] };
    const changes = {
      ...(messages.length > 0 && countMessages(conversation, messages)),
      ...(target.deploymentId !== null && { deploymentId: target.deploymentId }),
      replyId: id,
      lastReplyId: id,
      replyMicroUsd: (conversation.replyMicroUsd ?? 0) + spentMicroUsd,
      ...activityOf(conversation, project, nowMs),
    };
    const bytes = message ? Buffer.byteLength(message.text) : 0;
    return {
      status: 202,
      data,
      writes: [
        ...writes,
        ...changeConversation(store, conversation, changes),
        ...addMessages(store, conversation, messages, recordRef, id),
        addReply(store, conversation, reply),
        ...(messages.length === 0 ? noteRecord(store, conversation.id, recordRef) : []),
        ...countUses(store, limits.quotas, message ? { messages: 1, bytes } : {}, nowMs),
      ],
    };
  },
});
