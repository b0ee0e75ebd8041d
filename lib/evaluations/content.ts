/** What an evaluator of each kind must have. */

import { invalidField } from '../base/errors.ts';
import { patternsOf, type Rule } from './rules/schema.ts';
import type { Evaluator } from './schema/evaluator.ts';

/** A table cannot store every number. */
const maxNumber = 1e12;
const minNumber = 1e-12;

type Content = Pick<Evaluator, 'kind' | 'output' | 'rule' | 'model'>;

/**
 * @param models the models that the stage lists
 * @param at the path of the content in the body
 * @throws ApiError validation_error
 */
export async function assertContent(
  { kind, output, rule, model }: Content,
  models: readonly { id: string }[],
  at: '' | 'draft.' = '',
): Promise<void> {
  if (kind === 'rule' && output.type !== 'boolean') {
    throw invalidField(`${at}output.type`, 'must be boolean for a rule');
  }
  for (const [name, value] of Object.entries({ output, rule, model })) {
    if (!hasStorableNumbers(value)) {
      throw invalidField(
        `${at}${name}`,
        `must have only numbers from -${maxNumber} to ${maxNumber}, and none close to 0`,
      );
    }
  }
  for (const [name, value] of [
    ['rule', rule],
    ['model', model],
  ] as const) {
    if (kind === name && value === null)
      throw invalidField(`${at}${name}`, `is required for the kind ${kind}`);
    if (kind !== name && value !== null)
      throw invalidField(`${at}${name}`, `must not be set for the kind ${kind}`);
  }
  if (model && !models.some(({ id }) => id === model.modelId)) {
    const modelIds = models.map(({ id }) => id);
    throw invalidField(
      `${at}model.modelId`,
      modelIds.length === 0 ? 'the service has no models' : `must be one of ${modelIds.join(', ')}`,
    );
  }
  if (rule) await assertPatterns(rule, at);
}

async function assertPatterns(rule: Rule, at: string): Promise<void> {
  const patterns = patternsOf(rule);
  if (patterns.length === 0) return;
  const { faultsOf } = await import('./rules/pattern.ts');
  const [fault] = faultsOf(patterns);
  if (fault) throw invalidField([`${at}rule`, ...fault.path].join('.'), fault.message);
}

function hasStorableNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return value === 0 || (Math.abs(value) >= minNumber && Math.abs(value) <= maxNumber);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasStorableNumbers);
}
