/** The page of a deployment: its avatars, and the changes since another deployment. */

import { useState } from 'preact/hooks';
import {
  type Deployment,
  type Environment,
  NotFoundError,
} from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Badge, Facts, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Id, shortId } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { DeploymentName, deploymentHref, environmentHref, labelOf } from '../../shared/deployment-name.tsx';
import { Problem } from '../../shared/problem.tsx';
import { LongText, Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { Comparison } from './comparison.tsx';
import { namesOf } from './contents.ts';
import { Promote } from './promote.tsx';
import { PromoteTo } from './promote-to.tsx';
import { RollBack } from './roll-back.tsx';

export default function DeploymentPage({ params }: { params: PageParams }) {
  const { project = '', deployment: id = '' } = params;
  const { data, error, reload } = useLoad(
    async (signal) => {
      const { deployments, environments, rollouts } = platform().projects(project);
      const deployment = await deployments.get(id, { signal });
      const ifFound = (reason: unknown) => {
        if (reason instanceof NotFoundError) return undefined;
        throw reason;
      };
      const [environment, rollout] = await Promise.all([
        environments.get(deployment.environment, { signal }).catch(ifFound),
        deployment.phase === 'current'
          ? undefined
          : rollouts.get(deployment.environment, { signal }).catch(ifFound),
      ]);
      const isCandidate = rollout?.endedAt === null && rollout.deploymentId === deployment.id;
      return { deployment, environment, candidatePercent: isCandidate ? rollout.percent : undefined };
    },
    [project, id],
  );
  useTitle(data ? labelOf(data.deployment) : 'Deployment');
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const { deployment, environment, candidatePercent } = data;
  return (
    <>
      <Head title={<DeploymentName deployment={deployment} />}>
        <Badge
          value={deployment.phase}
          tone={deployment.phase === 'current' ? 'good' : deployment.phase === 'staged' ? 'busy' : 'quiet'}
        />
        <Id value={deployment.id} />
        {mayChange('deploy:write') && <Actions project={project} {...data} onChanged={reload} />}
      </Head>
      <Problem error={error} onRepeat={reload} />
      {candidatePercent === undefined ? (
        <State deployment={deployment} environment={environment} project={project} />
      ) : (
        <p class="notice">
          A rollout gives this deployment to {candidatePercent}% of the users of{' '}
          <a href={environmentHref(project, deployment.environment)}>{deployment.environment}</a>. To promote
          it is to complete the rollout.
        </p>
      )}
      <Facts facts={factsOf(project, deployment)} />
      <Comparison project={project} deployment={deployment} environment={environment} />
      <h2>
        Contents: {deployment.avatars.length} {deployment.avatars.length === 1 ? 'avatar' : 'avatars'}
      </h2>
      <AvatarList project={project} deployment={deployment} />
    </>
  );
}

const factsOf = (project: string, deployment: Deployment): Parameters<typeof Facts>[0]['facts'] => [
  [
    'Environment',
    <a key="environment" href={environmentHref(project, deployment.environment)}>
      {deployment.environment}
    </a>,
  ],
  ['Reason', deployment.reason ? <LongText value={deployment.reason} /> : '—'],
  ['Commit', deployment.git ? <Id value={deployment.git.sha} /> : '—'],
  ['Branch or tag', <Name key="ref" value={deployment.git?.ref} />],
  ...(deployment.promotedFrom
    ? [
        [
          'Promoted from',
          <a key="from" href={deploymentHref(project, deployment.promotedFrom)}>
            <code>{shortId(deployment.promotedFrom)}</code>
          </a>,
        ] as const,
      ]
    : []),
  ['Created', <Time key="created" at={deployment.createdAt} />],
  ['Created by', <Credential key="by" id={deployment.createdBy} />],
  ['Last promoted', <Time key="promoted" at={deployment.promotedAt} />],
  [
    'Knowledge index',
    deployment.knowledgeIndexVersion ? <Id value={deployment.knowledgeIndexVersion} /> : 'none',
  ],
  ...(deployment.knowledgeIndexVersion && can('knowledge:read')
    ? [
        [
          'Search',
          <a key="search" href={href(`/projects/${project}/knowledge/search`, { left: deployment.id })}>
            Search in the knowledge of this deployment
          </a>,
        ] as const,
      ]
    : []),
  ...(can('conversations:read')
    ? [
        [
          'Conversations',
          <a
            key="conversations"
            href={href(`/projects/${project}/conversations`, { deploymentId: deployment.id })}
          >
            Show the conversations of this deployment
          </a>,
        ] as const,
      ]
    : []),
];

/** Without an environment, it was deleted. */
type StateProps = { project: string; deployment: Deployment; environment: Environment | undefined };

/** Says what the phase means. */
function State({ project, deployment, environment }: StateProps) {
  if (!environment)
    return <p class="notice">The environment {deployment.environment} was deleted: it serves nothing.</p>;
  const { name, pinned, rollback } = environment;
  const isUndone = rollback?.from === deployment.id;
  if (isUndone)
    return (
      <p class="notice">
        {name} was rolled back from this deployment <Time at={rollback.at} />
        {rollback.reason && (
          <>
            : “<LongText value={rollback.reason} />”
          </>
        )}
      </p>
    );
  if (deployment.phase === 'current' && pinned)
    return (
      <p class="notice">A rollback has pinned {name} to this deployment. New deployments stay staged.</p>
    );
  if (deployment.phase === 'staged')
    return (
      <p class="notice">
        Nobody gets this deployment before it is promoted.
        {pinned && (
          <>
            {' '}
            A rollback has pinned <a href={environmentHref(project, name)}>{name}</a>.
          </>
        )}
      </p>
    );
  return null;
}

type ActionsProps = StateProps & { onChanged: () => void };

function Actions({ project, deployment, environment, onChanged }: ActionsProps) {
  const [dialog, setDialog] = useState<'promote' | 'promote-to' | 'rollback' | undefined>(undefined);
  const close = () => setDialog(undefined);
  const finish = () => {
    close();
    onChanged();
  };
  const isCurrent = environment?.current === deployment.id;
  const canPromote = environment !== undefined && (!isCurrent || environment.pinned);
  return (
    <>
      {canPromote && (
        <button
          type="button"
          class={deployment.phase === 'staged' ? 'primary' : ''}
          onClick={() => setDialog('promote')}
        >
          {isCurrent ? 'End the pin …' : 'Promote …'}
        </button>
      )}
      <button type="button" onClick={() => setDialog('promote-to')}>
        Promote to …
      </button>
      {environment && !isCurrent && deployment.promotedAt !== null && (
        <button type="button" class="danger" onClick={() => setDialog('rollback')}>
          Roll back to this …
        </button>
      )}
      {isCurrent && environment?.previous && (
        <button type="button" class="danger" onClick={() => setDialog('rollback')}>
          Roll back …
        </button>
      )}
      {dialog === 'promote' && (
        <Promote project={project} deployment={deployment} onClose={close} onDone={finish} />
      )}
      {dialog === 'promote-to' && <PromoteTo project={project} deployment={deployment} onClose={close} />}
      {dialog === 'rollback' && (
        <RollBack
          project={project}
          environment={deployment.environment}
          {...(!isCurrent && { target: deployment.id })}
          onClose={close}
          onDone={finish}
        />
      )}
    </>
  );
}

/** The avatars in a deployment, with their frozen versions. */
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
