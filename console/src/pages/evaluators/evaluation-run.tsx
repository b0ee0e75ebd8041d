/** A run of evaluators. A dry run counts first, then the run starts with a limit of its cost. The address has the id of its job. */

import { useState } from 'preact/hooks';
import type {
  EvaluateResult,
  EvaluationRunRequest,
  Evaluator,
  Job,
} from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Facts } from '../../shared/basics.tsx';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { JobProgress, useJob } from '../../shared/job-progress.tsx';
import { Problem } from '../../shared/problem.tsx';
import { usd } from '../../shared/score.tsx';
import { Name } from '../../shared/text.tsx';
import { useAvatars } from '../conversations/names.tsx';
import { resultOf, spentText, whyStopped } from './texts.ts';

export function useRunDialog() {
  const [isOpen, setIsOpen] = useState(false);
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}

/** The filter of a run. The list of conversations has more filters. */
type Filter = {
  from: string;
  before: string;
  avatarId: string;
  deploymentId: string;
  channel: string;
  tag: string;
};
const noFilter: Filter = { from: '', before: '', avatarId: '', deploymentId: '', channel: '', tag: '' };

/** The limit is so many times the estimate, because an estimate is not exact, and a run that stops at its limit is incomplete. */
const limitFactor = 2;
const leastLimitUsd = 0.01;

type Props = { project: string; evaluators: readonly Evaluator[]; onClose: () => void };

export function StartRun({ project, evaluators, onClose }: Props) {
  const { evaluationRuns } = platform().projects(project);
  const [filter, setFilter] = useState(noFilter);
  const [limit, setLimit] = useState<string | undefined>(undefined);
  const [estimateId, setEstimateId] = useState<string | undefined>(undefined);
  const dryRun = useAction((body: EvaluationRunRequest, options) => evaluationRuns.create(body, options));
  const run = useAction((body: EvaluationRunRequest, options) => evaluationRuns.create(body, options));
  const { job, error, repeat } = useJob(project, estimateId);
  const estimate = job && resultOf(job);
  const usesModel = evaluators.some(({ kind }) => kind === 'model');
  const request = { filter: requestFilter(filter), evaluators: evaluators.map(({ name }) => name) };
  const showEstimate = (created: Job | undefined) => created && setEstimateId(created.id);
  const showRun = (created: Job | undefined) => {
    if (!created) return;
    onClose();
    setQuery({ run: created.id });
  };
  const defaultLimit = estimate
    ? Math.max(leastLimitUsd, Math.ceil(estimate.costUsd * limitFactor * 100) / 100)
    : 0;
  const limitText = limit ?? `${defaultLimit}`;
  const isCounting = dryRun.isPending || (estimateId !== undefined && job?.finishedAt == null && !error);
  return (
    <Dialog title="Evaluate conversations" onClose={onClose}>
      <p>
        The run stores the scores of{' '}
        {evaluators.length === 1 ? <Name value={evaluators[0]?.name} /> : `${evaluators.length} evaluators`}{' '}
        for the conversations of this project. Scores that exist are not given again.
      </p>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!estimate)
            return void (!isCounting && showEstimate(await dryRun.run({ ...request, dryRun: true })));
          showRun(await run.run({ ...request, ...(usesModel && { maxCostUsd: Number(limitText) }) }));
        }}
      >
        <ConversationFilter
          project={project}
          filter={filter}
          onChange={(changes) => {
            setFilter({ ...filter, ...changes });
            setEstimateId(undefined);
            setLimit(undefined);
            dryRun.reset();
            run.reset();
          }}
        />
        <Problem error={dryRun.error} onRepeat={async () => showEstimate(await dryRun.repeat())} />
        <Problem error={error} onRepeat={repeat} />
        {job && job.finishedAt === null && (
          <JobProgress projectId={project} job={job} verb="Counting" noun="conversations" />
        )}
        {job?.error && (
          <p class="bad">
            The estimate failed: <Name value={job.error.message} />
          </p>
        )}
        {estimate && <Estimate estimate={estimate} usesModel={usesModel} />}
        {estimate && usesModel && (
          <Field
            label="It may cost at most (US dollars)"
            hint="Before each call, the run checks that the call fits. Otherwise it stops, and keeps its scores."
          >
            {(id) => (
              <input
                id={id}
                type="number"
                required
                min="0.000001"
                step="any"
                value={limitText}
                onInput={({ currentTarget }) => setLimit(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Problem error={run.error} onRepeat={async () => showRun(await run.repeat())} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={run.isPending} aria-disabled={isCounting}>
            {estimate ? 'Start the run' : isCounting ? 'Counting …' : 'Count first'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** @returns the filter without empty fields, with days as the browser counts them */
function requestFilter({ from, before, ...textFields }: Filter): NonNullable<EvaluationRunRequest['filter']> {
  const day = (text: string) => new Date(`${text}T00:00:00`).toISOString();
  const filledFields = Object.entries(textFields).filter(([, value]) => value.trim() !== '');
  return {
    ...Object.fromEntries(filledFields.map(([name, value]) => [name, value.trim()])),
    ...(from && { startedFrom: day(from) }),
    ...(before && { startedBefore: day(before) }),
  };
}

type FilterProps = { project: string; filter: Filter; onChange: (changes: Partial<Filter>) => void };

function ConversationFilter({ project, filter, onChange }: FilterProps) {
  const avatars = useAvatars(project);
  const day = (name: 'from' | 'before', label: string) => (
    <label>
      {label}
      <input
        type="date"
        value={filter[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </label>
  );
  const text = (name: keyof Filter, label: string) => (
    <label>
      {label}
      <input
        autocomplete="off"
        value={filter[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <fieldset>
      <legend>Only these conversations</legend>
      <div class="filters">
        {day('from', 'Started from')}
        {day('before', 'Started before')}
        {avatars.length > 0 ? (
          <label>
            Avatar
            <select
              value={filter.avatarId}
              onChange={({ currentTarget }) => onChange({ avatarId: currentTarget.value })}
            >
              <option value="">Any</option>
              {avatars.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name.slice(0, 60)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          text('avatarId', 'Avatar (id)')
        )}
        {text('deploymentId', 'Deployment (id)')}
        {text('channel', 'Channel')}
        {text('tag', 'Tag')}
      </div>
    </fieldset>
  );
}

function Estimate({ estimate, usesModel }: { estimate: EvaluateResult; usesModel: boolean }) {
  const number = (value: number) => value.toLocaleString('en');
  const { conversations, evaluated, unchanged, calls, inputTokens, outputTokens, costUsd } = estimate;
  return (
    <div role="status">
      <Facts
        facts={[
          ['Conversations', number(conversations)],
          ['Scores to give', number(evaluated)],
          ['Scores that exist', number(unchanged)],
          ...(usesModel
            ? ([
                ['Calls of models', number(calls)],
                ['Tokens, about', `${number(inputTokens)} read, ${number(outputTokens)} written`],
                ['Cost, about', usd(costUsd)],
              ] as const)
            : ([['Cost', 'none: rules need no model']] as const)),
        ]}
      />
    </div>
  );
}

/** The progress of a run, then its result. */
export function RunPanel({ project, jobId }: { project: string; jobId: string | undefined }) {
  const { job, error, repeat } = useJob(project, jobId);
  if (!jobId) return null;
  const result = job && resultOf(job);
  return (
    <section class="card panel" aria-label="Run">
      <div class="head">
        <h2>Run</h2>
        <button type="button" class="small" onClick={() => setQuery({ run: undefined })}>
          Close
        </button>
      </div>
      <Problem error={error} onRepeat={repeat} />
      {job && job.finishedAt === null && (
        <JobProgress projectId={project} job={job} verb="Evaluating" noun="conversations" />
      )}
      {job?.error && (
        <p class="bad">
          The run failed: <Name value={job.error.message} />
        </p>
      )}
      {job?.status === 'cancelled' && <p>The run was cancelled. The scores that it has stored stay.</p>}
      {result && (
        <p role="status">
          {countText(result.evaluated, 'score')} for {countText(result.conversations, 'conversation')},{' '}
          {result.unchanged.toLocaleString('en')} existed already
          {result.unknown > 0 && `, ${result.unknown.toLocaleString('en')} unknown`}
          {result.failed > 0 && `, ${result.failed.toLocaleString('en')} failed: another run gives them`}
          {result.calls > 0 && `; ${spentText(result)}`}. {whyStopped(result)}
        </p>
      )}
    </section>
  );
}
