/** Replaces the secret of an API key or a webhook. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { PreviousSecretValidError } from '../../../clients/typescript/src/index.ts';
import { useAction } from '../request/use-action.ts';
import { Dialog, Field } from './dialog.tsx';
import { FormEnd } from './form.tsx';
import { Problem } from './problem.tsx';
import { Countdown } from './time.tsx';

type Body = { overlap: string; endPrevious?: boolean };

type Props<Rotated> = {
  title: string;
  /** What a rotation does. */
  children: ComponentChildren;
  /** Whether the old secret may not end at once. */
  isOverlapNeeded?: boolean;
  rotate: (body: Body, options: { idempotencyKey: string }) => PromiseLike<Rotated>;
  onRotated: (result: Rotated) => void;
  onClose: () => void;
};

const overlaps = [
  ['0s', 'not at all: it ends at once'],
  ['1h', 'for an hour'],
  ['24h', 'for a day'],
  ['7d', 'for a week'],
] as const;

export function RotateDialog<Rotated>(props: Props<Rotated>) {
  const { title, children, isOverlapNeeded, rotate, onRotated, onClose } = props;
  const [overlap, setOverlap] = useState('24h');
  const action = useAction(rotate);
  const finish = (result: Rotated | undefined) => result && onRotated(result);
  const { error } = action;
  if (error instanceof PreviousSecretValidError)
    return (
      <StillValid
        error={error}
        isPending={action.isPending}
        onEnd={async () => finish(await action.run({ overlap, endPrevious: true }))}
        onClose={onClose}
      />
    );
  return (
    <Dialog key="ask" title={title} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await action.run({ overlap }));
        }}
      >
        {children}
        <Field label="The old secret stays valid" hint="Replace it everywhere in this time.">
          {(id) => (
            <select id={id} value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
              {overlaps
                .filter(([value]) => !isOverlapNeeded || value !== '0s')
                .map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
            </select>
          )}
        </Field>
        <Problem error={error} onRepeat={async () => finish(await action.repeat())} />
        <FormEnd action="Rotate" isPending={action.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type StillValidProps = {
  error: PreviousSecretValidError;
  isPending: boolean;
  onEnd: () => void;
  onClose: () => void;
};

/** The secret from before the last rotation may still be in use somewhere, so ending it is a decision. */
function StillValid({ error, isPending, onEnd, onClose }: StillValidProps) {
  const end = error.details.find(({ path }) => path === 'previousSecretExpiresAt')?.message;
  return (
    <Dialog key="still-valid" title="An older secret is still valid" onClose={onClose}>
      <p>
        The secret from before the last rotation is valid for {end ? <Countdown until={end} /> : 'some time'}.
        Only two secrets can be valid at a time.
      </p>
      <p>
        You can wait. Or you can end the older secret now: whatever still uses it then stops working at once.
        The current secret stays valid for the time that you chose.
      </p>
      <p class="row end">
        <button type="button" onClick={onClose}>
          Wait
        </button>
        <button type="button" class="danger" disabled={isPending} onClick={onEnd}>
          End the older secret and rotate
        </button>
      </p>
    </Dialog>
  );
}
