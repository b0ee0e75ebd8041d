/**
 * The contents of a project, in the order of removal. Conversations, events and files are not in this list: ./purge-project.ts
 * removes them, with the items that only they name.
 */

import { deploymentContents } from '../../avatars/deployments/store/environments.ts';
import { avatarContents } from '../../avatars/store.ts';
import { exportRequestContents } from '../../bulk/exports/store.ts';
import { importContents } from '../../bulk/imports/store.ts';
import { conversationContents } from '../../conversations/store/contents.ts';
import { type Contents, tombstonesIn } from '../../dynamodb/contents.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import { evaluationContents } from '../../evaluations/store/contents.ts';
import { runContents } from '../../evaluations/store/runs.ts';
import { recordContents } from '../../idempotency/store.ts';
import { jobContents } from '../../jobs/store.ts';
import { dayUseContents } from '../../limits/store/day-uses.ts';
import { knowledgeContents, partsOfJob } from './knowledge.ts';

export type { Contents, ProjectStore };

export const projectContents = (store: ProjectStore): readonly Contents[] => [
  // A worker stops if its job is gone.
  ...jobContents(store, partsOfJob(store)),
  ...exportRequestContents(store),
  ...importContents(store),
  ...knowledgeContents(store),
  ...avatarContents(store),
  ...deploymentContents(store),
  ...conversationContents(store),
  ...evaluationContents(store),
  ...runContents(store),
  ...recordContents(store),
  ...dayUseContents(store),
  ...tombstonesIn(store),
];
