/**
 * The contents of a project, in the order of removal. Conversations, events and files are not in this list:
 * lib/erasure/purge-project.ts removes them, with the items that only they name.
 */

import { deploymentContents } from '../../avatars/deployments/store/environments.ts';
import { avatarContents } from '../../avatars/store.ts';
import { exportRequestContents } from '../../bulk/exports/store.ts';
import { importContents } from '../../bulk/imports/store.ts';
import { conversationContents } from '../../conversations/store/contents.ts';
import { contents, contentsPlace } from '../../documents/store/contents.ts';
import { deletedDocuments, documents } from '../../documents/store/documents.ts';
import { pointers } from '../../documents/store/external-names.ts';
import { extractions, extractionsPlace } from '../../documents/store/extractions.ts';
import { textParts } from '../../documents/store/text-parts.ts';
import { type Contents, tombstonesIn } from '../../dynamodb/contents.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Item } from '../../dynamodb/write.ts';
import { evaluationContents } from '../../evaluations/store/evaluators.ts';
import { runContents } from '../../evaluations/store/runs.ts';
import { recordContents } from '../../idempotency/store.ts';
import { openBuilds, storedBuilds } from '../../indexing/store/builds.ts';
import { encodingSteps, stepsPlace } from '../../indexing/store/encoding-steps.ts';
import { expungedDocuments, expungingDocuments } from '../../indexing/store/expunged.ts';
import { partitionsOf } from '../../indexing/store/parts.ts';
import { publishedVersions, versions } from '../../indexing/store/versions.ts';
import { jobContents } from '../../jobs/store.ts';
import { dayUseContents } from '../../limits/store/day-uses.ts';
import { replyRequests } from '../../replies/store/replies.ts';
import { rolloutContents, rolloutPlace } from '../../rollouts/store.ts';
import { partitionsOfSource } from '../../sources/store/pages.ts';
import { removals, sourceCounts, sources, sourcesPlace } from '../../sources/store/sources.ts';
import { purgePositions } from './positions.ts';

export type { Contents, ProjectStore };

export const projectContents = (store: ProjectStore): readonly Contents[] => [
  // A worker stops if its job is gone.
  ...jobContents(store, partsOfJob(store)),
  ...exportRequestContents(store),
  ...importContents(store),
  ...knowledgeContents(store),
  ...avatarContents(store),
  ...rolloutContents(store),
  ...deploymentContents(store),
  ...conversationContents(store),
  replyRequests.at(store),
  purgePositions.at(store),
  ...evaluationContents(store),
  ...runContents(store),
  ...recordContents(store),
  ...dayUseContents(store),
  ...tombstonesIn(store),
];

/** @returns the parts of the build that a job writes: they have its id */
const partsOfJob =
  (store: ProjectStore) =>
  ({ id }: Item): Contents[] =>
    partitionsOf(store, id);

/** The places below a project with items that workers get notices of. During a suspension, the notices wait in the schedule. */
export const waitingPlaces: readonly string[] = [
  sourcesPlace,
  extractionsPlace,
  contentsPlace,
  stepsPlace,
  rolloutPlace,
];

/** @returns the sources of a project. Each leads to an item of the tenant, too */
export const sourceContents = (store: ProjectStore): Contents[] => [
  { ...sources.at(store), below: ({ id }) => partitionsOfSource(store, id) },
];

/** The documents of a project, and their indexes. */
const knowledgeContents = (store: ProjectStore): Contents[] => [
  documents.at(store),
  { ...removals.at(store), below: ({ sourceId }) => partitionsOfSource(store, String(sourceId)) },
  sourceCounts.at(store),
  contents.at(store),
  textParts.at(store),
  extractions.at(store),
  pointers.at(store),
  deletedDocuments.at(store),
  encodingSteps.at(store),
  publishedVersions.at(store),
  { ...versions.at(store), below: ({ build }) => partitionsOf(store, String(build)) },
  { ...openBuilds.at(store), below: partsOfJob(store) },
  { ...storedBuilds.at(store), below: partsOfJob(store) },
  expungingDocuments.at(store),
  expungedDocuments.at(store),
];
