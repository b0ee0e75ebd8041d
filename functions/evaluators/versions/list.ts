import * as z from 'zod';
import { EvaluatorVersion } from '../../../lib/evaluations/schema/evaluator.ts';
import {
  evaluatorInPath,
  listEvaluatorVersions,
  versionIdPattern,
} from '../../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'evaluators.versions.list',
  method: 'GET',
  path: '/projects/{project_id}/evaluators/{evaluator_id}/versions',
  summary: 'List the versions of an evaluator',
  description: 'Returns all versions, newest first. The first version is the current evaluator.',
  auth: 'conversations:read',
  project: 'existing',
  loads: { evaluator: evaluatorInPath },
  environments: 'none',
  request: {
    params: z.strictObject({ project_id: id('project'), evaluator_id: id('evaluator') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(EvaluatorVersion).meta({ id: 'EvaluatorVersionList' }) },
  access: { conversations: ['Query'] },

  async handle({ loaded: { evaluator }, query, store, cursor }) {
    const page = await listEvaluatorVersions(store, evaluator.id, {
      after: cursor.position(query.cursor, versionIdPattern),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
