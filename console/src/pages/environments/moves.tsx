/** The buttons that move a rollout. Each opens a dialog that says what the move does. */

import { useState } from 'preact/hooks';
import {
  type ComparedRollout,
  type Rollout,
  VersionMismatchError,
} from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { advanceText, ifUnmoved, type Move, movesOf, percentText } from './texts.ts';

const labels: Readonly<Record<Move, string>> = {
  advance: 'Advance',
  pause: 'Pause',
  resume: 'Resume',
  raise: 'Raise percent',
  complete: 'Complete',
  abort: 'Abort',
};

const titles: Readonly<Record<Move, string>> = {
  advance: 'Advance the rollout',
  pause: 'Pause the rollout',
  resume: 'Resume the rollout',
  raise: 'Raise the percent',
  complete: 'Complete the rollout',
  abort: 'Abort the rollout',
};

/** @returns what a move does, for the people of the environment */
function effectOf(move: Move, rollout: ComparedRollout): string {
  const { environment, reason, percent } = rollout;
  switch (move) {
    case 'advance':
      return advanceText(rollout);
    case 'pause':
      return 'Everybody keeps what they have, and new users are still shared out. No time is held, and the guards still watch.';
    case 'resume':
      return reason === 'guard_breached'
        ? 'The rollout goes on where it was paused, on behalf of your credential. The breached guard is accepted: it stops the rollout no more.'
        : 'The rollout goes on where it was paused, on behalf of your credential.';
    case 'raise':
      return `More users get the candidate at once: now ${percentText(percent)} have it. They keep it: the percent only rises.`;
    case 'complete':
      return `The candidate is promoted: ${environment} serves it to everybody at once. The guards are not asked, and a pin ends.`;
    case 'abort':
      return `Everybody gets the current deployment of ${environment} again. It is not pinned, so the next deployment is promoted.`;
  }
}

type Props = { project: string; rollout: ComparedRollout; onMoved: () => void };

export function Moves({ project, rollout, onMoved }: Props) {
  // The rollout as it was when the dialog was opened: what the user decides is about this version.
  const [open, setOpen] = useState<{ move: Move; shown: ComparedRollout } | undefined>(undefined);
  const moves = movesOf(rollout);
  const close = () => {
    setOpen(undefined);
    onMoved();
  };
  if (moves.length === 0 && !open) return null;
  return (
    <>
      <p class="row">
        {moves.map((move) => (
          <button
            key={move}
            type="button"
            class={move === 'abort' ? 'danger' : ''}
            onClick={() => setOpen({ move, shown: rollout })}
          >
            {labels[move]} …
          </button>
        ))}
      </p>
      {open && <MoveDialog project={project} move={open.move} rollout={open.shown} onClose={close} />}
    </>
  );
}

type DialogProps = { project: string; move: Move; rollout: ComparedRollout; onClose: () => void };

type Input = { percent: string; reason: string | null };

function MoveDialog({ project, move, rollout, onClose }: DialogProps) {
  const [percent, setPercent] = useState('');
  const [reason, setReason] = useState('');
  const name = rollout.environment;
  const action = useAction((input: Input, options): PromiseLike<Rollout> => {
    const { rollouts } = platform().projects(project);
    const body = { reason: input.reason };
    // The request takes effect only on the version that the user has seen.
    const conditional = ifUnmoved(rollout, options);
    switch (move) {
      case 'advance':
        return rollouts.advance(name, body, conditional);
      case 'complete':
        return rollouts.complete(name, body, conditional);
      case 'abort':
        return rollouts.abort(name, body, conditional);
      case 'raise':
        return rollouts.update(name, { ...body, percent: Number(input.percent) }, conditional);
      default:
        return rollouts.update(name, { ...body, paused: move === 'pause' }, conditional);
    }
  });
  const finish = (result: Rollout | undefined) => {
    if (!result) return;
    announce(`The rollout is ${result.status.replaceAll('_', ' ')}, at ${percentText(result.percent)}.`);
    onClose();
  };
  const isMoved = action.error instanceof VersionMismatchError;
  return (
    <Dialog title={titles[move]} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await action.run({ percent, reason: reason.trim() || null }));
        }}
      >
        <p>{effectOf(move, rollout)}</p>
        {move === 'raise' && (
          <Field label="Percent" hint={`Above ${percentText(rollout.percent)}, at most 99.99.`}>
            {(id) => (
              <input
                id={id}
                inputMode="decimal"
                autocomplete="off"
                required
                value={percent}
                onInput={(event) => setPercent(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Field label="Reason" hint="For the others: it is shown in the history and in the audit log.">
          {(id) => (
            <input
              id={id}
              maxLength={500}
              autocomplete="off"
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
        {isMoved ? (
          <p class="problem" role="alert">
            The rollout has moved since you opened this. Nothing was changed. Cancel, and look at it again.
          </p>
        ) : (
          <Problem error={action.error} onRepeat={async () => finish(await action.repeat())} />
        )}
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={move === 'abort' ? 'danger' : 'primary'}
            disabled={action.isPending || isMoved}
          >
            {action.isPending ? 'Working …' : labels[move]}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
