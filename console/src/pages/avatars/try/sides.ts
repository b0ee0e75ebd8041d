/** What can answer beside the draft: the environments that serve the avatar, and the deployments that have it. */

import type { Deployment, ReplyTarget } from '../../../../../clients/typescript/src/index.ts';
import type { ScopeSets } from '../../../../../lib/base/scopes.ts';
import { platform } from '../../../session/session.ts';
import { labelOf } from '../../../shared/deployment-name.tsx';
import { loadEnvironments } from '../../deployments/served-environments.ts';

/** What the page needs for a deployment: it creates conversations, and lists what can answer. */
export const deploymentAskers: ScopeSets = [['conversations:write', 'deploy:read']];

export type ServedSide = {
  /** The name of the choice in the address. */
  key: string;
  kind: 'environment' | 'deployment';
  label: string;
  target: ReplyTarget;
};

const [maxEnvironments, maxDeployments] = [20, 25];

/** @returns the environments by name, then the deployments, newest first */
export async function loadSides(project: string, avatar: string, signal: AbortSignal): Promise<ServedSide[]> {
  const [environments, deployments] = await Promise.all([
    loadEnvironments(project, maxEnvironments, signal),
    platform().projects(project).deployments.list({ limit: maxDeployments }, { signal }),
  ]);
  const served = environments.items.flatMap(({ environment: { name }, deployment }): ServedSide[] => {
    const version = deployment && versionIn(deployment, avatar);
    if (version === undefined) return [];
    const label = `${name} (version ${version})`;
    return [{ key: name, kind: 'environment', label, target: { environment: name } }];
  });
  const deployed = deployments.items.flatMap((deployment): ServedSide[] => {
    const version = versionIn(deployment, avatar);
    if (version === undefined) return [];
    const { id } = deployment;
    const label = `${deployment.environment}: ${labelOf(deployment)} (version ${version})`;
    return [{ key: id, kind: 'deployment', label, target: { deploymentId: id } }];
  });
  return [...served, ...deployed];
}

const versionIn = ({ avatars }: Pick<Deployment, 'avatars'>, avatar: string): number | undefined =>
  avatars.find(({ avatarId }) => avatarId === avatar)?.version;

/**
 * @param chosen the key in the address
 * @returns the chosen one, or else production, or else the first
 */
export const sideOf = (sides: readonly ServedSide[], chosen: string | null): ServedSide | undefined =>
  sides.find(({ key }) => key === chosen) ?? sides.find(({ key }) => key === 'production') ?? sides[0];
