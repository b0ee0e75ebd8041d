import * as z from 'zod';
import { idPattern } from '../../lib/base/ids.ts';
import { holds } from '../../lib/base/scopes.ts';
import { conversationInPath } from '../../lib/conversations/store/conversations.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { replyAt, showReply } from '../../lib/replies/reply.ts';
import { ListedReply } from '../../lib/replies/schema/reply.ts';
import { draftReaders, replyReaders } from '../../lib/replies/scopes.ts';
import { listReplies } from '../../lib/replies/store/replies.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'replies.list',
  method: 'GET',
  path: '/projects/{project_id}/conversations/{conversation_id}/replies',
  summary: 'List the replies of a conversation',
  description:
    'Returns the replies of the conversation, newest first, without their texts. Only a credential that may request a dry run sees the `passages` of one.',
  auth: replyReaders,
  project: 'existing',
  loads: { conversation: conversationInPath },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project'), conversation_id: id('conversation') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(ListedReply).meta({ id: 'ReplyList' }) },
  access: { messages: ['Query'] },

  async handle({ params, query, caller, store, nowMs, cursor }) {
    const page = await listReplies(store, params.conversation_id, {
      after: cursor.position(query.cursor, idPattern('reply')),
      limit: query.limit ?? defaultLimit,
    });
    const seesDrafts = holds(caller.scopes, draftReaders);
    const items = page.items
      .map((reply) => showReply(replyAt(reply, nowMs)))
      .map((reply) => (reply.dryRun && !seesDrafts ? { ...reply, passages: [] } : reply));
    return { status: 200, data: { items, nextCursor: cursor.next(page.next) } };
  },
});
