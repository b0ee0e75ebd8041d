/** What a deployment would change: avatars and documents. */

import type {
  EnvironmentConfig,
  KnowledgeDocument,
  ProjectResources,
} from '../../../clients/typescript/src/index.ts';
import {
  type Avatar,
  type Environment,
  NotFoundError,
  NotIndexedError,
  noteText,
} from '../../../clients/typescript/src/index.ts';
import { CliError } from '../errors.ts';
import { counted } from '../output/text.ts';

/** What `--from` names. */
export type PromotedSource = { deploymentId: string } | { environment: string };

export type AvatarChange = {
  avatarId: string;
  name: string;
  change: 'added' | 'changed' | 'removed';
  /** The version that is served now. */
  from: number | null;
  to: number | null;
};

export type DocumentChange = {
  documentId: string;
  /** Null without the scope `knowledge:read`. */
  title: string | null;
  /** `pending` and `failed` documents are not in the index, so the deployment would not have their latest text. */
  change: 'added' | 'changed' | 'removed' | 'pending' | 'failed';
  /** Why a failed document is not in the index. */
  reason?: string;
};

export type DeployPlan = {
  environment: string;
  /** The deployment that is served now. */
  current: string | null;
  /** Whether a rollback has pinned the environment: the new deployment would stay staged. */
  pinned: boolean;
  /** The id of the rollout that runs: the new deployment would stay staged. Null if there is none. */
  rollout: string | null;
  avatars: AvatarChange[];
  /** The index that is served now, and the index that would be served. */
  knowledgeIndexVersion: { from: string | null; to: string | null };
  /** The documents. Without `--from`, deleted documents are left out, because the API does not list them. */
  documents: DocumentChange[];
  /** The warnings that `--strict` would refuse. */
  warnings: string[];
  /** The warning that `--strict-notes` would refuse. Null if all documents were read as a whole. */
  readInPart: string | null;
  /** Whether something would be deployed that is not served now. */
  changes: boolean;
};

/** @returns the part of an avatar that a runtime sees, as for `configHash` */
const visiblePart = (
  avatar: Omit<EnvironmentConfig['avatars'][number], 'model'> & { model?: Avatar['model'] },
) => {
  const { name, persona, voice, imageUrl, knowledgeTags, model, runtime, metadata } = avatar;
  const sorted = [model ?? {}, metadata].map((fields) => Object.entries(fields).sort());
  return JSON.stringify([name, persona, voice, imageUrl, knowledgeTags, runtime, sorted]);
};

/** Compares the avatars that an environment serves with those that it would serve. */
export function compareAvatars(
  served: EnvironmentConfig['avatars'],
  active: readonly Avatar[],
): AvatarChange[] {
  const before = new Map(served.map((avatar) => [avatar.id, avatar]));
  const after = new Map(active.map((avatar) => [avatar.id, avatar]));
  const changes = active.flatMap((avatar): AvatarChange[] => {
    const { id, name, version } = avatar;
    const old = before.get(id);
    if (
      old &&
      (old.version === version || visiblePart({ ...old, model: old.model ?? null }) === visiblePart(avatar))
    )
      return [];
    return [
      { avatarId: id, name, change: old ? 'changed' : 'added', from: old?.version ?? null, to: version },
    ];
  });
  const removed = served
    .filter(({ id }) => !after.has(id))
    .map(
      ({ id, name, version }): AvatarChange => ({
        avatarId: id,
        name,
        change: 'removed',
        from: version,
        to: null,
      }),
    );
  return [...changes, ...removed].sort((a, b) => (a.avatarId < b.avatarId ? -1 : 1));
}

/** @returns the environment; undefined if it does not exist yet */
export const environmentNamed = (project: ProjectResources, name: string): Promise<Environment | undefined> =>
  orUndefined(project.environments.get(name), NotFoundError);

/** Reads what a deployment would freeze now, and compares it with what is served. It changes nothing. */
export async function planDeployment(project: ProjectResources, name: string): Promise<DeployPlan> {
  const environment = await environmentNamed(project, name);
  const [config, deployment, active, search] = await Promise.all([
    environment?.current ? project.environments.config(name) : undefined,
    environment?.current ? project.deployments.get(environment.current) : undefined,
    activeAvatars(project),
    // A search is the cheapest way to learn the version of the published index.
    orUndefined(project.knowledge.search({ q: 'a', limit: 1 }), NotIndexedError),
  ]);
  const versions = { from: config?.knowledgeIndexVersion ?? null, to: search?.indexVersion ?? null };
  const { documents, tags, noted } = await documentChanges(project, versions, deployment?.createdAt);
  const avatars = compareAvatars(config?.avatars ?? [], active);
  const changes = environment?.current == null || avatars.length > 0 || versions.from !== versions.to;
  return {
    environment: name,
    current: environment?.current ?? null,
    pinned: environment?.pinned ?? false,
    rollout: config?.rollout?.id ?? null,
    avatars,
    knowledgeIndexVersion: versions,
    documents,
    warnings: warningsOf(documents, tags, active, versions.to),
    readInPart: inPartWarning(noted),
    changes,
  };
}

/** @returns the id of the deployment, or of the deployment that the environment serves */
async function promotedFrom(project: ProjectResources, from: PromotedSource): Promise<string> {
  if ('deploymentId' in from) return from.deploymentId;
  const { current } = await project.environments.get(from.environment);
  if (current !== null) return current;
  throw new CliError('notFound', `${from.environment} serves no deployment that could be promoted.`);
}

/** Compares a deployment with what an environment serves. It changes nothing. */
export async function planPromotion(
  project: ProjectResources,
  name: string,
  from: PromotedSource,
): Promise<DeployPlan> {
  const [environment, id] = await Promise.all([environmentNamed(project, name), promotedFrom(project, from)]);
  const since = environment?.current ?? null;
  const [next, served, config] = await Promise.all([
    project.deployments.config(id),
    since === null ? undefined : project.deployments.get(since),
    since === null ? undefined : project.environments.config(name),
  ]);
  const avatars: AvatarChange[] = [];
  const documents: DocumentChange[] = [];
  // An environment that serves nothing gets everything.
  if (since === null)
    for (const { id: avatarId, name: avatar, version } of next.avatars)
      avatars.push({ avatarId, name: avatar, change: 'added', from: null, to: version });
  else
    for await (const item of project.deployments.changes(id, { since, limit: 100 })) {
      const { change, name: title } = item;
      if (item.kind === 'document') documents.push({ documentId: item.id, title, change });
      else avatars.push({ avatarId: item.id, name: title ?? item.id, change, from: item.from, to: item.to });
    }
  return {
    environment: name,
    current: since,
    pinned: environment?.pinned ?? false,
    rollout: config?.rollout?.id ?? null,
    avatars,
    knowledgeIndexVersion: {
      from: served?.knowledgeIndexVersion ?? null,
      to: next.knowledgeIndexVersion,
    },
    documents,
    warnings: [],
    readInPart: null,
    changes: served?.configHash !== next.configHash,
  };
}

/**
 * @param frozenAt the time at which the served index was frozen. This index does not have a document that a later job indexed for
 * the first time.
 */
async function documentChanges(
  project: ProjectResources,
  { from, to }: DeployPlan['knowledgeIndexVersion'],
  frozenAt = '',
): Promise<{ documents: DocumentChange[]; tags: Set<string>; noted: KnowledgeDocument[] }> {
  const newVersions = new Set<string | null>([to]);
  if (from !== to)
    for await (const { type, status, result, finishedAt } of project.jobs.list({
      status: 'succeeded',
      limit: 100,
    })) {
      if (finishedAt !== null && finishedAt < frozenAt) break;
      if (type === 'knowledge.reindex' && status === 'succeeded' && result && 'indexVersion' in result)
        newVersions.add(result.indexVersion);
    }
  const changes: DocumentChange[] = [];
  const tags = new Set<string>();
  const noted: KnowledgeDocument[] = [];
  // The next index leaves out ignored documents, as if they were deleted.
  for await (const document of project.knowledge.documents.list({ limit: 100, ignored: false })) {
    const { id, title, status, indexVersion, createdAt } = document;
    const isNew = from !== to && indexVersion !== from && newVersions.has(indexVersion);
    if (status !== 'failed') for (const tag of document.tags) tags.add(tag);
    if (document.extractionNotes.length > 0) noted.push(document);
    if (status !== 'indexed') changes.push({ documentId: id, title, change: status, ...reasonOf(document) });
    else if (isNew)
      changes.push({ documentId: id, title, change: createdAt > frozenAt ? 'added' : 'changed' });
  }
  return { documents: changes, tags, noted };
}

function reasonOf({ error, extractionError }: KnowledgeDocument): { reason?: string } {
  const failure = extractionError ?? error;
  return failure ? { reason: `${failure.message} (${failure.code})` } : {};
}

/** How many documents a warning names. */
const maxNamed = 5;

function aboutDocuments(
  documents: readonly DocumentChange[],
  kind: 'pending' | 'failed',
  problem: string,
  advice: string,
): string[] {
  const missing = documents.filter(({ change }) => change === kind);
  if (missing.length === 0) return [];
  const names = missing.map(({ title, reason }) => (reason === undefined ? title : `${title}: ${reason}`));
  const count = counted(missing.length, 'document is', 'documents are');
  return [`${count} ${problem}. ${firstOf(names)}. ${advice}`];
}

/** @returns the first names, and the number of the others */
function firstOf(names: readonly (string | null)[]): string {
  const more = names.length > maxNamed ? [`${names.length - maxNamed} more`] : [];
  return [...names.slice(0, maxNamed), ...more].join('; ');
}

function inPartWarning(documents: readonly KnowledgeDocument[]): string | null {
  if (documents.length === 0) return null;
  const names = documents.map(
    ({ title, extractionNotes }) => `${title}: ${extractionNotes.map(noteText).join(', ')}`,
  );
  return `${counted(documents.length, 'document was', 'documents were')} read in part. ${firstOf(names)}.`;
}

/** @returns the warnings of the API, with the commands that help */
function warningsOf(
  documents: readonly DocumentChange[],
  tags: ReadonlySet<string>,
  avatars: readonly Avatar[],
  indexVersion: string | null,
): string[] {
  const withoutKnowledge = avatars.filter(
    ({ knowledgeTags }) => knowledgeTags.length > 0 && !knowledgeTags.some((tag) => tags.has(tag)),
  );
  const isEmpty = avatars.length === 0 && indexVersion === null;
  return [
    ...(isEmpty
      ? [
          'There is nothing to deploy, because the project has no active avatar and no published index. Create an avatar, or send documents and re-index.',
        ]
      : []),
    ...aboutDocuments(
      documents,
      'pending',
      'pending, so the index does not include the latest changes',
      'Build the index: platform reindex --wait',
    ),
    ...aboutDocuments(
      documents,
      'failed',
      'unreadable, so the index does not include the text',
      'Send each again with a text that can be read, delete it, or ignore it: platform knowledge ignore ID',
    ),
    ...withoutKnowledge.map(
      ({ name, knowledgeTags }) =>
        `No document has a knowledge tag of ${name} (${knowledgeTags.join(', ')}): a search by these tags finds nothing. Add a tag to the documents, or change the knowledge tags of the avatar.`,
    ),
  ];
}

async function activeAvatars(project: ProjectResources): Promise<Avatar[]> {
  const avatars: Avatar[] = [];
  for await (const avatar of project.avatars.list({ status: 'active', limit: 100 })) avatars.push(avatar);
  return avatars;
}

async function orUndefined<Value>(
  promise: PromiseLike<Value>,
  expected: new (...values: never[]) => Error,
): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}
