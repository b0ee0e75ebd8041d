import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { canonicalJson } from '../../lib/base/json.ts';
import { timestamp } from '../../lib/base/time.ts';
import { assertContent } from '../../lib/evaluations/content.ts';
import {
  appliesTo,
  Evaluator,
  evaluatorDescription,
  evaluatorRule,
  evaluatorStatus,
  newEvaluatorModel,
} from '../../lib/evaluations/schema/evaluator.ts';
import { changeEvaluator, evaluatorInPath } from '../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTag, versionHeader } from '../../lib/http/entity-tags.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'evaluators.update',
  method: 'PATCH',
  path: '/projects/{project_id}/evaluators/{evaluator_id}',
  summary: 'Update an evaluator',
  description:
    'Replaces the fields in the body and creates a new version. If nothing changes, there is no new version. Scores of ' +
    'earlier versions stay. A run that has started keeps its versions.\n\nAn evaluator cannot be deleted, because scores ' +
    'name it. Set `status` to `archived` to end its use, or `paused` to interrupt it. After a change of anything but ' +
    '`description`, it acts on behalf of the credential that sends this request.',
  auth: 'conversations:write',
  models: true,
  project: 'active',
  loads: { evaluator: evaluatorInPath },
  environments: 'none',
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), evaluator_id: id('evaluator') }),
    body: atLeastOneField(
      z.strictObject({
        description: evaluatorDescription.exactOptional(),
        rule: evaluatorRule.exactOptional(),
        model: newEvaluatorModel.exactOptional(),
        appliesTo: appliesTo.exactOptional(),
        status: evaluatorStatus.exactOptional(),
        paused: z.boolean().exactOptional().meta({ description: 'Whether it scores no conversations.' }),
      }),
    ),
  },
  causes: ['evaluator.updated'],
  responses: { 200: Evaluator },
  headers: versionHeader,
  errors: ['service_unavailable', 'version_mismatch'],
  access: { conversations: ['PutItem', 'UpdateItem', 'DeleteItem'], apiKeys: ['ConditionCheckItem'] },

  async handle({ loaded: { evaluator }, body, caller, matches, store, models, nowMs }) {
    if (!matches(entityTag(evaluator.version))) return fail('version_mismatch');
    const draft = { ...evaluator, ...body };
    if (canonicalJson(draft) === canonicalJson(evaluator)) return { status: 200, data: evaluator };
    await assertContent(draft, body.model ? models : [{ id: `${draft.model?.modelId}` }]);
    const changesOnlyDescription = Object.keys(body).every((name) => name === 'description');
    const after = Evaluator.parse({
      ...draft,
      ...(draft.paused !== evaluator.paused && { pausedReason: draft.paused ? 'requested' : null }),
      ...(!changesOnlyDescription && { setBy: caller.id }),
      version: evaluator.version + 1,
      updatedAt: timestamp(nowMs),
    });
    // A key that is being revoked starts nothing any more.
    const guards = changesOnlyDescription ? [] : requireCaller(store, caller);
    return {
      status: 200,
      data: after,
      writes: [...changeEvaluator(store, evaluator, after, caller.principal), ...guards],
    };
  },
});
