/** Rolls an environment back: what it changes, and that it pins the environment, is said before. */

import { useState } from 'preact/hooks';
import type { Deployment, Environment } from '../../../../clients/typescript/src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { Empty, Loading } from '../../parts/basics.tsx';
import { labelOf } from '../../parts/deployment-label.ts';
import { Dialog, Field } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { relativeTime } from '../../parts/time.tsx';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { DeploymentChanges } from './changes.tsx';

const maxTargets = 50;

type Choices = { current: Deployment; targets: Deployment[] };

/** @returns what the environment serves, and what it can return to; undefined if it has served nothing else */
async function loadChoices(
  project: string,
  environment: string,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<(Choices & { environment: Environment; target: string }) | undefined> {
  const { deployments, environments } = platform().projects(project);
  const now = await environments.get(environment, { signal });
  const target = wanted ?? now.previous;
  if (!now.current || !target) return undefined;
  const [current, chosen, superseded] = await Promise.all([
    deployments.get(now.current, { signal }),
    deployments.get(target, { signal }),
    deployments.list({ environment, phase: 'superseded', limit: maxTargets }, { signal }),
  ]);
  const others = superseded.items.filter(({ id }) => id !== target);
  const targets = [chosen, ...others].toSorted((a, b) =>
    (b.promotedAt ?? '').localeCompare(a.promotedAt ?? ''),
  );
  return { environment: now, current, targets, target };
}

type Props = {
  project: string;
  environment: string;
  /** The id of the deployment to return to; otherwise the previous one. */
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
          first={data.target}
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
  first: string;
};

function RollBackForm({ project, environment, choices, first, onClose, onDone }: FormProps) {
  const [id, setId] = useState(first);
  const [reason, setReason] = useState('');
  const { current, targets } = choices;
  const target = targets.find((one) => one.id === id);
  const rollBack = useAction((body: { deploymentId: string; reason: string }, options) =>
    platform()
      .projects(project)
      .deployments.rollback({ ...body, environment: environment.name, reason: body.reason || null }, options),
  );
  const finish = (after: Environment | undefined) => {
    if (!after) return;
    announce(`${after.name} is rolled back and pinned.`);
    onDone(after);
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
            {targets.map((one) => (
              <option key={one.id} value={one.id}>
                {labelOf(one)} · served{' '}
                {relativeTime(Date.parse(one.promotedAt ?? one.createdAt), Date.now())}
                {one.id === environment.previous ? ' (previous)' : ''}
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
