/** Filters by scores: the evaluators that they name say what their values mean. */

import { invalidField } from '../base/errors.ts';
import { readNumber } from '../schema/common.ts';
import type { ScoreFilter } from '../scores/comparison.ts';
import type { Output } from '../scores/output.ts';
import { splitScoreFilter } from '../scores/sent-filters.ts';
import { getEvaluatorNames, type ProjectStore } from './store/evaluators.ts';

/**
 * @param filters the filters of the request, which its schema accepts
 * @param field the field of the request
 * @throws ApiError validation_error for an unknown name, and for a value that the evaluator cannot have
 */
export async function readScoreFilters(
  store: ProjectStore,
  filters: readonly string[] | undefined,
  field = 'score',
): Promise<ScoreFilter[]> {
  if (!filters?.length) return [];
  const parsedFilters = filters.map(splitScoreFilter);
  const evaluatorNames = await getEvaluatorNames(
    store,
    parsedFilters.map(({ name }) => name),
  );
  return parsedFilters.map((filter, index) => {
    const evaluator = evaluatorNames.find(({ id }) => id === filter.name);
    const path = `${field}.${index}`;
    if (!evaluator) throw invalidField(path, `names the evaluator ${filter.name}, which does not exist`);
    return readScoreFilter(filter, evaluator.output, path);
  });
}

type ParsedFilter = ReturnType<typeof splitScoreFilter>;

function readScoreFilter({ name, op, value }: ParsedFilter, output: Output, path: string): ScoreFilter {
  if (value === null) return { name, op, value };
  const isOrdered = op !== 'eq' && op !== 'ne';
  const refuse = (message: string) =>
    invalidField(path, `${message}, because the output of ${name} is ${output.type}`);
  switch (output.type) {
    case 'boolean':
      if (isOrdered || (value !== 'true' && value !== 'false'))
        throw refuse('must have eq or ne with true or false, or exists');
      return { name, op, value: value === 'true' };
    case 'number': {
      const number = readNumber(value);
      if (number === undefined) throw refuse('must have a number as in JSON');
      return { name, op, value: number };
    }
    case 'category':
      if (isOrdered || !output.values.includes(value))
        throw refuse(`must have eq or ne with one of ${output.values.join(', ')}, or exists`);
      return { name, op, value };
    default:
      throw refuse('must have exists');
  }
}
