/** Versions of evaluators, and drafts, as they score conversations. */

import type { Conversation } from '../../conversations/schema/conversation.ts';
import type { Model } from '../../models/models.ts';
import type { Output } from '../../scores/output.ts';
import { factId } from '../../scores/score.ts';
import type { JudgeQuestion } from '../judge/request.ts';
import type { RuleState } from '../rules/evaluate.ts';
import type { Evaluator } from '../schema/evaluator.ts';
import {
  getAllEvaluators,
  getEvaluatorVersion,
  type ProjectStore,
  runsByItself,
} from '../store/evaluators.ts';
import type { StoredRunRequest } from '../store/runs.ts';

type Base = {
  /** Its place in the list of a run. */
  index: number;
  /** Null for a draft, whose scores are not stored. */
  evaluator: { id: string; name: string; version: number } | null;
  output: Output;
  appliesTo: Evaluator['appliesTo'];
  /** The credential on whose behalf it scores. */
  createdBy: string;
};
export type RuleScorer = Base & { kind: 'rule'; start: () => RuleState };
export type ModelScorer = Base & { kind: 'model'; model: Model; question: JudgeQuestion };
export type Scorer = RuleScorer | ModelScorer;

/** The model of an evaluator is not listed any more. */
export class UnlistedModel extends Error {}

type Content = Pick<Base, 'index' | 'evaluator' | 'output' | 'appliesTo' | 'createdBy'> &
  Pick<Evaluator, 'rule' | 'model'>;

/**
 * Loads what evaluates rules on demand: the dispatcher has the code of all workers, and must stay small.
 * @throws UnlistedModel
 */
export async function scorerOf({ rule, model, ...base }: Content, listed: readonly Model[]): Promise<Scorer> {
  if (rule) {
    const { prepareRule } = await import('../rules/evaluate.ts');
    return { ...base, kind: 'rule', start: prepareRule(rule) };
  }
  if (!model) throw new Error('an external evaluator does not score');
  const listedModel = listed.find(({ id }) => id === model.modelId);
  if (!listedModel) throw new UnlistedModel(`The model ${model.modelId} is not available any more.`);
  const { prompt, temperature } = model;
  return {
    ...base,
    kind: 'model',
    model: listedModel,
    question: { prompt, temperature, output: base.output },
  };
}

export const isFor = (
  { appliesTo: { avatarId, deploymentId, channel, tag } }: Pick<Scorer, 'appliesTo'>,
  conversation: Pick<Conversation, 'avatarId' | 'deploymentId' | 'channel' | 'tags'>,
): boolean =>
  (avatarId === undefined || conversation.avatarId === avatarId) &&
  (deploymentId === undefined || conversation.deploymentId === deploymentId) &&
  (channel === undefined || conversation.channel === channel) &&
  (tag === undefined || conversation.tags.includes(tag));

export function factIdOf(
  { kind, evaluator }: Pick<Scorer, 'kind' | 'evaluator'>,
  messageCount: number,
): string {
  if (!evaluator) throw new Error('the score of a draft is not stored');
  return factId({ name: evaluator.name, source: kind, version: evaluator.version, messageCount });
}

/**
 * A run has the evaluators in the versions that were current when it was requested.
 * @param createdBy the credential on whose behalf the run scores
 * @returns the evaluators that are active and not paused
 * @throws UnlistedModel
 */
export async function pinnedScorers(
  store: ProjectStore,
  { evaluators, draft }: Pick<StoredRunRequest, 'evaluators' | 'draft'>,
  createdBy: string,
  listed: readonly Model[],
): Promise<Scorer[]> {
  if (draft) {
    return [await scorerOf({ index: 0, evaluator: null, appliesTo: {}, createdBy, ...draft }, listed)];
  }
  const current = new Map((await getAllEvaluators(store)).map((one) => [one.id, one]));
  const scorers = await Promise.all(
    evaluators.map(async ({ id, version }, index) => {
      const evaluator = current.get(id);
      if (!evaluator || !runsByItself(evaluator)) return [];
      const content =
        evaluator.version === version ? evaluator : await getEvaluatorVersion(store, id, version);
      if (!content) return [];
      const { name, output, appliesTo, rule, model } = content;
      return [
        await scorerOf(
          { index, evaluator: { id, name, version }, output, appliesTo, createdBy, rule, model },
          listed,
        ),
      ];
    }),
  );
  return scorers.flat();
}
