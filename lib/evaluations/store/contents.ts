/** What a project holds of evaluators. */

import type { Contents } from '../../dynamodb/contents.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import { evaluatorCounts, evaluatorNames, evaluators, evaluatorVersions } from './evaluators.ts';

/** @returns the evaluators of a project. Each leads to an item of the tenant, too */
export const evaluatorContents = (store: ProjectStore): Contents[] => [
  { ...evaluators.at(store), below: ({ id }) => [evaluatorVersions.at(store, id)] },
];

/** @returns the other items; see lib/dynamodb/contents.ts */
export const evaluationContents = (store: ProjectStore): Contents[] => [
  evaluatorNames.at(store),
  evaluatorCounts.at(store),
];
