/** The name of a deployment, and links to it. */

import type { Deployment } from '../../../clients/typescript/src/index.ts';
import { href } from '../router.ts';
import { Name } from './text.tsx';

export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export function labelOf({ id, git, reason }: Pick<Deployment, 'id' | 'git' | 'reason'>): string {
  if (git) return `${git.sha.slice(0, 7)} ${shortRef(git.ref)}`.slice(0, 60);
  return reason ? reason.slice(0, 60) : `…${id.slice(-6)}`;
}

/** The commit, the reason, or the id. */
export function DeploymentName({ deployment: { id, git, reason } }: { deployment: Deployment }) {
  if (git)
    return (
      <>
        <code>{git.sha.slice(0, 7)}</code> <Name value={shortRef(git.ref)} />
      </>
    );
  return reason ? <Name value={reason.slice(0, 80)} /> : <code>…{id.slice(-6)}</code>;
}

export const deploymentHref = (project: string, id: string, params: Record<string, string> = {}): string =>
  href(`/projects/${project}/deployments/${id}`, params);

export const environmentHref = (project: string, name: string): string =>
  href(`/projects/${project}/deployments/environments/${encodeURIComponent(name)}`);

export const DeploymentLink = ({ project, deployment }: { project: string; deployment: Deployment }) => (
  <a href={deploymentHref(project, deployment.id)}>
    <DeploymentName deployment={deployment} />
  </a>
);
