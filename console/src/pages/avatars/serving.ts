/** The environments that serve an avatar, and the versions that they serve. */

import { can } from '../../session/session.ts';
import { loadEnvironments } from '../deployments/served-environments.ts';

export type Serving = { environment: string; version: number };

const maxEnvironments = 20;

/** @returns an empty list if the credential may not read deployments */
export async function loadServing(project: string, avatar: string, signal: AbortSignal): Promise<Serving[]> {
  if (!can('deploy:read')) return [];
  const { items } = await loadEnvironments(project, maxEnvironments, signal);
  return items.flatMap(({ environment, deployment }) => {
    const entry = deployment?.avatars.find(({ avatarId }) => avatarId === avatar);
    return entry ? [{ environment: environment.name, version: entry.version }] : [];
  });
}
