/** What a deployment contains, and what the next one would contain. */

import { ApiError, type Avatar, NotIndexedError } from '../../../../clients/typescript/src/index.ts';
import { can, platform } from '../../session/session.ts';
import type { Contents } from './avatar-changes.ts';

/** @returns the name of an avatar now, or null if it was deleted */
export type Named = ReadonlyMap<string, string | null>;

const maxNamed = 30;

/** @returns the names of the first avatars; nothing if the credential may not read avatars */
export async function namesOf(project: string, ids: readonly string[], signal: AbortSignal): Promise<Named> {
  if (!can('avatars:read')) return new Map();
  const nameOf = async (id: string): Promise<[string, string | null]> => {
    try {
      return [id, (await platform().projects(project).avatars.get(id, { signal })).name];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [id, null];
      throw error;
    }
  };
  return new Map(await Promise.all(ids.slice(0, maxNamed).map(nameOf)));
}

/** @returns what a deployment would freeze now: the active avatars and the published index */
export async function loadNext(project: string, signal: AbortSignal): Promise<Contents> {
  const { avatars, knowledge } = platform().projects(project);
  const active: Avatar[] = [];
  if (can('avatars:read'))
    for await (const avatar of avatars.list({ status: 'active', limit: 100 }, { signal }))
      active.push(avatar);
  const published = can('knowledge:read')
    ? await knowledge.search({ q: 'a', limit: 1 }, { signal }).catch((error: unknown) => {
        if (error instanceof NotIndexedError) return undefined;
        throw error;
      })
    : undefined;
  return {
    avatars: active.map(({ id, version }) => ({ avatarId: id, version })),
    knowledgeIndexVersion: published?.indexVersion ?? null,
  };
}
