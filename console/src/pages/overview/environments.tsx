/** The environments, and what each of them serves. */

import { Badge } from '../../parts/basics.tsx';
import { Name } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { DeploymentLink } from '../deployments/names.tsx';
import { loadEnvironments, type ServedEnvironment } from '../deployments/served-environments.ts';
import { Card, More } from './card.tsx';

const shown = 6;

export function Environments({ project }: { project: string }) {
  const loaded = useLoad((signal) => loadEnvironments(project, shown, signal), [project]);
  const to = href(`/projects/${project}/deployments`);
  return (
    <Card title="Environments" to={to} loaded={loaded}>
      {(rows) => (
        <>
          {rows.items.length === 0 && (
            <p class="quiet">There is none yet: the first deployment creates an environment.</p>
          )}
          <ul class="rows">
            {rows.items.map((served) => (
              <Row key={served.environment.name} served={served} project={project} />
            ))}
          </ul>
          <More rows={rows} to={to} />
        </>
      )}
    </Card>
  );
}

function Row({
  served: { environment, deployment },
  project,
}: {
  served: ServedEnvironment;
  project: string;
}) {
  const { name, pinned, rollback } = environment;
  return (
    <li>
      <a href={href(`/projects/${project}/deployments`, { environment: name })}>
        <strong>{name}</strong>
      </a>{' '}
      {pinned && <Badge value="pinned" tone="busy" />}
      {deployment ? (
        <p class="quiet">
          serves <DeploymentLink project={project} deployment={deployment} /> since{' '}
          <Time at={deployment.promotedAt} isExact />: {contents(deployment.avatars.length)}
          {deployment.knowledgeIndexVersion === null && ', no knowledge'}
        </p>
      ) : (
        <p class="quiet">serves nothing yet</p>
      )}
      {rollback && (
        <p class="quiet">
          Rolled back <Time at={rollback.at} />
          {rollback.reason && (
            <>
              : <Name value={rollback.reason} />
            </>
          )}
        </p>
      )}
    </li>
  );
}

const contents = (avatars: number): string => (avatars === 1 ? '1 avatar' : `${avatars} avatars`);
