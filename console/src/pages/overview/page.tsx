/** The overview of a project: its environments, what happens in it, and what needs attention. */

import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Head, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { DeploymentLink, environmentHref } from '../../shared/deployment-name.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { loadEnvironments, type ServedEnvironment } from '../deployments/served-environments.ts';
import { Activity } from './activity.tsx';
import { canReadJobs, ExpiringKeys, FailedJobs, FailingWebhooks, NotIndexed } from './attention.tsx';
import { Card, More } from './card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Quotas } from './quotas.tsx';

export default function Overview({ params: { project = '' } }: { params: PageParams }) {
  const { data, error, reload } = useLoad(
    (signal) => platform().projects.get(project, { signal }),
    [project],
  );
  useTitle(data?.name ?? 'Overview');
  // Without the project, every card would show the same error.
  if (error && !data) return <Problem error={error} onRepeat={reload} />;
  return (
    <div class="overview">
      <Head title={data ? <Name value={data.name} /> : 'Overview'}>
        {data && data.status !== 'active' && <Badge value={data.status} />}
        <Id value={project} />
        <AuditLink id={project} />
      </Head>
      {data?.description && (
        <p class="quiet">
          <Name value={data.description} />
        </p>
      )}
      <FirstSteps project={project} />
      {can('conversations:read') && <Activity project={project} />}
      <div class="cards">
        {can('deploy:read') && <Environments project={project} />}
        {canReadJobs() && <FailedJobs project={project} />}
        {can('webhooks:read') && <FailingWebhooks project={project} />}
        {can('knowledge:read') && <NotIndexed project={project} />}
        {can('api-keys:read') && <ExpiringKeys project={project} />}
        <Quotas />
      </div>
    </div>
  );
}

const maxRows = 6;

/** The environments, and the deployments that they serve. */
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
      <a href={environmentHref(project, name)}>
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
