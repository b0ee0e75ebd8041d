/** The names of deployed avatars, and the contents of the next deployment. */

import { ApiError, type Avatar, NotIndexedError } from '../../../../clients/typescript/src/index.ts';
import { can, platform } from '../../session/session.ts';
import type { Contents } from './avatar-changes.ts';

/** The current names of avatars, by id; null for an avatar that was deleted. */
export type AvatarNames = ReadonlyMap<string, string | null>;

const maxNames = 30;

/** @returns the names of the first avatars; no names if the credential may not read avatars */
export async function namesOf(
  project: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<AvatarNames> {
  if (!can('avatars:read')) return new Map();
  const nameOf = async (id: string): Promise<[string, string | null]> => {
    try {
      return [id, (await platform().projects(project).avatars.get(id, { signal })).name];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [id, null];
      throw error;
    }
  };
  return new Map(await Promise.all(ids.slice(0, maxNames).map(nameOf)));
}

/** @returns the contents that a deployment would freeze now: the active avatars and the published index */
export async function loadNext(project: string, signal: AbortSignal): Promise<Contents> {
  const { avatars, knowledge } = platform().projects(project);
  const activeAvatars: Avatar[] = [];
  if (can('avatars:read'))
    for await (const avatar of avatars.list({ status: 'active', limit: 100 }, { signal }))
      activeAvatars.push(avatar);
  const searchResult = can('knowledge:read')
    ? await knowledge.search({ q: 'a', limit: 1 }, { signal }).catch((error: unknown) => {
        if (error instanceof NotIndexedError) return undefined;
        throw error;
      })
    : undefined;
  return {
    avatars: activeAvatars.map(({ id, version }) => ({ avatarId: id, version })),
    knowledgeIndexVersion: searchResult?.indexVersion ?? null,
  };
}
