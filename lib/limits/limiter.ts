/**
 * The limiter counts requests against limits. It is loaded with the first request of a caller who has a limit, so other callers
 * do not wait for it.
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

/** The limit of the calling key, of a key above it, or of the tenant. */
export type Policy = { name: 'key' | 'parent' | 'tenant'; holder: string; limit: RateLimit };

/** The state of a limit after a request. More requests may pass at `untilMs`, when the window of an open limit ends. */
export type Standing = { policy: Policy; isRefused: boolean; remaining: number; untilMs: number };

export type Counting = {
  tenant: string;
  nowMs: number;
  /** A number from 0 to below 1 chooses the share of a limit that has several. */
  chance: number;
  send: Send;
  /** The response does not wait for this work. */
  later: (work: Promise<unknown>) => void;
  /** It is called if a limit cannot be counted. Then the request passes. */
  onFailure: (fault: unknown) => void;
};

/** @returns the states of the limits that could be counted */
export type Limiter = (policies: readonly Policy[], counting: Counting) => Promise<Standing[]>;

/**
 * The limiter does not ask a full counter again during this pause, so a flood of requests does not become a flood of writes. The
 * pause has a maximum, because a request may be given back.
 */
const minPauseMs = 100;
const maxPauseMs = 1000;
const maxRemembered = 1000;

/** The attempts of one request to find its window. Other requests open the window, fill it, or have another clock. */
const maxTries = 8;
/** The shares that a request tries before it is refused. */
const maxShares = 3;

type Full = { pauseEndMs: number; freeMs: number };
type CountResult = { standing: Standing; taken?: { place: WindowPlace; window: Window } };

export function createLimiter(): Limiter {
  const full = new Map<string, Full>();

  const fullAt = (key: string, nowMs: number): Full | undefined => {
    const entry = full.get(key);
    return entry && entry.pauseEndMs > nowMs ? entry : undefined;
  };

  function remember(key: string, freeMs: number, nowMs: number): void {
    if (full.size >= maxRemembered) full.clear();
    const pauseMs = Math.min(Math.max(freeMs - nowMs, minPauseMs), maxPauseMs);
    full.set(key, { freeMs, pauseEndMs: nowMs + pauseMs });
  }

  const keyOf = ({ tenant }: Counting, { holder, limit }: Policy, shard: number) =>
    `${tenant} ${holder} ${limit.requests}/${limit.per} ${shard}`;

  /** @returns when a request may pass, if all shares of the limit are known to be full */
  function standingIfFull(counting: Counting, policy: Policy): Standing | undefined {
    const entries = sharesOf(policy.limit).map((_, shard) =>
      fullAt(keyOf(counting, policy, shard), counting.nowMs),
    );
    if (entries.includes(undefined)) return undefined;
    return refusalOf(policy, Math.min(...entries.map((entry) => entry?.freeMs ?? 0)));
  }

  async function count(policy: Policy, counting: Counting): Promise<CountResult> {
    const { limit, holder } = policy;
    const { tenant, nowMs, chance, send } = counting;
    const shares = sharesOf(limit);
    const first = Math.floor(chance * shares.length);
    const shards = shares.map((_, index) => (first + index) % shares.length);
    const openShards = shards.filter((shard) => !fullAt(keyOf(counting, policy, shard), nowMs));
    let freeMs = Number.POSITIVE_INFINITY;
    for (const shard of openShards.slice(0, maxShares)) {
      const place = { tenant, holder, shard };
      const share = { ...limit, requests: shares[shard] ?? 0 };
      const { window, isTaken } = await take(send, place, share, nowMs);
      if (isTaken)
        return { standing: passed(policy, share, window, nowMs, shares.length), taken: { place, window } };
      const shareFreeMs = freeAtMs(share, window);
      remember(keyOf(counting, policy, shard), shareFreeMs, nowMs);
      freeMs = Math.min(freeMs, shareFreeMs);
    }
    return { standing: refusalOf(policy, freeMs) };
  }

  return async (policies, counting) => {
    const fullStandings = policies.flatMap((policy) => standingIfFull(counting, policy) ?? []);
    if (fullStandings.length > 0) return fullStandings;
    const { onFailure, later, send } = counting;
    const results = await Promise.all(
      policies.map((policy) => count(policy, counting).catch((fault: unknown) => void onFailure(fault))),
    );
    const counts = results.filter((result) => result !== undefined);
    // A request that one limit refuses does not count in the other limits, so a key cannot use up the limit of its tenant.
    if (counts.some(({ standing }) => standing.isRefused)) {
      for (const { standing, taken } of counts) {
        if (taken) later(giveBack(send, taken.place, standing.policy.limit.per, taken.window));
      }
    }
    return counts.map(({ standing }) => standing);
  };
}

const refusalOf = (policy: Policy, untilMs: number): Standing => ({
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
    const { found: storedWindow } = outcome;
    const window = windowAt(nowMs, per, storedWindow);
    const maxCount = mostBy(nowMs, limit, window);
    if (window.count >= maxCount) return { window, isTaken: false };
    outcome =
      window.startMs === storedWindow?.startMs
        ? await takeNext(send, place, per, { startMs: window.startMs, most: maxCount })
        : await openWindow(send, place, per, window, storedWindow);
  }
  if ('taken' in outcome) return { window: outcome.taken, isTaken: true };
  throw new Error('the window of a limit changed at every attempt');
}
