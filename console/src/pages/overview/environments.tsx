/** The environments, and the deployments that they serve. */

import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { Badge } from '../../shared/basics.tsx';
import { DeploymentLink } from '../../shared/deployment-name.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { loadEnvironments, type ServedEnvironment } from '../deployments/served-environments.ts';
import { Card, More } from './card.tsx';

const maxRows = 6;

export function Environments({ project }: { project: string }) {
  const request = useLoad((signal) => loadEnvironments(project, maxRows, signal), [project]);
  const to = href(`/projects/${project}/deployments`);
  return (
    <Card title="Environments" to={to} request={request}>
      {(rows) => (
        <>
          {rows.items.length === 0 && (
            <p class="quiet">There is no environment yet. The first deployment creates one.</p>
          )}
          <ul class="rows">
            {rows.items.map((entry) => (
              <Row key={entry.environment.name} entry={entry} project={project} />
            ))}
          </ul>
          <More rows={rows} to={to} />
        </>
      )}
    </Card>
  );
}

function Row({ entry: { environment, deployment }, project }: { entry: ServedEnvironment; project: string }) {
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
