/**
 * Counts requests against limits. It is loaded with the first request of a caller who has a limit, so other callers do not wait
 * for it.
 */

import {
  freeAtMs,
  mostBy,
  periodsMs,
  type RateLimit,
  sharesOf,
  type Window,
  windowAt,
  windowStartMs,
} from '../base/rate-limit.ts';
import {
  giveBack,
  type Outcome,
  openWindow,
  type Send,
  takeNext,
  takeUnseen,
  type WindowPlace,
} from './store/windows.ts';

/** A limit, and whose it is: of the calling key, of a key above it, or of the tenant. */
export type Policy = { name: 'key' | 'parent' | 'tenant'; holder: string; limit: RateLimit };

/**
 * Where a limit stands after a request. `untilMs`: when more requests may pass; if the limit is not full, when its window ends.
 */
export type Standing = { policy: Policy; isRefused: boolean; remaining: number; untilMs: number };

export type Counting = {
  tenant: string;
  nowMs: number;
  /** From 0 to below 1. It chooses the share of a limit that has several. */
  chance: number;
  send: Send;
  /** Work that the response does not wait for. */
  later: (work: Promise<unknown>) => void;
  /** Called if a limit cannot be counted. Then the request passes. */
  failed: (fault: unknown) => void;
};

/** @returns where each limit stands that could be counted */
export type Limiter = (policies: readonly Policy[], counting: Counting) => Promise<Standing[]>;

/**
 * The limiter does not ask a full counter again for this long, so a flood of requests does not become a flood of writes. This
 * is the longest time, because a request may be given back.
 */
const minPauseMs = 100;
const maxPauseMs = 1000;
const maxRemembered = 1000;

/** Attempts of one request to find its window: other requests open the window, fill it, or have another clock. */
const maxTries = 8;
/** The shares that a request tries before it is refused. */
const maxShares = 3;

type Full = { pauseEndMs: number; freeMs: number };
type Counted = { standing: Standing; taken?: { place: WindowPlace; window: Window } };

export function createLimiter(): Limiter {
  const full = new Map<string, Full>();

  const fullAt = (key: string, nowMs: number): Full | undefined => {
    const found = full.get(key);
    return found && found.pauseEndMs > nowMs ? found : undefined;
  };

  function remember(key: string, freeMs: number, nowMs: number): void {
    if (full.size >= maxRemembered) full.clear();
    const pauseMs = Math.min(Math.max(freeMs - nowMs, minPauseMs), maxPauseMs);
    full.set(key, { freeMs, pauseEndMs: nowMs + pauseMs });
  }

  const keyOf = ({ tenant }: Counting, { holder, limit }: Policy, shard: number) =>
    `${tenant} ${holder} ${limit.requests}/${limit.per} ${shard}`;

  /** @returns when a request may pass, if all shares of the limit are known to be full */
  function knownFull(counting: Counting, policy: Policy): Standing | undefined {
    const found = sharesOf(policy.limit).map((_, shard) =>
      fullAt(keyOf(counting, policy, shard), counting.nowMs),
    );
    if (found.includes(undefined)) return undefined;
    return refused(policy, Math.min(...found.map((one) => one?.freeMs ?? 0)));
  }

  async function count(policy: Policy, counting: Counting): Promise<Counted> {
    const { limit, holder } = policy;
    const { tenant, nowMs, chance, send } = counting;
    const shares = sharesOf(limit);
    const first = Math.floor(chance * shares.length);
    const shards = shares.map((_, index) => (first + index) % shares.length);
    const open = shards.filter((shard) => !fullAt(keyOf(counting, policy, shard), nowMs));
    let freeMs = Number.POSITIVE_INFINITY;
    for (const shard of open.slice(0, maxShares)) {
      const place = { tenant, holder, shard };
      const share = { ...limit, requests: shares[shard] ?? 0 };
      const { window, isTaken } = await take(send, place, share, nowMs);
      if (isTaken)
        return { standing: passed(policy, share, window, nowMs, shares.length), taken: { place, window } };
      const shareFreeMs = freeAtMs(share, window);
      remember(keyOf(counting, policy, shard), shareFreeMs, nowMs);
      freeMs = Math.min(freeMs, shareFreeMs);
    }
    return { standing: refused(policy, freeMs) };
  }

  return async (policies, counting) => {
    const full = policies.flatMap((policy) => knownFull(counting, policy) ?? []);
    if (full.length > 0) return full;
    const { failed, later, send } = counting;
    const counted = await Promise.all(
      policies.map((policy) => count(policy, counting).catch((fault: unknown) => void failed(fault))),
    );
    const known = counted.filter((one) => one !== undefined);
    // A request that one limit refuses does not count in the other limits: a key cannot use up the limit of its tenant.
    if (known.some(({ standing }) => standing.isRefused)) {
      for (const { standing, taken } of known) {
        if (taken) later(giveBack(send, taken.place, standing.policy.limit.per, taken.window));
      }
    }
    return known.map(({ standing }) => standing);
  };
}

const refused = (policy: Policy, untilMs: number): Standing => ({
  policy,
  isRefused: true,
  remaining: 0,
  untilMs,
});

/** @param shares the number of shares. The other shares are assumed to be like this share */
function passed(policy: Policy, share: RateLimit, window: Window, nowMs: number, shares: number): Standing {
  const remaining = Math.max(0, mostBy(nowMs, share, window) - window.count) * shares;
  const untilMs = remaining > 0 ? window.startMs + periodsMs[share.per] : freeAtMs(share, window);
  return { policy, isRefused: false, remaining, untilMs };
}

/** Takes one request, unless the limit is reached. */
async function take(
  send: Send,
  place: WindowPlace,
  limit: RateLimit,
  nowMs: number,
): Promise<{ window: Window; isTaken: boolean }> {
  const { per } = limit;
  let outcome: Outcome = await takeUnseen(send, place, limit, { startMs: windowStartMs(nowMs, per), nowMs });
  for (let tries = 1; tries < maxTries; tries += 1) {
    if ('taken' in outcome) return { window: outcome.taken, isTaken: true };
    const { found } = outcome;
    const window = windowAt(nowMs, per, found);
    const most = mostBy(nowMs, limit, window);
    if (window.count >= most) return { window, isTaken: false };
    outcome =
      window.startMs === found?.startMs
        ? await takeNext(send, place, per, { startMs: window.startMs, most })
        : await openWindow(send, place, per, window, found);
  }
  if ('taken' in outcome) return { window: outcome.taken, isTaken: true };
  throw new Error('the window of a limit changed at every attempt');
}
