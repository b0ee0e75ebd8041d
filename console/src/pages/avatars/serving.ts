/** Which environments serve an avatar, and in which version. */

import { can } from '../../session/session.ts';
import { loadServed } from '../deployments/served.ts';

export type Serving = { environment: string; version: number };

const maxEnvironments = 20;

/** @returns nothing if the credential may not read deployments */
export async function loadServing(project: string, avatar: string, signal: AbortSignal): Promise<Serving[]> {
  if (!can('deploy:read')) return [];
  const { items } = await loadServed(project, maxEnvironments, signal);
  return items.flatMap(({ environment, deployment }) => {
    const found = deployment?.avatars.find(({ avatarId }) => avatarId === avatar);
    return found ? [{ environment: environment.name, version: found.version }] : [];
  });
}
