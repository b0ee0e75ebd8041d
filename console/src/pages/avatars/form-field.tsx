/** A labelled control, with the messages of the API about its value. */

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ApiError, type ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import type { Path } from './content.ts';

/** @returns the messages of the API about the fields of the last attempt */
export const detailsOf = (error: unknown): readonly ErrorDetail[] =>
  error instanceof ApiError ? error.details : [];

/** @returns the messages of the API about a field and about the fields inside it */
export function messagesAt(details: readonly ErrorDetail[], path: Path): string[] {
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
