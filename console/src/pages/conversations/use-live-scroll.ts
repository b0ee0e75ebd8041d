/** The scroll position while messages arrive. A page at its end stays there. Another page says how many messages arrived. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A page that is closer to its end counts as at its end. */
const nearPixels = 240;

/** The id of the element behind the last message. The page may go on below this element, with the scores. */
export const endId = 'transcript-end';

function isNearEnd(): boolean {
  const end = document.getElementById(endId)?.getBoundingClientRect().top ?? 0;
  // Somebody who reads the scores below is not at the end of the messages.
  return end > 0 && end - window.innerHeight < nearPixels;
}

export const scrollToEnd = () => document.getElementById(endId)?.scrollIntoView({ block: 'end' });

/**
 * @param lastSeq the number of the last message on the page
 * @param isFollowing whether messages arrive by themselves
 * @returns how many messages arrived below the window, and how many in total
 */
export function useLiveScroll(lastSeq: number, isFollowing: boolean) {
  const wasNear = useRef(false);
  const previousSeq = useRef(lastSeq);
  const [unseenCount, setUnseenCount] = useState(0);
  const [arrivedCount, setArrivedCount] = useState(0);
  useEffect(() => {
    const look = () => {
      wasNear.current = isNearEnd();
      if (wasNear.current) setUnseenCount(0);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [isFollowing]);
  useLayoutEffect(() => {
    const addedCount = lastSeq - previousSeq.current;
    previousSeq.current = lastSeq;
    if (!isFollowing || addedCount <= 0) return;
    setArrivedCount((count) => count + addedCount);
    if (wasNear.current) scrollToEnd();
    else setUnseenCount((count) => count + addedCount);
  }, [lastSeq]);
  return { unseenCount, arrivedCount };
}
