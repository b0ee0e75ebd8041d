import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { evaluate, findWanted } from '../../lib/indexing/search/evaluate.ts';
import { memoryMbToEncode } from '../../lib/indexing/search/meanings.ts';
import { searchVersion } from '../../lib/indexing/search/search.ts';
import { requireUnreplaced } from '../../lib/indexing/store/versions.ts';
import { id } from '../../lib/schema/common.ts';
import { Evaluation, evaluationBody } from '../../lib/search/schema/evaluation.ts';

/**
 * An evaluation may wait longer for the meanings than a search, because no conversation waits for it. Without meanings, it would
 * measure another search. A function has 28 seconds.
 */
const patienceMs = 15_000;

export default defineEndpoint({
  id: 'knowledge.evaluate',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/evaluate',
  summary: 'Evaluate the search with questions',
  description:
    'Searches with questions whose answers are known, and returns how good the results are. Use it to test documents ' +
    'before a deployment. It changes nothing.\n\nA document is as good as its best piece. An expected document that the ' +
    'index does not contain counts as not found, and has `missing`. With `contains`, `answerIn5` and `answerIn10` say whether ' +
    'the passage is in the texts that a search hands over.\n\nThe means count each question once, so the means of ' +
    'several requests can be combined by their numbers of questions, those of `answerIn5` by their numbers of ' +
    'questions with a passage, if `indexVersion` is the same.',
  auth: 'knowledge:read',
  project: 'existing',
  environments: ({ body }) => [body.environment, body.deploymentId],
  request: { params: z.strictObject({ project_id: id('project') }), body: evaluationBody },
  causes: { nothing: 'It changes nothing.' },
  responses: { 200: Evaluation },
  errors: ['not_found', 'not_indexed', 'index_retired'],
  access: {
    knowledge: ['BatchGetItem'],
    knowledgeIndexes: ['GetItem', 'BatchGetItem', 'ConditionCheckItem'],
    deployments: ['GetItem'],
  },
  memoryMb: memoryMbToEncode,

  async handle({ body, caller, store, nowMs, recordRef }) {
    const documents = await findWanted(store, body.questions);
    const questions = body.questions.map(({ q }, index) => ({ q, wanted: documents[index] ?? [] }));
    const meaning = body.mode === 'hybrid' ? { nowMs, patienceMs } : undefined;
    const result = await searchVersion(
      store,
      caller.tenant,
      { ...body, nowMs },
      meaning,
      (manifest, index, meanings) => evaluate(store, { manifest, index, meanings }, questions),
    );
    if (result.error) return result;
    const { found, indexVersion } = result;
    return {
      status: 200,
      data: { indexVersion, ...found },
      // The stored response has titles. An expunge first replaces the version, then erases stored responses.
      writes: recordRef ? [requireUnreplaced(store, indexVersion)] : [],
    };
  },
});
