/** The dialog that deploys a deployment to another environment. It first says what changes there. */

import { useState } from 'preact/hooks';
import type { CreatedDeployment, Deployment } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { announce, Loading } from '../../shared/basics.tsx';
import { DeploymentLink, DeploymentName } from '../../shared/deployment-name.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { noContents } from './avatar-changes.ts';
import { DeploymentChanges } from './changes.tsx';
import { EnvironmentField } from './environment-field.tsx';

type Props = { project: string; deployment: Deployment; onClose: () => void };

export function PromoteTo({ project, deployment, onClose }: Props) {
  const [name, setName] = useState('');
  const { data, error, isLoading, reload } = useLoad(
    async (signal) =>
      (await platform().projects(project).environments.list({ limit: 100 }, { signal })).items.filter(
        (environment) => environment.name !== deployment.environment,
      ),
    [project],
  );
  const target = data?.find((environment) => environment.name === name);
  const current = target?.current ?? undefined;
  const served = useLoad(
    async (signal) =>
      current === undefined ? noContents : platform().projects(project).deployments.get(current, { signal }),
    [project, current],
  );
  const deploy = useAction((environment: string, options) =>
    platform()
      .projects(project)
      .deployments.create({ environment, from: { deploymentId: deployment.id } }, options),
  );
  const finish = (result: CreatedDeployment | undefined) => {
    if (result) announce(`${result.environment} ${result.heldBack ? 'has' : 'serves'} the deployment.`);
  };
  if (deploy.result) return <Done project={project} result={deploy.result} onClose={onClose} />;
  const isOther = name !== deployment.environment;
  return (
    <Dialog title="Promote to another environment" onClose={onClose} isWide>
      <Problem error={error} onRepeat={reload} />
      {isLoading && <Loading />}
      {data && (
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            finish(await deploy.run(name));
          }}
        >
          <p>
            The environment gets exactly the avatars and the knowledge of{' '}
            <DeploymentName deployment={deployment} />, whatever has changed in the project since.
          </p>
          <EnvironmentField environments={data} value={name} onInput={setName} />
          {target?.pinned && (
            <p class="notice">
              A rollback has pinned {name}: the deployment stays staged until you promote it there.
            </p>
          )}
          {name !== '' && isOther && (
            <>
              <h3>What changes in {name}</h3>
              <Problem error={served.error} onRepeat={served.reload} />
              {served.data && <DeploymentChanges project={project} from={served.data} to={deployment} />}
            </>
          )}
          <Problem error={deploy.error} onRepeat={async () => finish(await deploy.repeat())} />
          <p class="row end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={deploy.isPending || name === '' || !isOther}>
              {deploy.isPending ? 'Promoting …' : `Promote to ${name || '…'}`}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}

const heldBackTexts = {
  rollback: ' yet: a rollback has pinned it.',
  rollout: ' yet: a rollout is running in it.',
} as const;

type DoneProps = { project: string; result: CreatedDeployment; onClose: () => void };

function Done({ project, result, onClose }: DoneProps) {
  return (
    <Dialog title={result.heldBack ? 'Staged' : 'Promoted'} onClose={onClose}>
      <p>
        {result.environment} {result.heldBack ? 'does not serve' : 'serves'}{' '}
        <DeploymentLink project={project} deployment={result} />
        {result.heldBackReason === null ? '.' : heldBackTexts[result.heldBackReason]}
      </p>
      <p class="row end">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}
