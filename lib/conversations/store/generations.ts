/**
 * The index of words and the sums, which workers derive from conversations, are stored in generations: numbered copies in
 * partitions of their own. Requests read one generation. While another generation is built, workers write to both. One item of
 * the project names them.
 *
 * A generation has one tokenizer for its whole life, so an entry is always found and removed by the words it was made of.
 */

import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { tokenizers } from '../../text/terms.ts';

export type Generation = { number: number; tokenizer: number };

export type UnusedGeneration = Generation & {
  /** The job that leaves it, and removes it, also if the job does not succeed. Earlier versions do not store it. */
  jobId?: string;
  /** How far it is removed: lib/conversations/generations.ts. */
  upTo?: string;
};

export const generationPart = ({ number }: Generation): string => `g${number}`;

const indexedId = 'indexed';

export type StoredGenerations = Stored<{
  id: typeof indexedId;
  /** The generation that requests read. */
  current: Generation;
  /** The latest `createdAt` of the indexed messages. Empty if there are no messages. */
  through: string;
  building?: Generation & { jobId: string };
  /** Unused generations, which are being removed. */
  removing?: readonly UnusedGeneration[];
  /** The project is being purged. */
  closed?: true;
  /** Earlier versions do not store it. */
  closedAt?: string;
}>;

export const generations = projectCollection<StoredGenerations>('conversationSearch');

export const generationsOfProject = load({
  from: [generations],
  read: (get) => get(generations, indexedId),
});

const firstGeneration = { number: 1, tokenizer: tokenizers.current };

/** @param stored undefined if no worker has written anything */
export const currentGeneration = (stored: StoredGenerations | undefined): Generation =>
  stored?.current ?? firstGeneration;

/** @returns the generations in which entries may be stored, so that an erasure must look there */
export const storedGenerations = (stored: StoredGenerations | undefined): readonly Generation[] => [
  currentGeneration(stored),
  ...(stored?.building ? [stored.building] : []),
  ...(stored?.removing ?? []),
];

export const writtenGenerations = ({
  current,
  building,
  closed,
}: StoredGenerations): readonly Generation[] => {
  if (closed) return [];
  return building ? [current, building] : [current];
};

export const getGenerations = (store: ProjectStore): Promise<StoredGenerations | undefined> =>
  generations.at(store).get(indexedId);

/** Names the first generation. It must be named before anything is written to it. */
export const openGenerations = (store: ProjectStore): Write<never> =>
  generations
    .at(store)
    .update(indexedId, { current: firstGeneration, through: '' }, { condition: { kind: 'absent' } });

/** Lets no worker begin to write, because the project is purged. */
export const closeGenerations = (
  store: ProjectStore,
  stored: StoredGenerations | undefined,
  closedAt: string,
): Write<never> =>
  generations
    .at(store)
    .update(
      indexedId,
      { current: currentGeneration(stored), through: stored?.through ?? '', closed: true, closedAt },
      { condition: { kind: 'any' } },
    );

/** Begins another generation. An earlier generation that is not complete will be removed. */
export function beginGeneration(store: ProjectStore, stored: StoredGenerations, jobId: string): Write<never> {
  const number = Math.max(...storedGenerations(stored).map((generation) => generation.number)) + 1;
  const building = { number, tokenizer: tokenizers.current, jobId };
  return change(store, stored, { building, removing: withIncomplete(stored) });
}

/** Makes requests read the generation that was built. The previous generation will be removed. */
export const publishGeneration = (
  store: ProjectStore,
  stored: StoredGenerations & { building: NonNullable<StoredGenerations['building']> },
): Write<never> => {
  const { number, tokenizer, jobId } = stored.building;
  const removing = [...(stored.removing ?? []), { ...stored.current, jobId }];
  return change(store, stored, { current: { number, tokenizer }, removing }, ['building']);
};

/** Stops building. The incomplete generation will be removed. */
export const abandonGeneration = (store: ProjectStore, stored: StoredGenerations): Write<never> =>
  change(store, stored, { removing: withIncomplete(stored) }, ['building']);

const withIncomplete = ({ removing = [], building }: StoredGenerations): readonly UnusedGeneration[] =>
  building ? [...removing, building] : removing;

/** Nothing of this generation is stored any more. */
export const forgetGeneration = (
  store: ProjectStore,
  stored: StoredGenerations,
  { number }: Generation,
): Write<never> =>
  change(store, stored, { removing: (stored.removing ?? []).filter((one) => one.number !== number) });

/** Stores how far a generation is removed, unless another run has removed it. */
export function moveRemoval(
  store: ProjectStore,
  stored: StoredGenerations,
  { number }: Generation,
  upTo: string,
): Write<never>[] {
  const { removing = [] } = stored;
  if (!removing.some((one) => one.number === number)) return [];
  const moved = removing.map((one) => (one.number === number ? { ...one, upTo } : one));
  return [change(store, stored, { removing: moved })];
}

/** Fails if the item was changed after it was read. */
const change = (
  store: ProjectStore,
  stored: StoredGenerations,
  changes: Partial<Pick<StoredGenerations, 'current' | 'building' | 'removing'>>,
  drop: 'building'[] = [],
): Write<never> => generations.at(store).update(indexedId, changes, { condition: unchanged(stored), drop });

/** Fails if a later time is stored. */
export const noteIndexed = (store: ProjectStore, through: string): Write<never> =>
  generations
    .at(store)
    .update(
      indexedId,
      { through },
      { condition: { kind: 'absent_or_before', attribute: 'through', value: through } },
    );
