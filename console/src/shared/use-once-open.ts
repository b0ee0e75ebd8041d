/** Fields in a `details` element stay open while somebody edits them, even when they are empty again. */

import { useRef } from 'preact/hooks';

/** @param isNeeded whether the fields have a value @returns whether they have had a value at any time */
export function useOnceOpen(isNeeded: boolean): boolean {
  const isOpen = useRef(false);
  isOpen.current ||= isNeeded;
  return isOpen.current;
}
