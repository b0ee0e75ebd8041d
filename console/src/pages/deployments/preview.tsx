/** What a deployment would change now, and the documents that it would not include. */

import { Loading } from '../../parts/basics.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { nothing } from './avatar-changes.ts';
import { DeploymentChanges } from './changes.tsx';
import { loadNext } from './contents.ts';

/** @returns how many documents the index does not have, such as `3` or `100 or more` */
async function countMissing(project: string, signal: AbortSignal): Promise<string | undefined> {
  if (!can('knowledge:read')) return undefined;
  const { documents } = platform().projects(project).knowledge;
  const pages = await Promise.all(
    (['pending', 'failed'] as const).map((status) => documents.list({ status, limit: 100 }, { signal })),
  );
  const count = pages.reduce((sum, { items }) => sum + items.length, 0);
  const isWhole = pages.every((page) => !page.hasNextPage());
  return count === 0 && isWhole ? undefined : `${count}${isWhole ? '' : ' or more'}`;
}

type Props = {
  project: string;
  /** The id of the deployment that the environment serves. */
  current: string | undefined;
};

export function Preview({ project, current }: Props) {
  const { data, error, isLoading, reload } = useLoad(
    async (signal) => {
      const { deployments } = platform().projects(project);
      const [next, served, missing] = await Promise.all([
        loadNext(project, signal),
        current === undefined ? nothing : deployments.get(current, { signal }),
        countMissing(project, signal),
      ]);
      return { next, served, missing };
    },
    [project, current],
  );
  // Without the scopes, the comparison would say that everything is removed.
  if (!can('avatars:read') || !can('knowledge:read'))
    return <p class="quiet">To see what would change, a credential needs avatars:read and knowledge:read.</p>;
  return (
    <>
      <h3>What changes</h3>
      <Problem error={error} onRepeat={reload} />
      {isLoading && <Loading />}
      {data && (
        <>
          <DeploymentChanges project={project} from={data.served} to={data.next} />
          {data.missing !== undefined && (
            <p class="notice">
              {data.missing === '1' ? '1 document is' : `${data.missing} documents are`} not in the index, so
              the deployment does not include {data.missing === '1' ? 'it' : 'them'}.{' '}
              <a href={href(`/projects/${project}/knowledge`)}>Re-index first</a>
            </p>
          )}
          {data.next.avatars.length === 0 && (
            <p class="notice">The project has no active avatar: the environment would serve none.</p>
          )}
        </>
      )}
    </>
  );
}
