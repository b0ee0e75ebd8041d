/** The avatars in a deployment, with their frozen versions. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { Id } from '../../shared/copy.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { namesOf } from './contents.ts';

export function AvatarList({ project, deployment }: { project: string; deployment: Deployment }) {
  const ids = deployment.avatars.map(({ avatarId }) => avatarId);
  const { data, error, reload } = useLoad((signal) => namesOf(project, ids, signal), [ids.join()]);
  const target = (id: string, version: number) =>
    href(`/projects/${project}/avatars/${id}`, {
      view: 'versions',
      from: Math.max(version - 1, 1),
      to: version,
    });
  return (
    <>
      <Problem error={error} onRepeat={reload} />
      {ids.length === 0 && <p class="quiet">The deployment has no avatar.</p>}
      <ul class="rows">
        {deployment.avatars.map(({ avatarId, version }) => {
          const name = data?.get(avatarId);
          return (
            <li key={avatarId}>
              {name ? (
                <a href={target(avatarId, version)}>
                  <Name value={name} />
                </a>
              ) : (
                <Id value={avatarId} />
              )}{' '}
              <span class="quiet">
                version {version}
                {name === null && ', deleted since: nobody can change it'}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
