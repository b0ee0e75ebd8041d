/** The name of a deployment: its commit, its reason, or its id. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { shortRef } from '../../shared/deployment-label.ts';
import { Name } from '../../shared/text.tsx';

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

export const DeploymentLink = ({ project, deployment }: { project: string; deployment: Deployment }) => (
  <a href={deploymentHref(project, deployment.id)}>
    <DeploymentName deployment={deployment} />
  </a>
);
