/**
 * Avatars, each with a version for every change. Four kinds of items:
 * the avatars, in their project's partition; the versions, in a partition of their avatar; in the partition `active` one
 * small item for each avatar that is, so that a deployment finds them whatever has been archived; and among these
 * the `changes` item, which every change of an avatar of the project writes.
 */

import type { Page, Store } from '../dynamodb/store.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import { firstIdAt, idRangeOf } from '../ids.ts';
import type { Avatar, AvatarVersion } from './schema.ts';

const idRange = idRangeOf('avatar');

export type StoredAvatar = Avatar & { changedIn: string };

/** An avatar in one of its versions. */
export type AvatarReference = { avatarId: string; version: number };

const activeOf = (projectId: string) => [projectId, 'active'];
const removedOf = (projectId: string) => [projectId, 'removed'];
const changesId = 'changes';

/** Ten digits, so that text sorts as the number does. */
const versionId = (version: number) => `v${String(version).padStart(10, '0')}`;
export const versionIdPattern = /^v\d{10}$/;

export const getAvatar = (store: Store, projectId: string, id: string): Promise<StoredAvatar | undefined> =>
  store.get('avatars', id, [projectId]) as Promise<StoredAvatar | undefined>;

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

export function listAvatars(store: Store, projectId: string, list: AvatarList): Promise<Page<StoredAvatar>> {
  const { status, namePrefix, createdFromMs, createdBeforeMs, after, limit } = list;
  const prefix = namePrefix === undefined ? '' : folded(namePrefix);
  const keep = (item: Item) => {
    const avatar = item as Item & StoredAvatar;
    return (status === undefined || avatar.status === status) && folded(avatar.name).startsWith(prefix);
  };
  return store.page('avatars', {
    within: [projectId],
    from: createdFromMs === undefined ? idRange.first : firstIdAt('avatar', createdFromMs),
    to: createdBeforeMs === undefined ? idRange.last : firstIdAt('avatar', createdBeforeMs),
    after,
    limit,
    keep,
  }) as Promise<Page<Item & StoredAvatar>>;
}

/** One spelling for what people take for the same text. */
const folded = (text: string) => text.normalize('NFC').toLowerCase();

export async function getAvatarVersion(
  store: Store,
  projectId: string,
  avatarId: string,
  version: number,
): Promise<AvatarVersion | undefined> {
  const item = await store.get('avatars', versionId(version), [projectId, avatarId]);
  return item as unknown as AvatarVersion | undefined;
}

/** Newest first. Those of a deleted avatar are there too. */
export function listAvatarVersions(
  store: Store,
  projectId: string,
  avatarId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Page<AvatarVersion>> {
  const within = [projectId, avatarId];
  const range = { from: versionId(0), to: versionId(9_999_999_999) };
  return store.page('avatars', { within, ...range, after, limit }) as unknown as Promise<Page<AvatarVersion>>;
}

/**
 * @param references at most 100
 * @returns the versions, in the order of their avatars' ids
 */
export async function getAvatarVersions(
  store: Store,
  projectId: string,
  references: readonly AvatarReference[],
): Promise<AvatarVersion[]> {
  const places = references.map(({ avatarId, version }) => ({
    id: versionId(version),
    within: [projectId, avatarId],
  }));
  const versions = (await store.getMany('avatars', places)) as unknown as AvatarVersion[];
  return versions.sort((a, b) => (a.avatarId < b.avatarId ? -1 : 1));
}

/**
 * @param max at most 100
 * @returns all active avatars of the project, in the order of their ids, or undefined where there are more
 */
export async function getActiveAvatars(
  store: Store,
  projectId: string,
  max: number,
): Promise<StoredAvatar[] | undefined> {
  const { first: from, last: to } = idRange;
  const query = { within: activeOf(projectId), from, to, after: undefined, limit: max };
  const { items, next } = await store.page('avatars', query);
  if (next !== null) return undefined;
  const ids = items.map(({ id }) => id);
  const avatars = (await store.getMany('avatars', ids, [projectId])) as (Item & StoredAvatar)[];
  return avatars.filter(({ status }) => status === 'active').sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function createAvatar(store: Store, projectId: string, avatar: Avatar): Write<never>[] {
  return [
    store.put('avatars', avatar, { within: [projectId], condition: { kind: 'absent' } }),
    putVersion(store, projectId, avatar, { createdAt: avatar.createdAt, createdBy: avatar.createdBy }),
    putActive(store, projectId, avatar),
    noteChange(store, projectId),
  ];
}

/**
 * Makes a new version, unless somebody else has changed the avatar since it was read.
 * @param after the avatar with its changes, its version one more than before
 * @param changedBy who makes this version
 */
export function changeAvatar(
  store: Store,
  projectId: string,
  before: StoredAvatar,
  after: Avatar,
  changedBy: string,
): Write<never>[] {
  const { id, createdAt: _, createdBy: __, ...changes } = after;
  const writes = [
    store.update('avatars', id, changes, {
      within: [projectId],
      condition: { kind: 'unchanged', changedIn: before.changedIn },
    }),
    putVersion(store, projectId, after, { createdAt: after.updatedAt, createdBy: changedBy }),
    noteChange(store, projectId),
  ];
  if (after.status === before.status) return writes;
  const isActive = after.status === 'active';
  return [...writes, isActive ? putActive(store, projectId, after) : removeActive(store, projectId, id)];
}

/**
 * Takes an avatar away; its versions stay, as deployments may hold them.
 * @param changes as it was when it was looked at whether the avatar may go
 */
export function deleteAvatar(
  store: Store,
  projectId: string,
  avatar: StoredAvatar,
  changes: AvatarChanges,
): Write<never>[] {
  const writes = [
    store.remove('avatars', avatar.id, {
      within: [projectId],
      condition: { kind: 'unchanged', changedIn: avatar.changedIn },
    }),
    // Its versions stay, and only its id leads to them.
    store.put('avatars', { id: avatar.id }, { within: removedOf(projectId), condition: { kind: 'any' } }),
    noteChangeSince(store, projectId, changes),
  ];
  return avatar.status === 'active' ? [...writes, removeActive(store, projectId, avatar.id)] : writes;
}

function putVersion(
  store: Store,
  projectId: string,
  avatar: Avatar,
  made: Pick<AvatarVersion, 'createdAt' | 'createdBy'>,
): Write<never> {
  const { id, name, persona, voice, imageUrl, knowledgeTags, metadata, status, version } = avatar;
  const frozen = { name, persona, voice, imageUrl, knowledgeTags, metadata, status };
  return store.put(
    'avatars',
    { id: versionId(version), avatarId: id, version, ...frozen, ...made },
    { within: [projectId, id], condition: { kind: 'absent' } },
  );
}

const putActive = (store: Store, projectId: string, { id }: Avatar): Write<never> =>
  store.put('avatars', { id }, { within: activeOf(projectId), condition: { kind: 'absent' } });

const removeActive = (store: Store, projectId: string, id: string): Write<never> =>
  store.remove('avatars', id, { within: activeOf(projectId), condition: { kind: 'present' } });

/** Which call last changed an avatar of the project, or froze them; undefined before the first. */
export type AvatarChanges = string | undefined;

export async function getAvatarChanges(store: Store, projectId: string): Promise<AvatarChanges> {
  const item = await store.get('avatars', changesId, activeOf(projectId));
  return item?.changedIn as AvatarChanges;
}

const noteChange = (store: Store, projectId: string): Write<never> =>
  store.put('avatars', { id: changesId }, { within: activeOf(projectId), condition: { kind: 'any' } });

/** Holds while no avatar of the project has changed since, and is a change itself to whoever else asks. */
export const noteChangeSince = (store: Store, projectId: string, changes: AvatarChanges): Write<never> =>
  store.put(
    'avatars',
    { id: changesId },
    {
      within: activeOf(projectId),
      condition: changes === undefined ? { kind: 'absent' } : { kind: 'unchanged', changedIn: changes },
    },
  );
