/** The overview of a project: what happens in it, and what needs attention. */

import { useLoad } from '../../request/use-load.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Head, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import type { PageParams } from '../page-params.ts';
import { Activity } from './activity.tsx';
import { Environments } from './environments.tsx';
import { ExpiringKeys } from './expiring-keys.tsx';
import { canReadJobs, FailedJobs, FailingWebhooks } from './failures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NotIndexed } from './not-indexed.tsx';
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
