import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { invalidField } from '../../lib/base/errors.ts';
import { timestamp } from '../../lib/base/time.ts';
import { assertContent } from '../../lib/evaluations/content.ts';
import {
  appliesTo,
  Evaluator,
  evaluatorDescription,
  evaluatorKind,
  evaluatorName,
  evaluatorRule,
  newEvaluatorModel,
} from '../../lib/evaluations/schema/evaluator.ts';
import { createEvaluator } from '../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';
import { output } from '../../lib/scores/output.ts';

export default defineEndpoint({
  id: 'evaluators.create',
  method: 'POST',
  path: '/projects/{project_id}/evaluators',
  summary: 'Create an evaluator',
  description:
    'Creates an active evaluator with version 1: a way to score conversations. `name`, `kind` and `output` never change, ' +
    'because scores are stored, filtered and counted by them. A project can have 50 evaluators.\n\nEvaluators of the kinds ' +
    '`rule` and `model` score a conversation by themselves when it ends, on behalf of the credential that has set them. ' +
    'Imported conversations (also those stored more than an hour after their start), and those that ended before, are scored ' +
    'by `POST …/evaluation-runs`. ' +
    '`PUT …/conversations/{conversation_id}/scores/{name}` sends scores of any evaluator.',
  auth: 'conversations:write',
  models: true,
  project: 'active',
  environments: 'none',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      name: evaluatorName,
      description: evaluatorDescription.default(null),
      kind: evaluatorKind,
      output: output.optional().meta({
        description: 'The values of its scores. Required, except for a rule: its output is boolean.',
      }),
      rule: evaluatorRule.nullable().default(null),
      model: newEvaluatorModel.nullable().default(null),
      appliesTo: appliesTo.default({}),
    }),
  },
  causes: ['evaluator.created'],
  responses: { 201: Evaluator },
  headers: versionHeader,
  errors: ['service_unavailable', 'too_many_evaluators', 'evaluator_name_taken'],
  access: { conversations: ['PutItem', 'UpdateItem'], apiKeys: ['ConditionCheckItem'] },

  async handle({ body, caller, store, models, nowMs, newId }) {
    const scoreOutput = body.output ?? (body.kind === 'rule' ? { type: 'boolean' as const } : undefined);
    if (!scoreOutput) throw invalidField('output', `is required for the kind ${body.kind}`);
    const createdAt = timestamp(nowMs);
    const evaluator = {
      id: newId('evaluator'),
      ...body,
      output: scoreOutput,
      status: 'active' as const,
      paused: false,
      pausedReason: null,
      version: 1,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.principal,
      setBy: caller.id,
    };
    await assertContent(evaluator, models);
    return {
      status: 201,
      data: evaluator,
      writes: [...createEvaluator(store, evaluator), ...requireCaller(store, caller)],
    };
  },
});
