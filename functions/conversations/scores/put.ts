import * as z from 'zod';
import { invalidField } from '../../../lib/base/errors.ts';
import { canonicalJson } from '../../../lib/base/json.ts';
import { timestamp } from '../../../lib/base/time.ts';
import { evidence, Score, sentRationale, sentSource } from '../../../lib/conversations/schema/score.ts';
import { conversationInPath } from '../../../lib/conversations/store/conversations.ts';
import {
  effectiveAfter,
  getScore,
  scoresInPath,
  showScore,
  writeScores,
} from '../../../lib/conversations/store/scores.ts';
import { newScore } from '../../../lib/evaluations/runs/outcome.ts';
import { evaluatorNameInPath, getEvaluator } from '../../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint, fail, optional } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';
import { scoreName } from '../../../lib/schema/names.ts';
import { factId } from '../../../lib/scores/score.ts';
import { checkValue } from '../../../lib/scores/value.ts';

export default defineEndpoint({
  id: 'conversations.scores.put',
  method: 'PUT',
  path: '/projects/{project_id}/conversations/{conversation_id}/scores/{name}',
  summary: 'Set a score of a conversation',
  description:
    'Stores a score of the evaluator with this name, of any kind: from your program (`api`), or from a person (`human`). It is ' +
    'about the messages that are stored now, and of the current version of the evaluator. If there is such a score of the same ' +
    'source, it is replaced. Scores of other sources stay. You can repeat the request without an Idempotency-Key: it writes ' +
    'nothing if nothing has changed.\n\nLists, filters and statistics use the effective score of each name: that of a person before ' +
    'that of a program, and both before those of models and rules. This also works after the conversation ' +
    'has ended, and with an archived evaluator.',
  auth: 'conversations:write',
  project: 'active',
  loads: {
    conversation: conversationInPath,
    summary: optional(scoresInPath),
    nameEntry: evaluatorNameInPath,
  },
  environments: ({ loaded }) => [loaded.conversation.deploymentId],
  request: {
    params: z.strictObject({
      project_id: id('project'),
      conversation_id: id('conversation'),
      name: scoreName,
    }),
    body: z.strictObject({
      value: z.unknown().meta({
        description: 'A value of the output of the evaluator.',
        example: true,
      }),
      rationale: sentRationale.nullable().default(null),
      evidence: evidence.default([]),
      source: sentSource.default('api'),
    }),
  },
  causes: ['conversation.scored'],
  responses: { 200: Score, 201: Score },
  errors: ['not_found'],
  access: { conversations: ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'] },

  async handle({ loaded, body, caller, store, nowMs }) {
    const { conversation, summary, nameEntry } = loaded;
    const evaluator = await getEvaluator(store, nameEntry.evaluatorId);
    if (!evaluator) return fail('not_found');
    const problem = checkValue(evaluator.output, body.value);
    if (problem !== undefined) throw invalidField('value', problem);
    const invalidIndex = body.evidence.findIndex((seq) => seq > conversation.messageCount);
    if (invalidIndex !== -1) {
      throw invalidField(
        `evidence.${invalidIndex}`,
        `must be at most ${conversation.messageCount}, the last message`,
      );
    }
    const fact = newScore(evaluator, {
      messageCount: conversation.messageCount,
      source: body.source,
      value: body.value,
      rationale: body.rationale,
      evidence: body.evidence,
      createdAt: timestamp(nowMs),
      createdBy: caller.principal,
    });
    const existing = await getScore(store, conversation.id, factId(fact));
    const contentOf = ({
      value,
      rationale,
      evidence,
    }: Pick<typeof fact, 'value' | 'rationale' | 'evidence'>) =>
      canonicalJson({ value, rationale, evidence });
    if (existing && contentOf(existing) === contentOf(fact)) {
      return { status: 200, data: showScore(existing, conversation, summary) };
    }
    return {
      status: existing ? 200 : 201,
      data: showScore({ id: factId(fact), ...fact }, conversation, {
        scores: effectiveAfter(summary, [fact]),
      }),
      writes: writeScores(store, conversation, summary, [fact]),
    };
  },
});
