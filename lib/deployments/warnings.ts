/**
 * Warnings for an empty deployment, for stored documents that the deployment does not include, and for avatars that find no
 * document.
 */

import type { DeploymentWarning, FrozenAvatar } from './schema.ts';

/** The documents of the project. The numbers are a minimum, and the tags a part, unless `isComplete`. */
type Documents = { pending: number; failed: number; tags: ReadonlySet<string>; isComplete: boolean };

type TaggedAvatar = Pick<FrozenAvatar, 'name' | 'knowledgeTags'>;

/** How many avatars, and how many tags of each, a message names. */
const maxNamed = 3;

/** @returns a warning for an empty deployment, for each affected kind of documents, and for avatars whose tags no document has */
export function warningsOf(
  { pending, failed, tags, isComplete }: Documents,
  avatars: readonly TaggedAvatar[],
  indexVersion: string | null,
): DeploymentWarning[] {
  const about = (count: number) =>
    `${isComplete ? '' : 'At least '}${count} ${count === 1 ? 'document is' : 'documents are'}`;
  const without = isComplete ? avatars.filter((avatar) => isWithout(avatar, tags)) : [];
  const warnings: DeploymentWarning[] = [
    {
      code: 'documents_pending',
      message: `${about(pending)} pending: the index does not include the latest changes. Re-index before you deploy.`,
      count: pending,
    },
    {
      code: 'documents_failed',
      message: `${about(failed)} failed: the index does not include their text. Their \`error\` has the reason.`,
      count: failed,
    },
    {
      code: 'knowledge_tags_unmatched',
      message: `No document has a knowledge tag of ${namesOf(without)}: a search by these tags finds nothing.`,
      count: without.length,
    },
  ];
  const isEmpty = avatars.length === 0 && indexVersion === null;
  return [...(isEmpty ? [nothingToDeploy] : []), ...warnings.filter(({ count }) => count > 0)];
}

const nothingToDeploy: DeploymentWarning = {
  code: 'nothing_to_deploy',
  message: 'There is nothing to deploy: the project has no active avatar and no published index.',
  count: 0,
};

/** Whether the avatar has tags, and no document has any of them. */
const isWithout = ({ knowledgeTags }: TaggedAvatar, tags: ReadonlySet<string>): boolean =>
  knowledgeTags.length > 0 && !knowledgeTags.some((tag) => tags.has(tag));

function namesOf(avatars: readonly TaggedAvatar[]): string {
  const names = avatars.map(({ name, knowledgeTags }) => `${name} (${shortened(knowledgeTags).join(', ')})`);
  return shortened(names).join(', ');
}

/** The first items, and the number of the rest. */
const shortened = (names: readonly string[]): string[] =>
  names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : [...names];
