/** The changes that a deployment would make now, and the documents that it would not include. */

import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';
import { noContents } from './avatar-changes.ts';
import { DeploymentChanges } from './changes.tsx';
import { loadNext } from './contents.ts';

/** @returns how many documents of a status the index lacks, such as `3` or `100 or more`. Ignored documents do not count */
async function countMissing(
  project: string,
  status: 'pending' | 'failed',
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!can('knowledge:read')) return undefined;
  const { documents } = platform().projects(project).knowledge;
  const page = await documents.list({ status, ignored: false, limit: 100 }, { signal });
  const count = page.items.length;
  const isWhole = !page.hasNextPage();
  return count === 0 && isWhole ? undefined : `${count}${isWhole ? '' : ' or more'}`;
}

const missingSentence = (count: string, what: string): string =>
  `${count} ${count === '1' ? 'document is' : 'documents are'} ${what}, so the deployment does not include ` +
  `${count === '1' ? 'it' : 'them'}.`;

type Props = {
  project: string;
  /** The id of the deployment that the environment serves. */
  current: string | undefined;
};

export function Preview({ project, current }: Props) {
  const { data, error, isLoading, reload } = useLoad(
    async (signal) => {
      const { deployments } = platform().projects(project);
      const [nextContents, currentContents, pending, failed] = await Promise.all([
        loadNext(project, signal),
        current === undefined ? noContents : deployments.get(current, { signal }),
        countMissing(project, 'pending', signal),
        countMissing(project, 'failed', signal),
      ]);
      return { nextContents, currentContents, pending, failed };
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
          <DeploymentChanges project={project} from={data.currentContents} to={data.nextContents} />
          {data.pending !== undefined && (
            <p class="notice">
              {missingSentence(data.pending, 'not in the index')}{' '}
              <a href={href(`/projects/${project}/knowledge`)}>Re-index first</a>
            </p>
          )}
          {data.failed !== undefined && (
            <p class="notice">
              {missingSentence(data.failed, 'unreadable')}{' '}
              <a href={href(`/projects/${project}/knowledge`, { status: 'failed', ignored: 'false' })}>
                Replace, delete or ignore
              </a>
            </p>
          )}
          {data.nextContents.avatars.length === 0 && (
            <p class="notice">The project has no active avatar: the environment would serve none.</p>
          )}
        </>
      )}
    </>
  );
}
