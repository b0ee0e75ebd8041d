/** The scroll positions of pages. The back button shows a page at its last position. */

import { address, path } from './router.ts';
import { onSignOut } from './session/session.ts';

/** The scroll position of each page, by address. */
const places = new Map<string, number>();
onSignOut(() => places.clear());

/** Keeps the scroll position of the page for the back button. The address changes while the list grows. */
export function rememberPlace(): () => void {
  const startPath = path.peek();
  const save = () => {
    // The next page is at its start, and the browser may say so before this listener is removed.
    if (path.peek() === startPath) places.set(address.peek(), window.scrollY);
  };
  window.addEventListener('scroll', save, { passive: true });
  return () => window.removeEventListener('scroll', save);
}

export const placeOf = (pageAddress: string): number => places.get(pageAddress) ?? 0;
