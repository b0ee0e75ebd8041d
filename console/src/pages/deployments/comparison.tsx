/** The changes since another deployment of the environment: the predecessor, or the deployment in the address. */

import type { Deployment, Environment } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { query, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { labelOf } from '../../shared/deployment-name.tsx';
import { Problem } from '../../shared/problem.tsx';
import { relativeTime } from '../../shared/time.tsx';
import { DeploymentChanges } from './changes.tsx';

const maxDeployments = 50;

type Props = { project: string; deployment: Deployment; environment: Environment | undefined };

export function Comparison({ project, deployment, environment }: Props) {
  const otherId = query.value.get('with') ?? undefined;
  const { data, error, isLoading, reload } = useLoad(
    async (signal) => {
      const { deployments } = platform().projects(project);
      const page = await deployments.list(
        { environment: deployment.environment, limit: maxDeployments },
        { signal },
      );
      const otherDeployments = page.items.filter(({ id }) => id !== deployment.id);
      const isListed = otherId === undefined || otherDeployments.some(({ id }) => id === otherId);
      return isListed ? otherDeployments : [...otherDeployments, await deployments.get(otherId, { signal })];
    },
    [project, deployment.id, otherId],
  );
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading what="Comparing" />;
  // Ids sort by time, the newest first.
  const predecessor = data.find(({ id, phase }) => id < deployment.id && phase !== 'staged');
  const otherDeployment = data.find(({ id }) => id === otherId) ?? predecessor ?? data[0];
  if (!otherDeployment) return <p class="quiet">This is the first deployment of {deployment.environment}.</p>;
  const isOlder = otherDeployment.id < deployment.id;
  const [from, to] = isOlder ? [otherDeployment, deployment] : [deployment, otherDeployment];
  const noteOf = (id: string) =>
    id === environment?.current ? ' (current)' : id === environment?.previous ? ' (previous)' : '';
  return (
    <section class="card compared" aria-busy={isLoading}>
      <div class="filters">
        <h2>What changed</h2>
        <label>
          {isOlder ? 'Since' : 'Until'}
          <select
            value={otherDeployment.id}
            onChange={(event) => setQuery({ with: event.currentTarget.value })}
          >
            {data.map((option) => (
              <option key={option.id} value={option.id}>
                {labelOf(option)} · {relativeTime(Date.parse(option.createdAt), Date.now())}
                {noteOf(option.id)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div aria-live="polite">
        <DeploymentChanges project={project} from={from} to={to} />
      </div>
    </section>
  );
}
