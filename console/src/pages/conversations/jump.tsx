/** Ways to a place on the page of a conversation: links to messages and scores, and a field for the number of a message. */

import type { ComponentChildren } from 'preact';
import { setQuery } from '../../router.ts';

export const messageAt = (seq: number): string => `message-${seq}`;
export const scoreAt = (name: string): string => `score-${name}`;

/** Scrolls to an element of the page, and moves the focus to it. */
export function focusOn(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}

type Props = {
  /** The address of the place. */
  to: string;
  /** The id of the element at the place. */
  id: string;
  /** The text that says where the link leads. */
  label: string;
  children: ComponentChildren;
};

export const Jump = ({ to, id, label, children }: Props) => (
  // The address does not change for somebody who follows the link again, so the click moves the focus.
  <a href={to} aria-label={label} onClick={() => focusOn(id)}>
    {children}
  </a>
);

/** A shorter conversation needs no jump. */
const leastCount = 30;

/** Jumps to a message of a long conversation by its number. */
export function GoTo({ count }: { count: number }) {
  if (count < leastCount) return null;
  return (
    <form
      class="row nowrap"
      onSubmit={(event) => {
        event.preventDefault();
        const box = event.currentTarget.elements.namedItem('seq');
        if (box instanceof HTMLInputElement && box.value) setQuery({ message: Number(box.value) });
      }}
    >
      <label class="row nowrap">
        Message
        <input name="seq" type="number" class="short" required min={1} max={count} />
      </label>
      <button type="submit">Go</button>
    </form>
  );
}
