/** The dialog that starts a rollout. */

import { useState } from 'preact/hooks';
import type { Deployment, Evaluator, Rollout } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { can, platform } from '../../session/session.ts';
import { announce, Empty, Loading } from '../../shared/basics.tsx';
import { labelOf } from '../../shared/deployment-name.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf, FormEnd, FormField, messagesAt } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { relativeTime } from '../../shared/time.tsx';
import { bodyOf, emptyDraft, type MessagesOf, maxSteps, type RolloutDraft, type StepDraft } from './draft.ts';
import { GuardFields } from './guard-fields.tsx';

const maxCandidates = 50;

type Props = {
  project: string;
  environment: string;
  /** The id of the deployment that the environment serves. */
  current: string | null;
  onClose: () => void;
  onDone: () => void;
};

export function StartRollout({ project, environment, current, onClose, onDone }: Props) {
  const { data, error, isLoading, reload } = useLoad(
    async (signal) => {
      const { deployments, evaluators } = platform().projects(project);
      // The form needs the evaluators before it is shown: they say in which unit a harm is.
      const [staged, scores] = await Promise.all([
        deployments.list({ environment, phase: 'staged', limit: maxCandidates }, { signal }),
        can('conversations:read') ? evaluators.list({ limit: 100 }, { signal }) : undefined,
      ]);
      const byName = scores?.items.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? [];
      return { candidates: staged.items.filter(({ id }) => id !== current), evaluators: byName };
    },
    [project, environment, current],
  );
  return (
    <Dialog title={`Start a rollout in ${environment}`} onClose={onClose} isWide>
      <Problem error={error} onRepeat={reload} />
      {!data && isLoading && <Loading />}
      {data?.candidates.length === 0 && (
        <>
          <Empty
            title="There is no staged deployment"
            command={`platform deploy --project ${project} --environment ${environment} --no-promote`}
          >
            Deploy to {environment} without promoting: the deployment is the candidate of the rollout.
          </Empty>
          <p class="row end">
            <button type="button" onClick={onClose}>
              Close
            </button>
          </p>
        </>
      )}
      {data?.candidates[0] && (
        <StartForm
          project={project}
          environment={environment}
          {...data}
          first={data.candidates[0].id}
          onClose={onClose}
          onDone={onDone}
        />
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'current'> & {
  candidates: readonly Deployment[];
  /** None for a credential that may not read them. */
  evaluators: readonly Evaluator[];
  first: string;
};

function StartForm({ project, environment, candidates, evaluators, first, onClose, onDone }: FormProps) {
  const [draft, setDraft] = useState<RolloutDraft>({ ...emptyDraft, deploymentId: first });
  const set = (changes: Partial<RolloutDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const start = useAction((body: Parameters<typeof bodyOf>[0], options) =>
    platform()
      .projects(project)
      .rollouts.start(
        environment,
        bodyOf(body, (score) => evaluators.find(({ name }) => name === score)?.output.type),
        options,
      ),
  );
  const finish = (result: Rollout | undefined) => {
    if (!result) return;
    announce('The rollout has started.');
    onDone();
  };
  const details = detailsOf(start.error);
  const messages = (...path: string[]) => messagesAt(details, path);
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        finish(await start.run(draft));
      }}
    >
      <FormField
        label="Candidate"
        hint="A deployment that nobody gets yet. A part of the users gets it at once."
        messages={messages('deploymentId')}
      >
        {(control) => (
          <select
            {...control}
            value={draft.deploymentId}
            onChange={(event) => set({ deploymentId: event.currentTarget.value })}
          >
            {candidates.map((option) => (
              <option key={option.id} value={option.id}>
                {labelOf(option)} · {relativeTime(Date.parse(option.createdAt), Date.now())}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <fieldset>
        <legend>Who gets it</legend>
        <label class="check">
          <input
            type="radio"
            name="shape"
            checked={draft.isStepped}
            onChange={() => set({ isStepped: true })}
          />
          In steps, which rise by themselves when the guards have passed
        </label>
        <label class="check">
          <input
            type="radio"
            name="shape"
            checked={!draft.isStepped}
            onChange={() => set({ isStepped: false })}
          />
          One percent, until somebody moves it
        </label>
        {draft.isStepped ? (
          <StepFields steps={draft.steps} messages={messages} onChange={(steps) => set({ steps })} />
        ) : (
          <FormField label="Percent" hint="0.01 to 99.99." messages={messages('percent')}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                autocomplete="off"
                required
                value={draft.percent}
                onInput={(event) => set({ percent: event.currentTarget.value })}
              />
            )}
          </FormField>
        )}
      </fieldset>
      <GuardFields
        guards={draft.guards}
        evaluators={evaluators}
        messages={messages}
        onChange={(guards) => set({ guards })}
      />
      <FormField
        label="When a guard is breached"
        hint="Rolling back pins the environment, so the next deployment does not serve the same change."
        messages={messages('onBreach')}
      >
        {(control) => (
          <select
            {...control}
            value={draft.onBreach}
            onChange={(event) =>
              set({ onBreach: event.currentTarget.value === 'pause' ? 'pause' : 'roll_back' })
            }
          >
            <option value="roll_back">Roll back: everybody gets the current deployment</option>
            <option value="pause">Pause: nothing changes until somebody decides</option>
          </select>
        )}
      </FormField>
      <FormField
        label="Reason"
        hint="For the others: it is shown in the history and in the audit log."
        messages={messages('reason')}
      >
        {(control) => (
          <input
            {...control}
            maxLength={500}
            autocomplete="off"
            value={draft.reason}
            onInput={(event) => set({ reason: event.currentTarget.value })}
          />
        )}
      </FormField>
      <Problem error={start.error} onRepeat={async () => finish(await start.repeat())} />
      <FormEnd action="Start the rollout" isPending={start.isPending} onClose={onClose} />
    </form>
  );
}

type StepsProps = {
  steps: readonly StepDraft[];
  messages: MessagesOf;
  onChange: (steps: readonly StepDraft[]) => void;
};

function StepFields({ steps, messages, onChange }: StepsProps) {
  const change = (at: number, changes: Partial<StepDraft>) =>
    onChange(steps.map((step, index) => (index === at ? { ...step, ...changes } : step)));
  const texts = messages('steps');
  return (
    <>
      {steps.map((step, at) => (
        // A step has no other identity than its place.
        <div key={at} class="filters step-fields">
          <label>
            Step {at + 1}: percent
            <input
              inputMode="decimal"
              autocomplete="off"
              required
              value={step.percent}
              onInput={(event) => change(at, { percent: event.currentTarget.value })}
            />
          </label>
          <label>
            Step {at + 1}: minutes
            <input
              inputMode="numeric"
              autocomplete="off"
              placeholder="waits"
              value={step.minutes}
              onInput={(event) => change(at, { minutes: event.currentTarget.value })}
            />
          </label>
          {steps.length > 1 && (
            <button type="button" class="small" onClick={() => onChange(steps.toSpliced(at, 1))}>
              Remove<span class="sr-only"> step {at + 1}</span>
            </button>
          )}
        </div>
      ))}
      <p class="row">
        {steps.length < maxSteps && (
          <button
            type="button"
            class="small"
            onClick={() => onChange([...steps, { percent: '', minutes: '' }])}
          >
            Add a step
          </button>
        )}
        <small class="quiet">
          {texts.length > 0 && <span class="invalid">{texts.join('; ')}. </span>}
          The percents rise. Without minutes, a step waits until somebody advances it.
        </small>
      </p>
    </>
  );
}
