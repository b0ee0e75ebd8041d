/** The page of an environment: what it serves, and its rollout, which moves while the page is open. */

import { useEffect, useState } from 'preact/hooks';
import {
  type ComparedRollout,
  type Deployment,
  NotFoundError,
} from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, navigate, returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Badge, Empty, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Served } from '../deployments/environments.tsx';
import type { ServedEnvironment } from '../deployments/served-environments.ts';
import { RolloutView } from './rollout.tsx';
import { SharesBar } from './shares.tsx';
import { StartRollout } from './start.tsx';
import { isOpen, sharesOf, tones } from './texts.ts';

type Data = ServedEnvironment & {
  rollout: ComparedRollout | undefined;
  /** The candidate of the rollout. */
  candidate: Deployment | undefined;
};

async function load(project: string, name: string, signal: AbortSignal): Promise<Data> {
  const { environments, deployments, rollouts } = platform().projects(project);
  const [environment, rollout] = await Promise.all([
    environments.get(name, { signal }),
    rollouts.get(name, { signal }).catch((reason: unknown) => {
      // The environment has had no rollout, or does not exist: then the other request fails, too.
      if (reason instanceof NotFoundError) return undefined;
      throw reason;
    }),
  ]);
  const [deployment, candidate] = await Promise.all(
    [environment.current, rollout?.deploymentId].map((id) =>
      id ? deployments.get(id, { signal }) : undefined,
    ),
  );
  return { environment, rollout, deployment, candidate };
}

/** A guard may stop a rollout at any time. Without a rollout, somebody else may start one. */
const [openMs, idleMs] = [5000, 30_000];

export default function EnvironmentPage({ params }: { params: PageParams }) {
  const { project = '', environment: name = '' } = params;
  const { data, error, reload } = useLoad((signal) => load(project, name, signal), [project, name]);
  const [isStarting, setIsStarting] = useState(false);
  useTitle(name);
  const rollout = data?.rollout;
  const isRunning = rollout !== undefined && isOpen(rollout);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), isRunning ? openMs : idleMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  const canStart = mayChange('deploy:write') && data?.deployment !== undefined && !isRunning;
  useCommands(canStart ? [{ label: 'Start a rollout', run: () => setIsStarting(true) }] : []);
  const timeline = `/projects/${project}/deployments`;
  return (
    <>
      <p>
        <a href={returnHref(timeline)}>Deployments</a>
      </p>
      <Head title={name}>
        {data?.environment.pinned && <Badge value="pinned" tone="busy" />}
        {isRunning && <Badge value={`rollout ${rollout.status}`} tone={tones[rollout.status]} />}
        <a href={href(timeline, { environment: name })}>Its deployments</a>
        {can('conversations:read') && data?.environment.current && (
          <a href={href(`/projects/${project}/conversations`, { deploymentId: data.environment.current })}>
            Conversations of the current one
          </a>
        )}
        {canStart && (
          <button type="button" class="primary" onClick={() => setIsStarting(true)}>
            Start a rollout …
          </button>
        )}
      </Head>
      <Problem error={error} onRepeat={reload} />
      {!data && error === undefined && <Loading />}
      {data && (
        <>
          <section class="environment">
            <h2>Who gets what</h2>
            {data.deployment && (
              <SharesBar
                project={project}
                shares={sharesOf(rollout)}
                current={data.deployment}
                candidate={isRunning ? data.candidate : undefined}
              />
            )}
            <Served project={project} entry={data} onChanged={reload} onDeleted={() => navigate(timeline)} />
          </section>
          {rollout ? (
            <RolloutView project={project} rollout={rollout} candidate={data.candidate} onMoved={reload} />
          ) : (
            <NoRollout name={name} project={project} isServing={data.deployment !== undefined} />
          )}
        </>
      )}
      {isStarting && (
        <StartRollout
          project={project}
          environment={name}
          current={data?.environment.current ?? null}
          onClose={() => setIsStarting(false)}
          onDone={() => {
            setIsStarting(false);
            reload();
          }}
        />
      )}
    </>
  );
}

const NoRollout = ({ project, name, isServing }: { project: string; name: string; isServing: boolean }) => (
  <section>
    <h2>Rollout</h2>
    <Empty
      title="There has been no rollout"
      {...(isServing && {
        command: `platform rollout start --project ${project} --environment ${name} --deployment dep_… --percent 10`,
      })}
    >
      {isServing
        ? 'A rollout gives a staged deployment to a part of the users, compares it with the current one, and stops it when it harms. Deploy without promoting, then start a rollout here or with:'
        : 'A rollout gives a staged deployment to a part of the users. The environment has to serve a deployment first.'}
    </Empty>
  </section>
);
