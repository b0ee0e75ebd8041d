import * as z from 'zod';
import {
  Evaluator,
  evaluatorKind,
  evaluatorName,
  evaluatorStatus,
} from '../../lib/evaluations/schema/evaluator.ts';
import { listEvaluators, type StoredEvaluator } from '../../lib/evaluations/store/evaluators.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'evaluators.list',
  method: 'GET',
  path: '/projects/{project_id}/evaluators',
  summary: 'List evaluators',
  description:
    'Returns the current state, newest first.\n\nWith a selective filter, a page may have fewer than `limit` items, or no ' +
    'items. Continue until `nextCursor` is null.',
  auth: 'conversations:read',
  project: 'existing',
  environments: 'none',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      name: evaluatorName.optional().meta({ description: 'Only the evaluator with this name.' }),
      kind: evaluatorKind.optional().meta({ description: 'Only evaluators of this kind.' }),
      status: evaluatorStatus.optional().meta({ description: 'Only evaluators with this status.' }),
    }),
  },
  responses: { 200: listOf(Evaluator).meta({ id: 'EvaluatorList' }) },
  access: { conversations: ['Query'] },

  async handle({ query, store, cursor }) {
    const { name, kind, status } = query;
    const filter = (evaluator: StoredEvaluator) =>
      (name === undefined || evaluator.name === name) &&
      (kind === undefined || evaluator.kind === kind) &&
      (status === undefined || evaluator.status === status);
    const page = await listEvaluators(store, {
      filter,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
