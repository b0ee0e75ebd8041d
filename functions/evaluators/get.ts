import * as z from 'zod';
import { Evaluator } from '../../lib/evaluations/schema/evaluator.ts';
import { evaluatorInPath } from '../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { versionHeader } from '../../lib/http/entity-tags.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'evaluators.get',
  method: 'GET',
  path: '/projects/{project_id}/evaluators/{evaluator_id}',
  summary: 'Get an evaluator',
  description: 'Returns the latest version.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { evaluator: evaluatorInPath },
  environments: 'none',
  request: { params: z.strictObject({ project_id: id('project'), evaluator_id: id('evaluator') }) },
  responses: { 200: Evaluator },
  headers: versionHeader,

  async handle({ loaded: { evaluator } }) {
    return { status: 200, data: evaluator };
  },
});
