/**
 * Sources, in a partition of their project. A counter limits their number. An index of the tenant has the sources that act on
 * behalf of each credential.
 */

import type { Caller } from '../../base/caller.ts';
import { idRangeOf } from '../../base/ids.ts';
import type { Quotas } from '../../base/stage-limits.ts';
import { isSourceName } from '../../documents/schema/source-name.ts';
import { projectCollection, type Stored, type Unstored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import { countSetBy, defineSetters } from '../../dynamodb/setters.ts';
import type { Page, ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { KnowledgeSource } from '../schema/source.ts';

export type { ProjectStore };

/** Not in the schema, which endpoints that only count sources would carry. */
export const maxSources = 50;

export type StoredSource = Stored<
  Omit<KnowledgeSource, 'health'> & {
    /** The quotas of the tenant when it was last set or refreshed by a request: its timer has no request. */
    quotas: Quotas;
  }
>;

/** The removal of a deleted source. Its id is the id of its job. */
type Removal = Stored<{ id: string; sourceId: string; keepDocuments: boolean }>;

export const sourcesPlace = 'sources';
export const sources = projectCollection<StoredSource>('knowledge', () => [sourcesPlace]);
export const removals = projectCollection<Removal>('knowledge', () => ['removals']);
export const sourceCounts = projectCollection<Stored<{ id: 'sources'; count: number }>>('knowledge', () => [
  'count',
]);
const countId = 'sources';
/** A restore does not bring back a deleted source, or its pages. */
const deletedSources = projectCollection<Stored<{ id: string }>>('knowledge', () => ['deleted']);

export const sourceSetters = defineSetters('knowledge');

export const knowledgeSourceInPath = load({
  from: [sources],
  read: (get, { source_id }: { source_id: string }) => get(sources, source_id),
});

export const getSource = (store: ProjectStore, id: string): Promise<StoredSource | undefined> =>
  sources.at(store).get(id);

/** @returns whether a source writes this document, so that nobody else may */
export const isManaged = async (
  store: ProjectStore,
  { source }: { source: string | null },
): Promise<boolean> => isSourceName(source) && (await getSource(store, source)) !== undefined;

const { first: from, last: to } = idRangeOf('knowledgeSource');

export const listSources = (
  store: ProjectStore,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredSource>> => sources.at(store).page({ from, to, ...page });

export const createSource = (
  store: ProjectStore,
  source: Unstored<StoredSource>,
): Write<'too_many_sources'>[] => [
  sources.at(store).put(source),
  sourceSetters.put(store, source),
  sourceCounts.at(store).update(
    countId,
    {},
    {
      add: { count: 1 },
      condition: { kind: 'absent_or_at_most', attribute: 'count', value: maxSources - 1 },
      onConditionFailed: 'too_many_sources',
    },
  ),
];

/** Changes some fields, if the source is unchanged since it was read. */
export function changeSource(
  store: ProjectStore,
  source: StoredSource,
  changes: Partial<Omit<Unstored<StoredSource>, 'id'>>,
): Write<never>[] {
  const write = sources.at(store).update(source.id, changes, { condition: unchanged(source) });
  const { setBy = source.setBy } = changes;
  if (setBy === source.setBy) return [write];
  return [write, sourceSetters.remove(store, source), sourceSetters.put(store, { id: source.id, setBy })];
}

/** Removes the source. The job removes its pages and documents. */
export const deleteSource = (
  store: ProjectStore,
  source: StoredSource,
  jobId: string,
  keepDocuments: boolean,
): Write<never>[] => [
  ...dropSource(store, source),
  removals.at(store).put({ id: jobId, sourceId: source.id, keepDocuments }),
  deletedSources.at(store).put({ id: source.id }, { condition: { kind: 'any' } }),
];

/** @returns the writes that remove the source and what leads to it. Its pages and documents stay */
export const dropSource = (store: ProjectStore, source: StoredSource): Write<never>[] => [
  sources.at(store).remove(source.id, { condition: unchanged(source) }),
  sourceSetters.remove(store, source),
  sourceCounts.at(store).update(countId, {}, { add: { count: -1 }, condition: { kind: 'present' } }),
];

/**
 * @param pausedSource the source in the table that the restored table replaces
 * @param before the source in the restored table
 * @returns the writes with which the restored table finds a paused source that is copied to it
 */
export const carrySetter = (
  store: ProjectStore,
  pausedSource: StoredSource,
  before: StoredSource | undefined,
): Write<never>[] => [
  ...(before && before.setBy !== pausedSource.setBy ? [sourceSetters.remove(store, before)] : []),
  sourceSetters.put(store, pausedSource),
  ...(before
    ? []
    : [sourceCounts.at(store).update(countId, {}, { add: { count: 1 }, condition: { kind: 'any' } })]),
];

export const getRemoval = (store: ProjectStore, jobId: string): Promise<Removal | undefined> =>
  removals.at(store).get(jobId);

export const endRemoval = (store: ProjectStore, jobId: string): Write<never> =>
  removals.at(store).remove(jobId, { condition: { kind: 'any' } });

/** @returns the number of sources that are not paused; see lib/dynamodb/setters.ts */
export const countSourcesOf = (
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> =>
  countSetBy(sourceSetters, store, caller, keys, async (project, ids) =>
    (await sources.at(project).getMany(ids)).filter(({ paused }) => !paused),
  );
