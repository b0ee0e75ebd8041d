/** The items of conversations in a project, without the conversations and their messages. */

import type { Contents } from '../../dynamodb/contents.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import { rolloutUnits } from '../../rollouts/units/store.ts';
import { conversationPointers } from './conversations.ts';
import { allCountersIn, contributionsIn } from './counters.ts';
import { generations, storedGenerations } from './generations.ts';
import { retentionCheckpoints } from './retention.ts';

/** @returns the items that can be removed after the conversations; see lib/dynamodb/contents.ts */
export const conversationContents = (store: ProjectStore): Contents[] => [
  conversationPointers.at(store),
  rolloutUnits.at(store),
  retentionCheckpoints.at(store),
  {
    ...generations.at(store),
    below: (item) =>
      storedGenerations(generations.read(item)).flatMap((generation) => [
        ...allCountersIn(store, generation),
        contributionsIn(store, generation),
      ]),
  },
];
