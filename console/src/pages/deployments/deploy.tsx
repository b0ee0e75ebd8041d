/** The dialog for a new deployment. It first says what the deployment would freeze, and what it would not include. */

import { useState } from 'preact/hooks';
import type {
  CreatedDeployment,
  DeploymentCreateRequest,
  Environment,
} from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { DeploymentLink, environmentHref } from '../../shared/deployment-name.tsx';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { EnvironmentField } from './environment-field.tsx';
import { Preview } from './preview.tsx';

type Props = {
  project: string;
  environments: readonly Environment[];
  initialEnvironment: string;
  onClose: () => void;
  onDone: () => void;
};

export function Deploy({ project, environments, initialEnvironment, onClose, onDone }: Props) {
  const [name, setName] = useState(initialEnvironment);
  const [reason, setReason] = useState('');
  const [sha, setSha] = useState('');
  const [ref, setRef] = useState('');
  const [isPromoted, setIsPromoted] = useState(true);
  const deploy = useAction((body: DeploymentCreateRequest, options) =>
    platform().projects(project).deployments.create(body, options),
  );
  const finish = (deployment: CreatedDeployment | undefined) => {
    if (!deployment) return;
    announce(
      deployment.phase === 'current' ? `${name} serves the new deployment.` : 'The deployment is staged.',
    );
    onDone();
  };
  const environment = environments.find((one) => one.name === name);
  if (deploy.result) return <CreatedNotice project={project} deployment={deploy.result} onClose={onClose} />;
  const field = (label: string, value: string, set: (text: string) => void, hint?: string) => (
    <Field label={label} hint={hint}>
      {(id) => (
        <input id={id} autocomplete="off" value={value} onInput={(event) => set(event.currentTarget.value)} />
      )}
    </Field>
  );
  return (
    <Dialog title="New deployment" onClose={onClose} isWide>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const git = sha.trim() ? { sha: sha.trim(), ref: ref.trim() } : null;
          const body = { environment: name, reason: reason.trim() || null, git, promote: isPromoted };
          finish(await deploy.run(body));
        }}
      >
        <div class="split">
          <div>
            <EnvironmentField environments={environments} value={name} onInput={setName} />
            {field('Reason', reason, setReason)}
            <details>
              <summary>Commit</summary>
              {field('Commit hash', sha, setSha, '7 digits or more.')}
              {field('Branch or tag', ref, setRef)}
            </details>
            <label class="check">
              <input
                type="checkbox"
                checked={isPromoted}
                onInput={(event) => setIsPromoted(event.currentTarget.checked)}
              />
              Promote it: {name || 'the environment'} serves it at once
            </label>
          </div>
          <div>
            {environment?.pinned && isPromoted && (
              <p class="notice">
                A rollback has pinned {name}: the deployment stays staged until you promote it.
              </p>
            )}
            <Preview project={project} current={environment?.current ?? undefined} />
          </div>
        </div>
        <Problem error={deploy.error} onRepeat={async () => finish(await deploy.repeat())} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={deploy.isPending || name === ''}>
            {deploy.isPending ? 'Deploying …' : `Deploy to ${name || '…'}`}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

type NoticeProps = { project: string; deployment: CreatedDeployment; onClose: () => void };

function CreatedNotice({ project, deployment, onClose }: NoticeProps) {
  return (
    <Dialog title={deployment.phase === 'current' ? 'Deployed' : 'Staged'} onClose={onClose}>
      <p>
        {deployment.environment} {deployment.phase === 'current' ? 'serves' : 'does not serve'}{' '}
        <DeploymentLink project={project} deployment={deployment} />
        {deployment.phase === 'current' ? '.' : ' yet.'}
      </p>
      {deployment.heldBackReason === 'rollback' && (
        <p class="notice">
          A rollback has pinned {deployment.environment}. Promote the deployment when the reason of the
          rollback is gone.
        </p>
      )}
      {deployment.heldBackReason === 'rollout' && (
        <p class="notice">
          A rollout is running in{' '}
          <a href={environmentHref(project, deployment.environment)}>{deployment.environment}</a>. Promote the
          deployment when the rollout has ended.
        </p>
      )}
      {deployment.warnings.map(({ code, message }) => (
        <p key={code} class="notice">
          {message}
        </p>
      ))}
      <p class="row end">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}
