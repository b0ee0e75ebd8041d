/** The parts of a form: labelled controls with the messages of the API about their values, and its buttons. */

import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { ApiError, type ErrorDetail } from '../../../clients/typescript/src/index.ts';

/** @returns the messages of the API about the fields of the last attempt */
export const detailsOf = (error: unknown): readonly ErrorDetail[] =>
  error instanceof ApiError ? error.details : [];

/** @returns the messages of the API about a field and about the fields inside it */
export function messagesAt(details: readonly ErrorDetail[], path: readonly string[]): string[] {
  const name = path.join('.');
  return details.flatMap((detail) => {
    if (detail.path === name) return [detail.message];
    return detail.path.startsWith(`${name}.`)
      ? [`${detail.path.slice(name.length + 1)}: ${detail.message}`]
      : [];
  });
}

export type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': boolean };

type Props = {
  label: string;
  hint?: ComponentChildren;
  messages: readonly string[];
  children: (control: ControlProps) => ComponentChildren;
};

export function FormField({ label, hint, messages, children }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-about`, 'aria-invalid': messages.length > 0 })}
      <small id={`${id}-about`}>
        {messages.length > 0 && <span class="invalid">{messages.join('; ')}. </span>}
        {hint}
      </small>
    </div>
  );
}

type FormEndProps = {
  action: string;
  isPending: boolean;
  /** Whether the form can be sent. */
  isComplete?: boolean;
  onClose: () => void;
};

/** The end of a form: a button that leaves the form, and a button that sends it. */
export const FormEnd = ({ action, isPending, isComplete = true, onClose }: FormEndProps) => (
  <p class="row end">
    <button type="button" onClick={onClose}>
      Cancel
    </button>
    <button type="submit" class="primary" disabled={isPending || !isComplete}>
      {isPending ? 'Working …' : action}
    </button>
  </p>
);

/**
 * Fields in a `details` element stay open while somebody edits them, even when they are empty again.
 *
 * @param isNeeded whether the fields have a value
 * @returns whether they have had a value at any time
 */
export function useOnceOpen(isNeeded: boolean): boolean {
  const isOpen = useRef(false);
  isOpen.current ||= isNeeded;
  return isOpen.current;
}

/** @returns the tags between the commas, each of them once */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
