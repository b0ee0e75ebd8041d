/** Dialogs: native `dialog` elements, which keep the focus and close with Escape. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Problem } from './problem.tsx';

type DialogProps = { title: string; onClose: () => void; children: ComponentChildren; isWide?: boolean };

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, onClose, children, isWide }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const previousFocus = document.activeElement;
    ref.current?.showModal();
    return () => previousFocus instanceof HTMLElement && previousFocus.focus();
  }, []);
  return (
    <dialog ref={ref} class={isWide ? 'wide' : ''} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

type ConfirmProps = {
  title: string;
  /** The text that says what the action does. */
  children: ComponentChildren;
  action: string;
  /** The label of the button that closes the dialog. */
  dismiss?: string;
  /** The phrase that the user has to type. Without a phrase, a click is enough. */
  phrase?: string | undefined;
  /** The text that says where the phrase comes from. */
  phraseHint?: string;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onRepeat?: () => void;
  onClose: () => void;
};

export function Confirm({
  title,
  children,
  action,
  dismiss = 'Cancel',
  phrase,
  phraseHint,
  isPending,
  error,
  onConfirm,
  onRepeat,
  onClose,
}: ConfirmProps) {
  const [text, setText] = useState('');
  const isReady = phrase === undefined || text === phrase;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onConfirm();
        }}
      >
        {children}
        {phrase !== undefined && (
          <Field label={`Type ${phrase} to confirm`} hint={phraseHint}>
            {(id) => (
              <input
                id={id}
                value={text}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Problem error={error} onRepeat={onRepeat ?? onConfirm} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            {dismiss}
          </button>
          <button type="submit" class="danger" disabled={!isReady || isPending}>
            {isPending ? 'Working …' : action}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

type FieldProps = { label: string; hint?: ComponentChildren; children: (id: string) => ComponentChildren };

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint && <small>{hint}</small>}
    </div>
  );
}
