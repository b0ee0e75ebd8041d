/** The back button asks before it leaves something that cannot be shown again. */

import { useEffect, useRef } from 'preact/hooks';

/**
 * Adds an entry to the history, which the back button removes in place of the page.
 * @param mayLeave says whether the page may be left, when the back button is pressed
 * @param onLeave is called after the entry is gone
 * @returns a function that leaves without asking
 */
export function useBackGuard(mayLeave: () => boolean, onLeave: () => void): () => void {
  const callbacks = useRef({ mayLeave, onLeave });
  callbacks.current = { mayLeave, onLeave };
  const isLeaving = useRef(false);
  useEffect(() => {
    const guard = () => history.pushState(history.state, '', location.href);
    const onBack = () => {
      const wasLeaving = isLeaving.current;
      if (!wasLeaving && !callbacks.current.mayLeave()) return guard();
      window.removeEventListener('popstate', onBack);
      callbacks.current.onLeave();
      // The user wants the page before this one.
      if (!wasLeaving) history.back();
    };
    guard();
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
  return () => {
    isLeaving.current = true;
    history.back();
  };
}
