/** Follows a delivery until its next attempt has ended. */

import { useEffect, useState } from 'preact/hooks';
import type { Delivery } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

const intervalMs = 1000;
const maxPolls = 30;

type Watched = { delivery: Delivery; after: string | undefined; polls: number };

export type Watch = {
  /** As it was last seen; undefined before `start`. */
  delivery: Delivery | undefined;
  isWaiting: boolean;
  /** @param after the time of the last attempt before */
  start: (delivery: Delivery, after: string | undefined) => void;
};

/** @returns whether an attempt after the given one has ended */
const hasNewEnd = ({ attempts }: Delivery, after: string | undefined): boolean => {
  const last = attempts.at(-1);
  return last !== undefined && last.at !== after && last.durationMs !== null;
};

/** A delivery has no address of its own: it is found in the list. */
async function find(webhookId: string, id: string, signal: AbortSignal): Promise<Delivery | undefined> {
  const list = platform().webhooks.deliveries.list(webhookId, { limit: 100 }, { signal });
  let seen = 0;
  for await (const delivery of list) {
    if (delivery.id === id) return delivery;
    seen += 1;
    if (seen >= 300) return undefined;
  }
  return undefined;
}

/** @param onEnd gets the delivery after the attempt */
export function useWatch(webhookId: string, onEnd?: (delivery: Delivery) => void): Watch {
  const [watched, setWatched] = useState<Watched | undefined>(undefined);
  const isEnded = watched !== undefined && hasNewEnd(watched.delivery, watched.after);
  const isWaiting = watched !== undefined && !isEnded && watched.polls < maxPolls;
  useEffect(() => {
    if (!watched) return;
    if (isEnded) onEnd?.(watched.delivery);
    if (!isWaiting) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(webhookId, watched.delivery.id, controller.signal).then(
        (delivery = watched.delivery) => setWatched({ ...watched, delivery, polls: watched.polls + 1 }),
        () => controller.signal.aborted || setWatched({ ...watched, polls: watched.polls + 1 }),
      );
    }, intervalMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [watched]);
  return {
    delivery: watched?.delivery,
    isWaiting,
    start: (delivery, after) => setWatched({ delivery, after, polls: 0 }),
  };
}
