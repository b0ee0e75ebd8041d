/** Fields behind a `details`: they stay open while somebody edits them, also when they are empty again. */

import { useRef } from 'preact/hooks';

/** @param isNeeded whether they have something to show @returns whether they have had it at any time */
export function useOnceOpen(isNeeded: boolean): boolean {
  const isOpen = useRef(false);
  isOpen.current ||= isNeeded;
  return isOpen.current;
}
