/**
 * Evaluators, each with a version for every change, in a partition of their project. A counter limits their number. An item
 * per name has what a score of that name needs. An index of the tenant has the evaluators that act on behalf of each
 * credential.
 */

import type { Caller } from '../../base/caller.ts';
import { idRangeOf } from '../../base/ids.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import { load } from '../../dynamodb/load.ts';
import { countSetBy, defineSetters } from '../../dynamodb/setters.ts';
import type { Page, ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { Output } from '../../scores/output.ts';
import type { Evaluator, EvaluatorVersion } from '../schema/evaluator.ts';

export type { ProjectStore };

export const maxEvaluators = 50;

export type StoredEvaluator = Stored<Evaluator>;
/** The id is the number of the version. */
export type StoredEvaluatorVersion = Stored<EvaluatorVersion & { id: string }>;
/** The id is the name. Both values never change. */
export type StoredEvaluatorName = Stored<{ id: string; evaluatorId: string; output: Output }>;

export const evaluatorsPlace = 'evaluators';
export const evaluators = projectCollection<StoredEvaluator>('conversations', () => [evaluatorsPlace]);
const evaluatorVersions = projectCollection<StoredEvaluatorVersion, [evaluatorId: string]>(
  'conversations',
  (evaluatorId) => [evaluatorsPlace, evaluatorId],
);
export const evaluatorNames = projectCollection<StoredEvaluatorName>('conversations', () => [
  'evaluator-names',
]);
const evaluatorCounts = projectCollection<Stored<{ id: 'evaluators'; count: number }>>(
  'conversations',
  () => ['evaluator-count'],
);
const countId = 'evaluators';

export const evaluatorSetters = defineSetters('conversations');

/** An id has ten digits, so that ids sort by number. */
const versionId = (version: number) => `v${String(version).padStart(10, '0')}`;
export const versionIdPattern = /^v\d{10}$/;

export const evaluatorInPath = load({
  from: [evaluators],
  read: (get, { evaluator_id }: { evaluator_id: string }) => get(evaluators, evaluator_id),
});

export const evaluatorVersionInPath = load({
  from: [evaluatorVersions],
  read: (get, { evaluator_id, version }: { evaluator_id: string; version: number }) =>
    get(evaluatorVersions, versionId(version), evaluator_id),
});

export const evaluatorNameInPath = load({
  from: [evaluatorNames],
  read: (get, { name }: { name: string }) => get(evaluatorNames, name),
});

export const getEvaluator = (store: ProjectStore, id: string): Promise<StoredEvaluator | undefined> =>
  evaluators.at(store).get(id);

/** @returns the evaluators that exist, unordered */
export const getEvaluators = (store: ProjectStore, ids: readonly string[]): Promise<StoredEvaluator[]> =>
  evaluators.at(store).getMany(ids);

export const getEvaluatorVersion = (
  store: ProjectStore,
  evaluatorId: string,
  version: number,
): Promise<StoredEvaluatorVersion | undefined> =>
  evaluatorVersions.at(store, evaluatorId).get(versionId(version));

/** @param names at most 100 @returns what is stored of each name that exists, unordered */
export const getEvaluatorNames = (
  store: ProjectStore,
  names: readonly string[],
): Promise<StoredEvaluatorName[]> => evaluatorNames.at(store).getMany([...new Set(names)]);

const { first: from, last: to } = idRangeOf('evaluator');

export const listEvaluators = (
  store: ProjectStore,
  page: {
    after: string | undefined;
    limit: number;
    filter?: (evaluator: StoredEvaluator) => boolean;
  },
): Promise<Page<StoredEvaluator>> => evaluators.at(store).page({ from, to, ...page });

export async function getAllEvaluators(store: ProjectStore): Promise<StoredEvaluator[]> {
  const { items } = await listEvaluators(store, { after: undefined, limit: maxEvaluators });
  return items;
}

/** Whether it scores conversations when they end. */
export const runsByItself = ({
  kind,
  status,
  paused,
}: Pick<Evaluator, 'kind' | 'status' | 'paused'>): boolean =>
  kind !== 'external' && status === 'active' && !paused;

/** @returns versions, newest first */
export const listEvaluatorVersions = (
  store: ProjectStore,
  evaluatorId: string,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredEvaluatorVersion>> => evaluatorVersions.at(store, evaluatorId).page(page);

export const createEvaluator = (
  store: ProjectStore,
  evaluator: Evaluator,
): Write<'too_many_evaluators' | 'evaluator_name_taken'>[] => [
  evaluators.at(store).put(evaluator),
  putVersion(store, evaluator, { createdAt: evaluator.createdAt, createdBy: evaluator.createdBy }),
  evaluatorSetters.put(store, evaluator),
  evaluatorNames
    .at(store)
    .put(
      { id: evaluator.name, evaluatorId: evaluator.id, output: evaluator.output },
      { condition: { kind: 'absent' }, onConditionFailed: 'evaluator_name_taken' },
    ),
  evaluatorCounts.at(store).update(
    countId,
    {},
    {
      add: { count: 1 },
      condition: { kind: 'absent_or_at_most', attribute: 'count', value: maxEvaluators - 1 },
      onConditionFailed: 'too_many_evaluators',
    },
  ),
];

/**
 * Creates a new version, if the evaluator is unchanged since it was read.
 * @param after the changed evaluator, with the next version number
 * @param changedBy the credential that creates this version
 */
export function changeEvaluator(
  store: ProjectStore,
  before: StoredEvaluator,
  after: Evaluator,
  changedBy: string,
): Write<never>[] {
  const { id, name: _, kind: __, output: ___, createdAt: ____, createdBy: _____, ...changes } = after;
  const writes = [
    evaluators.at(store).update(id, changes, { condition: unchanged(before) }),
    putVersion(store, after, { createdAt: after.updatedAt, createdBy: changedBy }),
  ];
  if (after.setBy === before.setBy) return writes;
  return [...writes, evaluatorSetters.remove(store, before), evaluatorSetters.put(store, after)];
}

/**
 * @param pausedEvaluator the evaluator in the table that the restored table replaces
 * @param before the evaluator in the restored table
 * @returns the writes with which the restored table finds a paused evaluator that is copied to it
 */
export function carryEvaluator(
  store: ProjectStore,
  pausedEvaluator: StoredEvaluator,
  before: StoredEvaluator | undefined,
): Write<never>[] {
  const { id, name, output, updatedAt, setBy } = pausedEvaluator;
  const any = { condition: { kind: 'any' } } as const;
  return [
    ...(before && before.setBy !== setBy ? [evaluatorSetters.remove(store, before)] : []),
    evaluatorSetters.put(store, pausedEvaluator),
    putVersion(store, pausedEvaluator, { createdAt: updatedAt, createdBy: setBy }, 'any'),
    ...(before
      ? []
      : [
          evaluatorNames.at(store).put({ id: name, evaluatorId: id, output }, any),
          evaluatorCounts.at(store).update(countId, {}, { add: { count: 1 }, ...any }),
        ]),
  ];
}

function putVersion(
  store: ProjectStore,
  evaluator: Evaluator,
  origin: Pick<EvaluatorVersion, 'createdAt' | 'createdBy'>,
  kind: 'absent' | 'any' = 'absent',
): Write<never> {
  const { id: evaluatorId, version, name, output } = evaluator;
  const { description, rule, model, appliesTo, status, paused } = evaluator;
  const content = { name, kind: evaluator.kind, output, description, rule, model, appliesTo, status, paused };
  return evaluatorVersions
    .at(store, evaluatorId)
    .put({ id: versionId(version), evaluatorId, version, ...content, ...origin }, { condition: { kind } });
}

/** @returns the number of evaluators that score conversations by themselves; see lib/dynamodb/setters.ts */
export const countEvaluatorsOf = (
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> =>
  countSetBy(evaluatorSetters, store, caller, keys, async (project, ids) =>
    (await getEvaluators(project, ids)).filter(runsByItself),
  );

/** @returns the evaluators of a project. Each leads to an item of the tenant, too */
export const evaluatorContents = (store: ProjectStore): Contents[] => [
  { ...evaluators.at(store), below: ({ id }) => [evaluatorVersions.at(store, id)] },
];

/** @returns the other items; see lib/dynamodb/contents.ts */
export const evaluationContents = (store: ProjectStore): Contents[] => [
  evaluatorNames.at(store),
  evaluatorCounts.at(store),
];
