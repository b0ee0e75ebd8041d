/** Follows a delivery until its next attempt has ended. */

import { useEffect, useState } from 'preact/hooks';
import type { Delivery } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

const intervalMs = 1000;
const maxPolls = 30;

type WatchState = { delivery: Delivery; after: string | undefined; polls: number };

export type Watch = {
  /** The delivery as it was last loaded; undefined before `start`. */
  delivery: Delivery | undefined;
  isWaiting: boolean;
  /** @param after the time of the last attempt before the watch */
  start: (delivery: Delivery, after: string | undefined) => void;
};

/** @returns whether an attempt after the attempt of this time has ended */
const hasNewEnd = ({ attempts }: Delivery, after: string | undefined): boolean => {
  const lastAttempt = attempts.at(-1);
  return lastAttempt !== undefined && lastAttempt.at !== after && lastAttempt.durationMs !== null;
};

/** Finds a delivery in the list, because a delivery has no endpoint of its own. */
async function find(webhookId: string, id: string, signal: AbortSignal): Promise<Delivery | undefined> {
  const list = platform().webhooks.deliveries.list(webhookId, { limit: 100 }, { signal });
  let count = 0;
  for await (const delivery of list) {
    if (delivery.id === id) return delivery;
    count += 1;
    if (count >= 300) return undefined;
  }
  return undefined;
}

/** @param onEnd gets the delivery after the attempt */
export function useWatch(webhookId: string, onEnd?: (delivery: Delivery) => void): Watch {
  const [state, setState] = useState<WatchState | undefined>(undefined);
  const isEnded = state !== undefined && hasNewEnd(state.delivery, state.after);
  const isWaiting = state !== undefined && !isEnded && state.polls < maxPolls;
  useEffect(() => {
    if (!state) return;
    if (isEnded) onEnd?.(state.delivery);
    if (!isWaiting) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(webhookId, state.delivery.id, controller.signal).then(
        (delivery = state.delivery) => setState({ ...state, delivery, polls: state.polls + 1 }),
        () => controller.signal.aborted || setState({ ...state, polls: state.polls + 1 }),
      );
    }, intervalMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [state]);
  return {
    delivery: state?.delivery,
    isWaiting,
    start: (delivery, after) => setState({ delivery, after, polls: 0 }),
  };
}
