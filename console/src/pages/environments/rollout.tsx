/** The rollout of an environment: its state, its steps, its guards, and its history. */

import type { ComparedRollout, Deployment, RolloutMove } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { can, mayChange } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Badge, Expander } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { DeploymentLink } from '../../shared/deployment-name.tsx';
import { LongText, Name } from '../../shared/text.tsx';
import { duration, Time } from '../../shared/time.tsx';
import { useEvaluators } from '../evaluators/use-evaluators.ts';
import { GuardCard } from './guard.tsx';
import { sizeText } from './guard-texts.ts';
import { Moves } from './moves.tsx';
import { isOpen, percentText, reasonText, statusSentence, stepText, tones } from './texts.ts';

type Props = {
  project: string;
  rollout: ComparedRollout;
  candidate: Deployment | undefined;
  onMoved: () => void;
};

export function RolloutView({ project, rollout, candidate, onMoved }: Props) {
  const evaluators = useEvaluators(project);
  const { status, comparison, guards, since, by, reason } = rollout;
  const isRunning = isOpen(rollout);
  const units = comparison.units;
  return (
    <>
      <section class="rollout">
        <h2>
          {isRunning ? 'Rollout' : 'Last rollout'} <Badge value={status} tone={tones[status]} />{' '}
          <Id value={rollout.id} />
        </h2>
        <p>
          {candidate && (
            <>
              Candidate: <DeploymentLink project={project} deployment={candidate} />.{' '}
            </>
          )}
          {statusSentence(rollout)}
        </p>
        <p class="quiet">
          {status.replaceAll('_', ' ')} since <Time at={since} />, by <Credential id={by} />
          {reason && (
            <>
              : <Name value={reasonText(reason)} />
            </>
          )}
        </p>
        {mayChange('deploy:write') && <Moves project={project} rollout={rollout} onMoved={onMoved} />}
        <Steps rollout={rollout} />
      </section>
      <section>
        <h2>Guards</h2>
        <p class="quiet">
          {countText(units.candidate, 'unit')} with the candidate and {countText(units.current, 'unit')} with
          the current deployment count, each with its first conversation.
          {comparison.notAssigned > 0 &&
            ` ${countText(comparison.notAssigned, 'conversation')} did not count, without a valid assignment.`}{' '}
          {guards.length > 0 &&
            (rollout.onBreach === 'roll_back'
              ? 'A breach ends the rollout and pins the environment.'
              : 'A breach pauses the rollout.')}
        </p>
        {guards.length === 0 && (
          <p class="notice">The rollout has no guard: nothing stops it by itself when it harms.</p>
        )}
        <ul class="plain guards" aria-label="Guards">
          {guards.map((guard, at) => {
            const compared = comparison.guards[at];
            const type = evaluators.find(({ name }) => name === guard.score)?.output.type;
            return (
              compared && (
                <li key={`${guard.score} ${guard.value}`}>
                  <GuardCard project={project} {...{ rollout, guard, compared, type }} />
                </li>
              )
            );
          })}
        </ul>
        <Expander summary="Duration and messages">{() => <Measures rollout={rollout} />}</Expander>
        {can('conversations:read') && (
          <p>
            <a
              href={href(`/projects/${project}/conversations`, {
                deploymentId: rollout.deploymentId,
                startedFrom: rollout.createdAt,
              })}
            >
              All conversations of the candidate since the start
            </a>
          </p>
        )}
      </section>
      <section>
        <h2>History</h2>
        <ol class="list" aria-label="History">
          {rollout.history.toReversed().map((move) => (
            <li key={`${move.at} ${move.status} ${move.percent}`}>
              <MoveRow move={move} />
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function Steps({ rollout }: { rollout: ComparedRollout }) {
  const { steps, step, status, holdUntil, percent } = rollout;
  if (!steps) return null;
  const isRunning = isOpen(rollout);
  return (
    <>
      <h3>Steps</h3>
      <ol class="steps">
        {steps.map((one, at) => {
          const isPresent = isRunning && step === at + 1;
          const isDone = at + 1 < (step ?? 0) || status === 'completed';
          return (
            <li
              key={at}
              class={isPresent ? 'present' : isDone ? 'done' : ''}
              aria-current={isPresent ? 'step' : undefined}
            >
              <strong>{percentText(one.percent)}</strong> {stepText(one)}
              {isPresent && (
                <>
                  {': '}
                  <strong>now</strong>
                  {percent !== one.percent && `, raised to ${percentText(percent)}`}
                  {holdUntil && (
                    <>
                      , until <Time at={holdUntil} isExact /> (<Time at={holdUntil} />)
                    </>
                  )}
                </>
              )}
              {isDone && <span class="quiet"> (done)</span>}
            </li>
          );
        })}
      </ol>
    </>
  );
}

const none = '—';

function Measures({ rollout: { comparison } }: { rollout: ComparedRollout }) {
  const seconds = (value: number) => `${value < 0 ? '−' : ''}${duration(Math.abs(value))}`;
  const count = (value: number) => `${value < 0 ? '−' : ''}${sizeText(value, 'mean')}`;
  const rows = [
    ['Duration', comparison.durationSeconds, seconds],
    ['Messages', comparison.messages, count],
  ] as const;
  const show = (value: number | null, text: (value: number) => string) =>
    value === null ? none : text(value);
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Mean</th>
          <th scope="col">Current</th>
          <th scope="col">Candidate</th>
          <th scope="col">Difference</th>
          <th scope="col">Band</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, { current, candidate, difference, low, high }, text]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{show(current.mean, text)}</td>
            <td>{show(candidate.mean, text)}</td>
            <td>{show(difference, text)}</td>
            <td>{low === null || high === null ? none : `${text(low)} to ${text(high)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const MoveRow = ({ move: { at, by, status, percent, reason } }: { move: RolloutMove }) => (
  <div class="row-grid">
    <Badge value={status} tone={tones[status]} />
    <strong>{percentText(percent)}</strong>
    <span class="main">
      <Credential id={by} />
      {reason && (
        <>
          : <LongText value={reasonText(reason)} />
        </>
      )}
    </span>
    <Time at={at} />
  </div>
);
