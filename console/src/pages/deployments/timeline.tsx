/** The deployments of a project, newest first, and what its environments serve. */

import { useState } from 'preact/hooks';
import type { Deployment } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useLoad } from '../../request/use-load.ts';
import { usePages } from '../../request/use-pages.ts';
import { href } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { mayChange, platform } from '../../session/session.ts';
import { Badge, Empty, Head, Loading } from '../../shared/basics.tsx';
import { Credential } from '../../shared/credential.tsx';
import { DeploymentLink } from '../../shared/deployment-name.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Filters, filterChoice, filterValue, SelectFilter, TextFilter } from '../../shared/query-filters.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { Deploy } from './deploy.tsx';
import { EnvironmentCard } from './environments.tsx';
import { loadEnvironments } from './served-environments.ts';

const maxEnvironments = 12;
const phases = ['staged', 'current', 'superseded'] as const;
export default function Timeline({ params: { project = '' } }: { params: PageParams }) {
  const environment = filterValue('environment');
  const filters = { environment, phase: filterChoice('phase', phases), sha: filterValue('sha') };
  const environmentRequest = useLoad(
    (signal) => loadEnvironments(project, maxEnvironments, signal),
    [project],
  );
  const list = usePages<Deployment>(
    'page',
    (signal) =>
      platform()
        .projects(project)
        .deployments.list({ ...filters, limit: 50 }, { signal }),
    [JSON.stringify(filters)],
  );
  const [isDeploying, setIsDeploying] = useState(false);
  const canWrite = mayChange('deploy:write');
  useCommands(canWrite ? [{ label: 'New deployment', run: () => setIsDeploying(true) }] : []);
  const refresh = () => {
    environmentRequest.reload();
    list.reload();
  };
  const environments = environmentRequest.data?.items ?? [];
  const visibleEnvironments = environment
    ? environments.filter((one) => one.environment.name === environment)
    : environments;
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <>
      <Head title="Deployments">
        {canWrite && (
          <button type="button" class="primary" onClick={() => setIsDeploying(true)}>
            New deployment
          </button>
        )}
      </Head>
      <Problem error={environmentRequest.error} onRepeat={environmentRequest.reload} />
      {!environmentRequest.data && environmentRequest.isLoading && <Loading />}
      {environments.length > 0 && (
        <Environments
          names={environments.map((one) => one.environment.name)}
          project={project}
          current={environment}
        />
      )}
      <div class="cards environments">
        {visibleEnvironments.map((entry) => (
          <EnvironmentCard key={entry.environment.name} project={project} entry={entry} onChanged={refresh} />
        ))}
      </div>
      {environmentRequest.data && !environmentRequest.data.isWhole && (
        <p class="quiet">There are more environments. The timeline has their deployments.</p>
      )}
      <h2>Timeline</h2>
      {(environments.length > 0 || isFiltered) && (
        <Filters names={['phase', 'sha']}>
          <SelectFilter
            name="phase"
            label="Phase"
            anyLabel="Any"
            options={phases.map((one) => [one, one] as const)}
          />
          <TextFilter name="sha" label="Commit starts with" />
        </Filters>
      )}
      <List
        label="Deployments"
        list={list}
        keyOf={({ id }) => id}
        row={(deployment) => <Stop project={project} deployment={deployment} />}
        empty={
          isFiltered ? (
            <Empty title="No deployment matches" />
          ) : (
            <Empty
              title="Nothing is deployed yet"
              command={`platform deploy --project ${project} --environment production`}
            >
              A deployment freezes the active avatars and the published knowledge. Its environment then serves
              them.
            </Empty>
          )
        }
      />
      {isDeploying && (
        <Deploy
          project={project}
          environments={environments.map((one) => one.environment)}
          initialEnvironment={environment ?? environments[0]?.environment.name ?? 'production'}
          onClose={() => setIsDeploying(false)}
          onDone={refresh}
        />
      )}
    </>
  );
}

type EnvironmentsProps = { names: readonly string[]; project: string; current: string | undefined };

function Environments({ names, project, current }: EnvironmentsProps) {
  const base = `/projects/${project}/deployments`;
  const tab = (title: string, name: string | undefined) => (
    <a
      key={title}
      href={href(base, { environment: name })}
      aria-current={name === current ? 'page' : undefined}
    >
      {title}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Environments">
      {tab('All environments', undefined)}
      {names.map((name) => tab(name, name))}
    </nav>
  );
}

function Stop({ project, deployment }: { project: string; deployment: Deployment }) {
  const { phase, environment, reason, git, avatars, createdAt, createdBy } = deployment;
  return (
    <div class={`row-grid stop ${phase}`}>
      <span class="main">
        <DeploymentLink project={project} deployment={deployment} />{' '}
        {git && reason && (
          <span class="quiet">
            <Name value={reason} />
          </span>
        )}
      </span>
      <span>{environment}</span>
      <Badge value={phase} tone={phase === 'current' ? 'good' : phase === 'staged' ? 'busy' : 'quiet'} />
      <span class="quiet">
        {avatars.length} {avatars.length === 1 ? 'avatar' : 'avatars'}
      </span>
      <span class="actor">
        <Credential id={createdBy} />
      </span>
      <Time at={createdAt} />
    </div>
  );
}
