/**
 * A deployment has warnings if it is empty, for stored documents that it does not include as a whole, and for avatars that find no
 * document. Each warning has advice that helps.
 */

import type { DeploymentWarning, FrozenAvatar, WarnedDocument } from './schema.ts';

/** The number of missing documents, and the first of them. */
type MissingDocuments = {
  count: number;
  first: readonly (WarnedDocument & { title: string })[];
};

/** The documents of the project. Unless `isComplete`, the numbers are a minimum, and the tags are a part. */
type Documents = {
  pending: MissingDocuments;
  failed: MissingDocuments;
  inPart: MissingDocuments;
  tags: ReadonlySet<string>;
  isComplete: boolean;
};

type TaggedAvatar = Pick<FrozenAvatar, 'name' | 'knowledgeTags'>;

type Project = {
  documents: Documents;
  avatars: readonly TaggedAvatar[];
  indexVersion: string | null;
  /** A caller with `knowledge:read` may see the titles and ids of documents. */
  showsTitles: boolean;
};

/** A message names at most so many avatars, and so many tags of each. */
const maxNamed = 3;

/** @returns a warning for an empty deployment, for each affected kind of documents, and for avatars whose tags no document has */
export function warningsOf({
  documents: { pending, failed, inPart, tags, isComplete },
  avatars,
  indexVersion,
  showsTitles,
}: Project): DeploymentWarning[] {
  const about = ({ count }: MissingDocuments, singular: string, plural: string) =>
    `${isComplete ? '' : 'At least '}${count} ${count === 1 ? `document ${singular}` : `documents ${plural}`}`;
  const unmatched = isComplete ? avatars.filter((avatar) => isUnmatched(avatar, tags)) : [];
  const warnings: DeploymentWarning[] = [
    {
      code: 'documents_pending',
      message:
        `${about(pending, 'is', 'are')} pending, so the index does not include the latest changes: ` +
        `${documentNames(pending, showsTitles)}. Re-index, wait for the job, and deploy again.`,
      count: pending.count,
      documents: documentsForCaller(pending, showsTitles),
    },
    {
      code: 'documents_failed',
      message:
        `${about(failed, 'has', 'have')} failed, so the index does not include ` +
        `${failed.count === 1 ? 'its text' : 'their texts'}: ` +
        `${documentNames(failed, showsTitles)}. Send each document again with a text that can be read, delete it, ` +
        'or ignore it.',
      count: failed.count,
      documents: documentsForCaller(failed, showsTitles),
    },
    {
      code: 'documents_read_in_part',
      message:
        `${about(inPart, 'was', 'were')} read in part: ${documentNames(inPart, showsTitles)}. Their \`extractionNotes\` say ` +
        'what was left out. Send a file from which everything can be read, or deploy as it is.',
      count: inPart.count,
      documents: documentsForCaller(inPart, showsTitles),
    },
    {
      code: 'knowledge_tags_unmatched',
      message:
        `No document has a knowledge tag of ${avatarNames(unmatched)}: a search by these tags finds nothing. ` +
        'Add a tag to the documents, or change the knowledge tags of the avatar.',
      count: unmatched.length,
      documents: [],
    },
  ];
  const isEmpty = avatars.length === 0 && indexVersion === null;
  return [...(isEmpty ? [nothingToDeploy] : []), ...warnings.filter(({ count }) => count > 0)];
}

/** @returns the warnings for which a strict request is refused */
export const strictWarnings = (
  warnings: readonly DeploymentWarning[],
  { strict, strictNotes }: { strict?: boolean | undefined; strictNotes?: boolean | undefined },
): DeploymentWarning[] =>
  warnings.filter(({ code }) => (code === 'documents_read_in_part' ? strictNotes : strict));

const nothingToDeploy: DeploymentWarning = {
  code: 'nothing_to_deploy',
  message:
    'There is nothing to deploy, because the project has no active avatar and no published index. Create an avatar, or ' +
    'send documents and re-index.',
  count: 0,
  documents: [],
};

const documentsForCaller = ({ first }: MissingDocuments, showsTitles: boolean): WarnedDocument[] =>
  first.map((document) => (showsTitles ? document : { ...document, title: null, externalId: null }));

/** @returns the names with the codes of the reasons */
function documentNames({ count, first }: MissingDocuments, showsTitles: boolean): string {
  const names = first.map(({ documentId, title, code }) => `${showsTitles ? title : documentId} (${code})`);
  return [...names, ...(count > first.length ? [`${count - first.length} more`] : [])].join(', ');
}

/** @returns whether the avatar has tags, and no document has any of them */
const isUnmatched = ({ knowledgeTags }: TaggedAvatar, tags: ReadonlySet<string>): boolean =>
  knowledgeTags.length > 0 && !knowledgeTags.some((tag) => tags.has(tag));

function avatarNames(avatars: readonly TaggedAvatar[]): string {
  const names = avatars.map(({ name, knowledgeTags }) => `${name} (${shortened(knowledgeTags).join(', ')})`);
  return shortened(names).join(', ');
}

/** @returns the first items, and the number of the others */
const shortened = (names: readonly string[]): string[] =>
  names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : [...names];
