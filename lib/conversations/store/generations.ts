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
  removing?: readonly Generation[];
  /** The project is being purged. */
  closed?: true;
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
export const closeGenerations = (store: ProjectStore, stored: StoredGenerations | undefined): Write<never> =>
  generations
    .at(store)
    .update(
      indexedId,
      { current: currentGeneration(stored), through: stored?.through ?? '', closed: true },
      { condition: { kind: 'any' } },
    );

/** Begins another generation. An earlier generation that is not complete will be removed. */
export function beginGeneration(store: ProjectStore, stored: StoredGenerations, jobId: string): Write<never> {
  const number = Math.max(...storedGenerations(stored).map((generation) => generation.number)) + 1;
  const building = { number, tokenizer: tokenizers.current, jobId };
  const removing = [...(stored.removing ?? []), ...incompleteOf(stored)];
  return change(store, stored, { building, removing });
}

/** Makes requests read the generation that was built. The previous generation will be removed. */
export const publishGeneration = (
  store: ProjectStore,
  stored: StoredGenerations & { building: Generation },
): Write<never> => {
  const { number, tokenizer } = stored.building;
  const removing = [...(stored.removing ?? []), stored.current];
  return change(store, stored, { current: { number, tokenizer }, removing }, ['building']);
};

/** Stops building. The incomplete generation will be removed. */
export const abandonGeneration = (store: ProjectStore, stored: StoredGenerations): Write<never> =>
  change(store, stored, { removing: [...(stored.removing ?? []), ...incompleteOf(stored)] }, ['building']);

const incompleteOf = ({ building }: StoredGenerations): readonly Generation[] =>
  building ? [{ number: building.number, tokenizer: building.tokenizer }] : [];

/** @param removed generations of which nothing is stored any more */
export const forgetGenerations = (
  store: ProjectStore,
  stored: StoredGenerations,
  removed: readonly Generation[],
): Write<never> => {
  const numbers = new Set(removed.map(({ number }) => number));
  const removing = (stored.removing ?? []).filter(({ number }) => !numbers.has(number));
  return change(store, stored, { removing });
};

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
