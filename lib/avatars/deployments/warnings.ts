/**
 * Warnings for an empty deployment, for stored documents that the deployment does not include, and for avatars that find no
 * document. Each has advice that helps.
 */

import type { DeploymentWarning, FrozenAvatar, WarnedDocument } from './schema.ts';

/** How many documents are missing, and the first of them. */
type Missing = {
  count: number;
  first: readonly (WarnedDocument & { title: string })[];
};

/** The documents of the project. The numbers are a minimum, and the tags a part, unless `isComplete`. */
type Documents = { pending: Missing; failed: Missing; tags: ReadonlySet<string>; isComplete: boolean };

type TaggedAvatar = Pick<FrozenAvatar, 'name' | 'knowledgeTags'>;

type Project = {
  documents: Documents;
  avatars: readonly TaggedAvatar[];
  indexVersion: string | null;
  /** Whether the caller may see the titles and ids of documents: with `knowledge:read`. */
  showsTitles: boolean;
};

/** How many avatars, and how many tags of each, a message names. */
const maxNamed = 3;

/** @returns a warning for an empty deployment, for each affected kind of documents, and for avatars whose tags no document has */
export function warningsOf({
  documents: { pending, failed, tags, isComplete },
  avatars,
  indexVersion,
  showsTitles,
}: Project): DeploymentWarning[] {
  const about = ({ count }: Missing, one: string, many: string) =>
    `${isComplete ? '' : 'At least '}${count} ${count === 1 ? `document ${one}` : `documents ${many}`}`;
  const without = isComplete ? avatars.filter((avatar) => isWithout(avatar, tags)) : [];
  const warnings: DeploymentWarning[] = [
    {
      code: 'documents_pending',
      message:
        `${about(pending, 'is', 'are')} pending, so the index does not include the latest changes: ` +
        `${documentNames(pending, showsTitles)}. Re-index, wait for the job, and deploy again.`,
      count: pending.count,
      documents: shownDocuments(pending, showsTitles),
    },
    {
      code: 'documents_failed',
      message:
        `${about(failed, 'has', 'have')} failed, so the index does not include ` +
        `${failed.count === 1 ? 'its text' : 'their texts'}: ` +
        `${documentNames(failed, showsTitles)}. Send each document again with a text that can be read, delete it, ` +
        'or ignore it.',
      count: failed.count,
      documents: shownDocuments(failed, showsTitles),
    },
    {
      code: 'knowledge_tags_unmatched',
      message:
        `No document has a knowledge tag of ${avatarNames(without)}: a search by these tags finds nothing. ` +
        'Add a tag to the documents, or change the knowledge tags of the avatar.',
      count: without.length,
      documents: [],
    },
  ];
  const isEmpty = avatars.length === 0 && indexVersion === null;
  return [...(isEmpty ? [nothingToDeploy] : []), ...warnings.filter(({ count }) => count > 0)];
}

const nothingToDeploy: DeploymentWarning = {
  code: 'nothing_to_deploy',
  message:
    'There is nothing to deploy, because the project has no active avatar and no published index. Create an avatar, or ' +
    'send documents and re-index.',
  count: 0,
  documents: [],
};

const shownDocuments = ({ first }: Missing, showsTitles: boolean): WarnedDocument[] =>
  first.map((document) => (showsTitles ? document : { ...document, title: null, externalId: null }));

/** The names with the codes of the reasons. */
function documentNames({ count, first }: Missing, showsTitles: boolean): string {
  const names = first.map(({ documentId, title, code }) => `${showsTitles ? title : documentId} (${code})`);
  return [...names, ...(count > first.length ? [`${count - first.length} more`] : [])].join(', ');
}

/** Whether the avatar has tags, and no document has any of them. */
const isWithout = ({ knowledgeTags }: TaggedAvatar, tags: ReadonlySet<string>): boolean =>
  knowledgeTags.length > 0 && !knowledgeTags.some((tag) => tags.has(tag));

function avatarNames(avatars: readonly TaggedAvatar[]): string {
  const names = avatars.map(({ name, knowledgeTags }) => `${name} (${shortened(knowledgeTags).join(', ')})`);
  return shortened(names).join(', ');
}

/** The first items, and the number of the rest. */
const shortened = (names: readonly string[]): string[] =>
  names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : [...names];
