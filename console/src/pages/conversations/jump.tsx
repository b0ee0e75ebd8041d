/** Links between scores and messages of the page. Each place has an address, so the back button returns. */

import type { ComponentChildren } from 'preact';

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
