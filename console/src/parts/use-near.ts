/** Whether an element is near the window, so that a long list has only these rows in the document. */

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Above and below the window. A key or a turn of the wheel moves less than this. */
const margin = '150%';

type Look = (entry: IntersectionObserverEntry) => void;
const looks = new WeakMap<Element, Look>();
let observer: IntersectionObserver | undefined;

/** One observer looks at all elements at once. */
const shared = (): IntersectionObserver => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) looks.get(entry.target)?.(entry);
    },
    { rootMargin: `${margin} 0px` },
  );
  return observer;
};

/** The user is in there: a focus or opened details would be lost. */
const isInUse = (element: Element): boolean =>
  element.contains(document.activeElement) || element.querySelector('details[open]') !== null;

/**
 * @param onFar gets the height of an element that is no longer near
 * @returns whether the element is near; an element in use counts as near
 */
export function useNear(
  ref: RefObject<HTMLElement | null>,
  initially: boolean,
  onFar: (height: number) => void,
): boolean {
  const [isNear, setIsNear] = useState(initially);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    looks.set(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) return setIsNear(true);
      if (isInUse(element)) return;
      onFar(boundingClientRect.height);
      setIsNear(false);
    });
    shared().observe(element);
    return () => shared().unobserve(element);
  }, []);
  return isNear;
}
