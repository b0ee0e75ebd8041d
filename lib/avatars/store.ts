/**
 * Avatars, each with a version for every change. Everything that changes an avatar also writes the `changes` item of its
 * project, so that who reads all avatars can tell whether one has changed since.
 */

import { projectCollection, type Stored, unchanged } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import type { Page, ProjectStore } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { firstIdAt, idRangeOf } from '../ids.ts';
import type { Avatar, AvatarVersion } from './schema.ts';

export type StoredAvatar = Stored<Avatar>;
/** Its id is its number. */
export type StoredAvatarVersion = Stored<AvatarVersion & { id: string }>;

export const avatars = projectCollection<StoredAvatar>('avatars');
export const avatarVersions = projectCollection<StoredAvatarVersion, [avatarId: string]>(
  'avatars',
  (avatarId) => [avatarId],
);
/** One small item for each active avatar, so that a deployment finds them without reading the archived ones. */
export const activeAvatars = projectCollection<Stored<{ id: string }>>('avatars', () => ['active']);
/** The ids of deleted avatars: only they lead to the versions, which stay. */
export const removedAvatars = projectCollection<Stored<{ id: string }>>('avatars', () => ['removed']);
/** One item, which has nothing but its stamps. */
export const avatarChanges = projectCollection<Stored<{ id: typeof changesId }>>('avatars', () => ['active']);

const changesId = 'changes';
const idRange = idRangeOf('avatar');

/** Ten digits, so that text sorts as the number does. */
const versionId = (version: number) => `v${String(version).padStart(10, '0')}`;
export const versionIdPattern = /^v\d{10}$/;

export const avatarInPath = load({
  from: [avatars],
  read: (get, { avatar_id }: { avatar_id: string }) => get(avatars, avatar_id),
});

export const avatarVersionInPath = load({
  from: [avatarVersions],
  read: (get, { avatar_id, version }: { avatar_id: string; version: number }) =>
    get(avatarVersions, versionId(version), avatar_id),
});

export type AvatarList = {
  status: Avatar['status'] | undefined;
  /** Whatever its case. */
  namePrefix: string | undefined;
  /** Epoch milliseconds, the first is included, the last is not. */
  createdFromMs: number | undefined;
  createdBeforeMs: number | undefined;
  after: string | undefined;
  limit: number;
};

export function listAvatars(store: ProjectStore, list: AvatarList): Promise<Page<StoredAvatar>> {
  const { status, namePrefix, createdFromMs, createdBeforeMs, after, limit } = list;
  const prefix = namePrefix === undefined ? '' : folded(namePrefix);
  return avatars.at(store).page({
    from: createdFromMs === undefined ? idRange.first : firstIdAt('avatar', createdFromMs),
    to: createdBeforeMs === undefined ? idRange.last : firstIdAt('avatar', createdBeforeMs),
    after,
    limit,
    filter: (avatar) =>
      (status === undefined || avatar.status === status) && folded(avatar.name).startsWith(prefix),
  });
}

/** One spelling for what people take for the same text. */
const folded = (text: string) => text.normalize('NFC').toLowerCase();

/** Newest first. Those of a deleted avatar are there too. */
export const listAvatarVersions = (
  store: ProjectStore,
  avatarId: string,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredAvatarVersion>> => avatarVersions.at(store, avatarId).page(page);

/** An avatar in one of its versions. */
export type AvatarReference = { avatarId: string; version: number };

/**
 * @param references at most 100
 * @returns the versions, in the order of their avatars' ids
 */
export async function getAvatarVersions(
  store: ProjectStore,
  references: readonly AvatarReference[],
): Promise<StoredAvatarVersion[]> {
  const keys = references.map(({ avatarId, version }) => [versionId(version), avatarId] as const);
  const versions = await avatarVersions.getMany(store, keys);
  return versions.sort((a, b) => (a.avatarId < b.avatarId ? -1 : 1));
}

/**
 * @param max at most 100
 * @returns the ids of all active avatars of the project, or undefined where there are more
 */
export async function listActiveAvatarIds(store: ProjectStore, max: number): Promise<string[] | undefined> {
  const { first: from, last: to } = idRange;
  const { items, next } = await activeAvatars.at(store).page({ from, to, limit: max });
  return next === null ? items.map(({ id }) => id) : undefined;
}

/** @returns those of the avatars that are still active, in the order of their ids */
export async function getActiveAvatars(store: ProjectStore, ids: readonly string[]): Promise<StoredAvatar[]> {
  const found = await avatars.at(store).getMany(ids);
  return found.filter(({ status }) => status === 'active').sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const createAvatar = (store: ProjectStore, avatar: Avatar): Write<never>[] => [
  avatars.at(store).put(avatar),
  putVersion(store, avatar, { createdAt: avatar.createdAt, createdBy: avatar.createdBy }),
  activeAvatars.at(store).put({ id: avatar.id }),
  noteChange(store),
];

/**
 * Makes a new version, unless somebody else has changed the avatar since it was read.
 * @param after the avatar with its changes, its version one more than before
 * @param changedBy who makes this version
 */
export function changeAvatar(
  store: ProjectStore,
  before: StoredAvatar,
  after: Avatar,
  changedBy: string,
): Write<never>[] {
  const { id, createdAt: _, createdBy: __, ...changes } = after;
  const writes = [
    avatars.at(store).update(id, changes, { condition: unchanged(before) }),
    putVersion(store, after, { createdAt: after.updatedAt, createdBy: changedBy }),
    noteChange(store),
  ];
  if (after.status === before.status) return writes;
  return [...writes, after.status === 'active' ? activeAvatars.at(store).put({ id }) : deactivate(store, id)];
}

/**
 * Removes an avatar; its versions stay, as deployments may hold them.
 * @param changes as they were when it was decided that the avatar may go
 */
export function deleteAvatar(
  store: ProjectStore,
  avatar: StoredAvatar,
  changes: AvatarChanges,
): Write<never>[] {
  const { id, status } = avatar;
  const writes = [
    avatars.at(store).remove(id, { condition: unchanged(avatar) }),
    removedAvatars.at(store).put({ id }, { condition: { kind: 'any' } }),
    noteChangeSince(store, changes),
  ];
  return status === 'active' ? [...writes, deactivate(store, id)] : writes;
}

function putVersion(
  store: ProjectStore,
  avatar: Avatar,
  made: Pick<AvatarVersion, 'createdAt' | 'createdBy'>,
): Write<never> {
  const { id: avatarId, name, persona, voice, imageUrl, knowledgeTags, metadata, status, version } = avatar;
  const frozen = { name, persona, voice, imageUrl, knowledgeTags, metadata, status };
  return avatarVersions
    .at(store, avatarId)
    .put({ id: versionId(version), avatarId, version, ...frozen, ...made });
}

const deactivate = (store: ProjectStore, id: string): Write<never> =>
  activeAvatars.at(store).remove(id, { condition: { kind: 'present' } });

/** The last change of an avatar of the project, or their last deployment; undefined before the first. */
export type AvatarChanges = Stored<{ id: typeof changesId }> | undefined;

export const avatarChangesOfProject = load({
  from: [avatarChanges],
  read: (get) => get(avatarChanges, changesId),
});

export const getAvatarChanges = (store: ProjectStore): Promise<AvatarChanges> =>
  avatarChanges.at(store).get(changesId);

const noteChange = (store: ProjectStore): Write<never> =>
  avatarChanges.at(store).put({ id: changesId }, { condition: { kind: 'any' } });

/** Holds while no avatar of the project has changed since, and is a change itself to whoever else asks. */
export const noteChangeSince = (store: ProjectStore, changes: AvatarChanges): Write<never> =>
  avatarChanges
    .at(store)
    .put({ id: changesId }, { condition: changes ? unchanged(changes) : { kind: 'absent' } });
