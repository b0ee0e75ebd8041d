import * as z from 'zod';
import { EvaluatorVersion, evaluatorVersionInUrl } from '../../../lib/evaluations/schema/evaluator.ts';
import { evaluatorInPath, evaluatorVersionInPath } from '../../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'evaluators.versions.get',
  method: 'GET',
  path: '/projects/{project_id}/evaluators/{evaluator_id}/versions/{version}',
  summary: 'Get a version of an evaluator',
  description: 'Returns the version as it was created. Versions never change.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { evaluator: evaluatorInPath, version: evaluatorVersionInPath },
  environments: 'none',
  request: {
    params: z.strictObject({
      project_id: id('project'),
      evaluator_id: id('evaluator'),
      version: evaluatorVersionInUrl,
    }),
  },
  responses: { 200: EvaluatorVersion },

  async handle({ loaded }) {
    return { status: 200, data: loaded.version };
  },
});
