/** Whether an element is near the window, so that a long list has only these rows in the document. */

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The margin above and below the window counts as near. A key or a turn of the wheel moves less than the margin. */
const margin = '150%';

type Look = (entry: IntersectionObserverEntry) => void;
const looks = new WeakMap<Element, Look>();
let observer: IntersectionObserver | undefined;

/** One observer looks at all elements at once. */
const sharedObserver = (): IntersectionObserver => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) looks.get(entry.target)?.(entry);
    },
    { rootMargin: `${margin} 0px` },
  );
  return observer;
};

/** An element in use stays in the document, so that the focus and opened details are not lost. */
const isInUse = (element: Element): boolean =>
  element.contains(document.activeElement) || element.querySelector('details[open]') !== null;

/**
 * @param onFar gets the height of an element that is no longer near
 * @returns whether the element is near; an element in use counts as near
 */
export function useNear(
  ref: RefObject<HTMLElement | null>,
  isNearAtFirst: boolean,
  onFar: (height: number) => void,
): boolean {
  const [isNear, setIsNear] = useState(isNearAtFirst);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    looks.set(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) return setIsNear(true);
      if (isInUse(element)) return;
      onFar(boundingClientRect.height);
      setIsNear(false);
    });
    sharedObserver().observe(element);
    return () => sharedObserver().unobserve(element);
  }, []);
  return isNear;
}
