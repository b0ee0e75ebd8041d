/**
 * The moves of a rollout, as a state machine. A move gets the stored rollout and returns the next one, or why the state does not allow
 * it. Pure: every move is then written by one transaction, on condition that nobody has moved the rollout meanwhile.
 */

import { minuteMs } from '../base/time.ts';
import { activeMs, type Suspendable } from '../organisations/suspensions.ts';
import { maxSpans } from './assign.ts';
import type { Verdict } from './guard.ts';
import type { NewRollout, RolloutBreach, RolloutStatus } from './schema.ts';
import type { RolloutItem } from './store.ts';

/** Who moves the rollout, when and why. `at` is a timestamp. */
export type Actor = { at: string; by: string; reason: string | null };

export type MoveError =
  | 'rollout_ended'
  | 'rollout_paused'
  | 'rollout_only_forward'
  | 'rollout_too_many_changes'
  | 'rollout_without_steps';

/** The next state. It is the same object if there is nothing to change. */
export type Moved<Code extends MoveError = MoveError> = { rollout: RolloutItem } | { refused: Code };

const maxHistory = 100;

export const isOpen = ({ endedAt }: Pick<RolloutItem, 'endedAt'>): boolean => endedAt === null;

/** @returns how long the present step has been held, without the time of suspensions; 0 without a hold */
export const heldMs = (
  { hold }: Pick<RolloutItem, 'hold'>,
  organisation: Suspendable,
  nowMs: number,
): number => (hold ? Math.max(0, activeMs(organisation, Date.parse(hold.since), nowMs)) : 0);

type Begun = { id: string; environment: string; currentDeploymentId: string; conversationsBefore: number };

export function start(
  { deploymentId, percent, steps, guards, onBreach, reason }: NewRollout,
  { id, environment, currentDeploymentId, conversationsBefore }: Begun,
  { at, by, setBy }: { at: string; by: string; setBy: string },
): RolloutItem {
  const first = steps?.[0]?.percent ?? percent ?? 0;
  const item: RolloutItem = {
    id,
    environment,
    deploymentId,
    currentDeploymentId,
    status: 'running',
    percent: first,
    reason,
    since: at,
    by,
    span: 1,
    steps: steps ?? null,
    step: steps ? 1 : null,
    guards,
    onBreach,
    breach: null,
    spans: [{ span: 1, percent: first, from: at, until: null }],
    createdAt: at,
    createdBy: by,
    endedAt: null,
    version: 0,
    history: [],
    conversationsBefore,
    setBy,
  };
  return moved(item, enterStep(item, 1, at), { at, by, reason });
}

/** What a move changes besides the stamps that every move changes. */
type Changes = Partial<
  Pick<RolloutItem, 'status' | 'percent' | 'step' | 'breach' | 'acceptedBreaches' | 'endedAt' | 'setBy'>
> & { hold?: RolloutItem['hold'] | null; holdLeftMs?: number | null };

function moved(before: RolloutItem, changes: Changes, { at, by, reason }: Actor): RolloutItem {
  const { hold = before.hold, holdLeftMs = before.holdLeftMs, ...others } = changes;
  const { hold: _, holdLeftMs: __, ...rest } = before;
  const after: RolloutItem = {
    ...rest,
    ...others,
    ...(hold && { hold }),
    ...(typeof holdLeftMs === 'number' && { holdLeftMs }),
    version: before.version + 1,
    since: at,
    by,
    reason,
  };
  if (after.percent !== before.percent) {
    after.span = before.span + 1;
    after.spans = [
      ...before.spans.map((span) => (span.until === null ? { ...span, until: at } : span)),
      { span: after.span, percent: after.percent, from: at, until: null },
    ];
  }
  if (after.endedAt !== null)
    after.spans = after.spans.map((span) => (span.until === null ? { ...span, until: at } : span));
  const { status, percent } = after;
  after.history = [...before.history, { at, by, status, percent, reason }].slice(-maxHistory);
  // A rollout that stays paused keeps the reason of its pause.
  if (status !== 'paused' || before.status !== 'paused') return after;
  return { ...after, since: before.since, by: before.by, reason: before.reason };
}

/** @returns the changes with which a step begins. A percent that a request has raised further does not fall */
function enterStep({ steps, percent }: RolloutItem, number: number, at: string): Changes {
  const step = steps?.[number - 1];
  if (!step) return { status: 'running' };
  const raised = { step: number, percent: Math.max(percent, step.percent) };
  return step.holdMinutes === undefined
    ? { ...raised, status: 'waiting_for_advance', hold: null, holdLeftMs: null }
    : {
        ...raised,
        status: 'running',
        hold: { since: at, ms: step.holdMinutes * minuteMs },
        holdLeftMs: null,
      };
}

const refused = <Code extends MoveError>(code: Code) => ({ refused: code });

/** The spans that the steps above this percent need: a change by hand must leave room for them. */
const spansAbove = ({ steps }: RolloutItem, percent: number): number =>
  steps?.filter((step) => step.percent > percent).length ?? 0;

export function changePercent(
  rollout: RolloutItem,
  percent: number,
  actor: Actor,
): Moved<'rollout_ended' | 'rollout_only_forward' | 'rollout_too_many_changes'> {
  if (!isOpen(rollout)) return refused('rollout_ended');
  if (percent === rollout.percent) return { rollout };
  if (percent < rollout.percent) return refused('rollout_only_forward');
  if (rollout.spans.length + spansAbove(rollout, percent) >= maxSpans)
    return refused('rollout_too_many_changes');
  return { rollout: moved(rollout, { percent }, actor) };
}

/** @param heldMs how long the present step has been held, without the time of suspensions; 0 without a hold */
export function pause(
  rollout: RolloutItem,
  heldMs: number,
  actor: Actor,
  breach?: RolloutBreach,
): Moved<'rollout_ended'> {
  if (!isOpen(rollout)) return refused('rollout_ended');
  if (rollout.status === 'paused') return { rollout };
  const changes = { status: 'paused' as const, hold: null, ...(breach && { breach }) };
  return { rollout: moved(rollout, { ...changes, holdLeftMs: leftOf(rollout, heldMs) }, actor) };
}

/** @returns the rest of the hold, which is nothing while the rollout waits for scores; null if no time is held */
function leftOf({ hold, status }: RolloutItem, heldMs: number): number | null {
  if (hold) return Math.max(0, hold.ms - heldMs);
  return status === 'waiting_for_scores' ? 0 : null;
}

/** @returns whether a guard has paused the rollout. A request may have the same reason */
const isPausedByGuard = ({ by, reason }: RolloutItem): boolean =>
  by.startsWith('worker:') && reason === guardBreached;

/**
 * The rollout goes on where it was paused. A breach that has paused it is accepted: it does not pause the rollout again.
 * @param setBy the credential on whose behalf it moves from now on
 */
export function resume(rollout: RolloutItem, setBy: string, actor: Actor): Moved<'rollout_ended'> {
  if (!isOpen(rollout)) return refused('rollout_ended');
  if (rollout.status !== 'paused') return { rollout };
  const { holdLeftMs, steps, step, breach, acceptedBreaches = [] } = rollout;
  const waits = steps?.[(step ?? 0) - 1]?.pause === true;
  const accepted =
    breach && isPausedByGuard(rollout)
      ? { acceptedBreaches: [...new Set([...acceptedBreaches, nameOf(breach)])] }
      : {};
  const hold = holdLeftMs === undefined ? null : { since: actor.at, ms: holdLeftMs };
  const status: RolloutStatus = waits ? 'waiting_for_advance' : 'running';
  return { rollout: moved(rollout, { status, hold, holdLeftMs: null, setBy, ...accepted }, actor) };
}

/** The next step begins. After the last step, the rollout completes: the caller promotes the candidate. */
export function advance(
  rollout: RolloutItem,
  actor: Actor,
): Moved<'rollout_ended' | 'rollout_paused' | 'rollout_without_steps'> {
  if (!isOpen(rollout)) return refused('rollout_ended');
  if (rollout.status === 'paused') return refused('rollout_paused');
  const { steps, step } = rollout;
  if (steps === null || step === null) return refused('rollout_without_steps');
  if (step >= steps.length) return end(rollout, 'completed', actor);
  return { rollout: moved(rollout, enterStep(rollout, step + 1, actor.at), actor) };
}

export type EndStatus = 'completed' | 'aborted' | 'rolled_back';

export function end(
  rollout: RolloutItem,
  status: EndStatus,
  actor: Actor,
  breach?: RolloutBreach,
): Moved<'rollout_ended'> {
  if (!isOpen(rollout)) return refused('rollout_ended');
  const changes = { status, endedAt: actor.at, hold: null, holdLeftMs: null, ...(breach && { breach }) };
  return { rollout: moved(rollout, changes, actor) };
}

const waitForScores = (rollout: RolloutItem, actor: Actor): Moved<never> => ({
  rollout: moved(rollout, { status: 'waiting_for_scores', hold: null, holdLeftMs: null }, actor),
});

/** The reasons of automatic moves. */
export const guardBreached = 'guard_breached';
export const credentialRevoked = 'credential_revoked';

/** A guard with its verdict, and the figures of a breach. */
export type Judged = { verdict: Verdict['verdict']; breach: RolloutBreach };

const nameOf = ({ score, value }: Pick<RolloutBreach, 'score' | 'value'>): string =>
  `${score}#${value ?? ''}`;

/**
 * Decides whether the rollout moves by itself.
 * @param judged the guards, in their order
 * @param heldMs how long the present step has been held, without the time of suspensions
 * @param mayAct whether the credential on whose behalf it moves may still deploy. Without that, nothing moves forward
 * @returns the next state; the same object if nothing is to be done
 */
export function decide(
  rollout: RolloutItem,
  judged: readonly Judged[],
  heldMs: number,
  mayAct: boolean,
  { at, by }: Pick<Actor, 'at' | 'by'>,
): RolloutItem {
  if (!isOpen(rollout)) return rollout;
  const actor = (reason: string | null): Actor => ({ at, by, reason });
  const accepted = new Set(rollout.acceptedBreaches);
  const isAccepted = ({ breach }: Judged) => accepted.has(nameOf(breach));
  const breached = judged.find((one) => one.verdict === 'breached' && !isAccepted(one));
  const next = (moved: Moved) => ('rollout' in moved ? moved.rollout : rollout);
  if (breached && rollout.onBreach === 'roll_back')
    return next(end(rollout, 'rolled_back', actor(guardBreached), breached.breach));
  if (breached) return next(pause(rollout, heldMs, actor(guardBreached), breached.breach));
  const { hold, status } = rollout;
  const isHeld = status === 'waiting_for_scores' || (hold !== undefined && heldMs >= hold.ms);
  if (status === 'paused' || status === 'waiting_for_advance' || !isHeld) return rollout;
  if (!mayAct) return next(pause(rollout, heldMs, actor(credentialRevoked)));
  if (judged.every((one) => one.verdict === 'passed' || isAccepted(one)))
    return next(advance(rollout, actor(null)));
  return status === 'waiting_for_scores' ? rollout : next(waitForScores(rollout, actor(null)));
}
