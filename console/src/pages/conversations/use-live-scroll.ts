/** Where the page is while messages arrive: it stays at the end if it was there, and says how many arrived otherwise. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Closer to the end counts as at the end. */
const nearPixels = 240;

/** The id of the element behind the last message. The page may go on below this element, with the scores. */
export const endId = 'transcript-end';

function isNearEnd(): boolean {
  const end = document.getElementById(endId)?.getBoundingClientRect().top ?? 0;
  // Somebody who reads the scores below is not at the end.
  return end > 0 && end - window.innerHeight < nearPixels;
}

export const scrollToEnd = () => document.getElementById(endId)?.scrollIntoView({ block: 'end' });

/**
 * @param lastSeq of the shown messages
 * @param isFollowing whether messages arrive by themselves
 * @returns how many messages arrived below what is visible, and how many in total
 */
export function useLiveScroll(lastSeq: number, isFollowing: boolean) {
  const wasNear = useRef(false);
  const before = useRef(lastSeq);
  const [unseen, setUnseen] = useState(0);
  const [arrived, setArrived] = useState(0);
  useEffect(() => {
    const look = () => {
      wasNear.current = isNearEnd();
      if (wasNear.current) setUnseen(0);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [isFollowing]);
  useLayoutEffect(() => {
    const added = lastSeq - before.current;
    before.current = lastSeq;
    if (!isFollowing || added <= 0) return;
    setArrived((count) => count + added);
    if (wasNear.current) scrollToEnd();
    else setUnseen((count) => count + added);
  }, [lastSeq]);
  return { unseen, arrived };
}
