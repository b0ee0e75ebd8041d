/**
 * An avatar has a version for every change. Every change of an avatar also writes the `changes` item of its project, so that a
 * request that reads all avatars can detect a change in the meantime.
 */

import { firstIdAt, idRangeOf } from '../base/ids.ts';
import { projectCollection, type Stored, unchanged } from '../dynamodb/collection.ts';
import type { Contents } from '../dynamodb/contents.ts';
import { load } from '../dynamodb/load.ts';
import {
  externalPart,
  type Found,
  findNamed,
  movePointer,
  putPointer,
  type StoredPointer,
} from '../dynamodb/pointers.ts';
import type { Page, ProjectStore } from '../dynamodb/store.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import { storedRuntime, type WithRuntimeText, withRuntime } from './runtime.ts';
import type { Avatar, AvatarVersion } from './schema.ts';

/** Those of an earlier version of the service have no `model`. */
type OldOrNew<Kind extends { model: Avatar['model'] }> = Omit<Kind, 'model'> & { model?: Avatar['model'] };
type AvatarItem = Stored<OldOrNew<WithRuntimeText<Avatar>> & { id: string }>;
type VersionItem = Stored<OldOrNew<WithRuntimeText<AvatarVersion>> & { id: string }>;

/** An avatar or a version as it was read, with its `runtime` as JSON and with its stamps. */
type StoredAvatar = Stored<Avatar>;
/** The id is the number of the version. */
export type StoredAvatarVersion = Stored<AvatarVersion & { id: string }>;

export const avatars = projectCollection<AvatarItem>('avatars');
/** The pointers from their externalIds. */
const avatarPointers = projectCollection<StoredPointer>('avatars', () => [externalPart]);
const avatarVersions = projectCollection<VersionItem, [avatarId: string]>('avatars', (avatarId) => [
  avatarId,
]);
/** Each active avatar has a small item here, so that a deployment does not read archived avatars. */
export const activeAvatars = projectCollection<Stored<{ id: string }>>('avatars', () => ['active']);
/** The ids of deleted avatars. Their versions are kept, and can be found only through these ids. */
const removedAvatars = projectCollection<Stored<{ id: string }>>('avatars', () => ['removed']);
/** This collection has a single item, which has only stamps. */
export const avatarChanges = projectCollection<Stored<{ id: typeof changesId }>>('avatars', () => ['active']);

const changesId = 'changes';
const idRange = idRangeOf('avatar');

/** The number has ten digits, so that ids sort by number. */
const versionId = (version: number) => `v${String(version).padStart(10, '0')}`;
export const versionIdPattern = /^v\d{10}$/;

/** @returns the avatar or the version as it is shown, with its stamps */
const whole = <Kind extends { model?: Avatar['model']; runtime?: string | null }>(item: Kind) => ({
  ...withRuntime(item),
  model: item.model ?? null,
});

export const avatarInPath = load({
  from: [avatars],
  read: (get, { avatar_id }: { avatar_id: string }) => get(avatars, avatar_id),
  find: (avatar): StoredAvatar | undefined => avatar && whole(avatar),
});

export const avatarVersionInPath = load({
  from: [avatarVersions],
  read: (get, { avatar_id, version }: { avatar_id: string; version: number }) =>
    get(avatarVersions, versionId(version), avatar_id),
  find: (version): StoredAvatarVersion | undefined => version && whole(version),
});

export async function findAvatarByExternalId(
  store: ProjectStore,
  externalId: string,
): Promise<Found<StoredAvatar>> {
  const { pointer, resource } = await findNamed(avatarPointers.at(store), avatars.at(store), externalId);
  return { pointer, resource: resource && whole(resource) };
}

/** @returns the avatars that exist, unordered */
export const getAvatars = async (store: ProjectStore, ids: readonly string[]): Promise<StoredAvatar[]> =>
  (await avatars.at(store).getMany(ids)).map(whole);

type NamedAvatar = Pick<Avatar, 'id' | 'externalId'>;

/**
 * Moves the externalId of an avatar that is created, changed or deleted.
 * @param before undefined for a new avatar
 * @param after undefined for a deleted avatar
 */
export const nameAvatar = (
  store: ProjectStore,
  before: NamedAvatar | undefined,
  after: NamedAvatar | undefined,
) => movePointer(avatarPointers.at(store), avatars.at(store), before, after);

/** @param leftOver a pointer whose avatar is gone */
export const giveExternalId = (
  store: ProjectStore,
  avatar: Avatar,
  externalId: string,
  leftOver: StoredPointer | undefined,
): Write<never> => putPointer(avatarPointers.at(store), externalId, { id: avatar.id }, leftOver);

export type AvatarList = {
  externalId: string | undefined;
  status: Avatar['status'] | undefined;
  /** Case does not matter. */
  namePrefix: string | undefined;
  /** `createdFromMs` is inclusive, and `createdBeforeMs` exclusive. */
  createdFromMs: number | undefined;
  createdBeforeMs: number | undefined;
  after: string | undefined;
  limit: number;
};

export async function listAvatars(store: ProjectStore, list: AvatarList): Promise<Page<StoredAvatar>> {
  const { externalId, status, namePrefix, createdFromMs, createdBeforeMs, after, limit } = list;
  const prefix = namePrefix === undefined ? '' : foldCase(namePrefix);
  const from = createdFromMs === undefined ? idRange.first : firstIdAt('avatar', createdFromMs);
  const to = createdBeforeMs === undefined ? idRange.last : firstIdAt('avatar', createdBeforeMs);
  const filter = (avatar: Pick<Avatar, 'status' | 'name'>) =>
    (status === undefined || avatar.status === status) && foldCase(avatar.name).startsWith(prefix);
  if (externalId !== undefined) {
    const { resource: avatar } = await findAvatarByExternalId(store, externalId);
    const isMatch = avatar && avatar.id >= from && avatar.id <= to && filter(avatar);
    return { items: isMatch ? [avatar] : [], next: null };
  }
  const page = await avatars.at(store).page({ from, to, after, limit, filter });
  return { ...page, items: page.items.map(whole) };
}

/** @returns the same text for texts that differ only in case, or in composed and decomposed characters */
const foldCase = (text: string) => text.normalize('NFC').toLowerCase();

/** The versions are sorted from the newest. A deleted avatar has its versions, too. */
export async function listAvatarVersions(
  store: ProjectStore,
  avatarId: string,
  query: { after: string | undefined; limit: number },
): Promise<Page<StoredAvatarVersion>> {
  const page = await avatarVersions.at(store, avatarId).page(query);
  return { ...page, items: page.items.map(whole) };
}

type AvatarReference = { avatarId: string; version: number };

/**
 * @param references at most 100
 * @returns the versions, sorted by avatar id
 */
export async function getAvatarVersions(
  store: ProjectStore,
  references: readonly AvatarReference[],
): Promise<StoredAvatarVersion[]> {
  const keys = references.map(({ avatarId, version }) => [versionId(version), avatarId] as const);
  const versions = await avatarVersions.getMany(store, keys);
  return versions.map(whole).sort((a, b) => (a.avatarId < b.avatarId ? -1 : 1));
}

/** @returns the version as a deployment serves it */
export const frozenAvatar = ({ avatarId, model, runtime, ...content }: StoredAvatarVersion) => ({
  ...content,
  id: avatarId,
  ...(model !== null && { model }),
  ...(runtime !== null && { runtime }),
});

/**
 * @param max at most 100
 * @returns the ids of all active avatars of the project, or undefined if there are more
 */
export async function listActiveAvatarIds(store: ProjectStore, max: number): Promise<string[] | undefined> {
  const { first: from, last: to } = idRange;
  const { items, next } = await activeAvatars.at(store).page({ from, to, limit: max });
  return next === null ? items.map(({ id }) => id) : undefined;
}

/** @returns the avatars that are still active, sorted by id */
export async function getActiveAvatars(store: ProjectStore, ids: readonly string[]): Promise<StoredAvatar[]> {
  const items = await getAvatars(store, ids);
  return items.filter(({ status }) => status === 'active').sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const createAvatar = (store: ProjectStore, avatar: Avatar): Write<never>[] => [
  avatars.at(store).put({ ...avatar, runtime: storedRuntime(avatar.runtime) }),
  putVersion(store, avatar, { createdAt: avatar.createdAt, createdBy: avatar.createdBy }),
  activeAvatars.at(store).put({ id: avatar.id }),
  noteChange(store),
];

/**
 * Creates a new version, if the avatar is unchanged since it was read.
 * @param after the changed avatar, with the next version number
 * @param changedBy the principal that creates this version
 */
export function changeAvatar(
  store: ProjectStore,
  before: StoredAvatar,
  after: Avatar,
  changedBy: string,
): Write<never>[] {
  const { id, createdAt: _, createdBy: __, runtime, ...others } = after;
  const changes = { ...others, runtime: storedRuntime(runtime) };
  const writes = [
    avatars.at(store).update(id, changes, { condition: unchanged(before) }),
    putVersion(store, after, { createdAt: after.updatedAt, createdBy: changedBy }),
    noteChange(store),
  ];
  if (after.status === before.status) return writes;
  return [...writes, after.status === 'active' ? activeAvatars.at(store).put({ id }) : deactivate(store, id)];
}

/**
 * Deletes an avatar. Its versions stay, because deployments may refer to them.
 * @param changes the `changes` item on which the decision was based
 */
export function deleteAvatar(
  store: ProjectStore,
  avatar: Pick<StoredAvatar, 'id' | 'status' | 'changedIn'>,
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
  creation: Pick<AvatarVersion, 'createdAt' | 'createdBy'>,
): Write<never> {
  const { id: avatarId, name, persona, voice, imageUrl, knowledgeTags, metadata, status, version } = avatar;
  const { model } = avatar;
  const runtime = storedRuntime(avatar.runtime);
  const content = { name, persona, voice, imageUrl, knowledgeTags, model, runtime, metadata, status };
  return avatarVersions
    .at(store, avatarId)
    .put({ id: versionId(version), avatarId, version, ...content, ...creation });
}

const deactivate = (store: ProjectStore, id: string): Write<never> =>
  activeAvatars.at(store).remove(id, { condition: { kind: 'present' } });

/** The latest change or deployment of the project's avatars; undefined before the first. */
type AvatarChanges = Stored<{ id: typeof changesId }> | undefined;

export const avatarChangesOfProject = load({
  from: [avatarChanges],
  read: (get) => get(avatarChanges, changesId),
});

export const getAvatarChanges = (store: ProjectStore): Promise<AvatarChanges> =>
  avatarChanges.at(store).get(changesId);

const noteChange = (store: ProjectStore): Write<never> =>
  avatarChanges.at(store).put({ id: changesId }, { condition: { kind: 'any' } });

/** The write fails if an avatar of the project has changed since it was read. It is a change for other requests. */
export const noteChangeSince = (store: ProjectStore, changes: AvatarChanges): Write<never> =>
  avatarChanges
    .at(store)
    .put({ id: changesId }, { condition: changes ? unchanged(changes) : { kind: 'absent' } });

/** @returns the avatars of a project with their versions, for its purge */
export function avatarContents(store: ProjectStore): Contents[] {
  const versionsOf = ({ id }: Item) => [avatarVersions.at(store, id)];
  return [
    { ...avatars.at(store), below: versionsOf },
    { ...removedAvatars.at(store), below: versionsOf },
    activeAvatars.at(store),
    avatarPointers.at(store),
  ];
}
