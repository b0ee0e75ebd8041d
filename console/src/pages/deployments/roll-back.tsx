/** The dialog that rolls an environment back. It first says what changes, and that the environment is pinned. */

import { useState } from 'preact/hooks';
import type { Deployment, Environment } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { announce, Empty, Loading } from '../../shared/basics.tsx';
import { labelOf } from '../../shared/deployment-name.tsx';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { relativeTime } from '../../shared/time.tsx';
import { DeploymentChanges } from './changes.tsx';

const maxTargets = 50;

type Choices = { current: Deployment; targets: Deployment[] };

/** @returns the current deployment, and the deployments to return to; undefined if the environment has served only one */
async function loadChoices(
  project: string,
  name: string,
  targetId: string | undefined,
  signal: AbortSignal,
): Promise<(Choices & { environment: Environment; target: string }) | undefined> {
  const { deployments, environments } = platform().projects(project);
  const environment = await environments.get(name, { signal });
  const target = targetId ?? environment.previous;
  if (!environment.current || !target) return undefined;
  const [current, targetDeployment, superseded] = await Promise.all([
    deployments.get(environment.current, { signal }),
    deployments.get(target, { signal }),
    deployments.list({ environment: name, phase: 'superseded', limit: maxTargets }, { signal }),
  ]);
  // A deleted environment of the same name has left deployments, which are older.
  const otherTargets = superseded.items.filter(
    ({ id, createdAt }) => id !== target && createdAt >= environment.createdAt,
  );
  const targets = [targetDeployment, ...otherTargets].toSorted((a, b) =>
    (b.promotedAt ?? '').localeCompare(a.promotedAt ?? ''),
  );
  return { environment, current, targets, target };
}

type Props = {
  project: string;
  environment: string;
  /** The id of the deployment to return to. Without an id, it is the previous deployment. */
  target?: string;
  onClose: () => void;
  onDone: (environment: Environment) => void;
};

export function RollBack({ project, environment, target, onClose, onDone }: Props) {
  const { data, error, isLoading, reload } = useLoad(
    (signal) => loadChoices(project, environment, target, signal),
    [project, environment, target],
  );
  return (
    <Dialog title={`Roll back ${environment}`} onClose={onClose} isWide>
      <Problem error={error} onRepeat={reload} />
      {isLoading && <Loading />}
      {data && (
        <RollBackForm
          project={project}
          environment={data.environment}
          choices={data}
          initialTarget={data.target}
          onClose={onClose}
          onDone={onDone}
        />
      )}
      {!data && !isLoading && !error && (
        <>
          <Empty title="There is nothing to roll back to">
            {environment} has served no other deployment yet.
          </Empty>
          <p class="row end">
            <button type="button" onClick={onClose}>
              Close
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'environment' | 'target'> & {
  environment: Environment;
  choices: Choices;
  initialTarget: string;
};

function RollBackForm({ project, environment, choices, initialTarget, onClose, onDone }: FormProps) {
  const [id, setId] = useState(initialTarget);
  const [reason, setReason] = useState('');
  const { current, targets } = choices;
  const target = targets.find((one) => one.id === id);
  const rollBack = useAction((body: { deploymentId: string; reason: string }, options) =>
    platform()
      .projects(project)
      .deployments.rollback({ ...body, environment: environment.name, reason: body.reason || null }, options),
  );
  const finish = (result: Environment | undefined) => {
    if (!result) return;
    announce(`${result.name} is rolled back and pinned.`);
    onDone(result);
  };
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        finish(await rollBack.run({ deploymentId: id, reason: reason.trim() }));
      }}
    >
      <Field label="Return to" hint={`${environment.name} serves ${labelOf(current)} now.`}>
        {(control) => (
          <select id={control} value={id} onChange={(event) => setId(event.currentTarget.value)}>
            {targets.map((option) => (
              <option key={option.id} value={option.id}>
                {labelOf(option)} · served{' '}
                {relativeTime(Date.parse(option.promotedAt ?? option.createdAt), Date.now())}
                {option.id === environment.previous ? ' (previous)' : ''}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p class="notice">
        The rollback takes effect at once, and pins {environment.name}: new deployments stay staged until
        somebody promotes one.
      </p>
      <h3>What changes</h3>
      {target && <DeploymentChanges project={project} from={current} to={target} />}
      <Field label="Reason" hint="For the others: it is shown beside the pin, and in the audit log.">
        {(control) => (
          <input
            id={control}
            maxLength={500}
            autocomplete="off"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </Field>
      <Problem error={rollBack.error} onRepeat={async () => finish(await rollBack.repeat())} />
      <p class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="danger" disabled={rollBack.isPending || !target}>
          {rollBack.isPending ? 'Rolling back …' : `Roll back ${environment.name}`}
        </button>
      </p>
    </form>
  );
}
