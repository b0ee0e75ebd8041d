/**
 * Requests to the hosts of a source: one at a time for each host and tenant, only where robots.txt allows it, only to public
 * addresses, and not before the end of a pause that the host wants.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { again, retry } from '../../base/retry.ts';
import { dayMs, secondMs, ttlSeconds } from '../../base/time.ts';
import { JobFailure, type JobRun, outside, write } from '../../jobs/run.ts';
import { refuseTarget } from '../../network/addresses.ts';
import { type Fetched, type GetError, get } from '../../network/get.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { maxHostPauseMs, maxPauseMs, maxRedirects, maxSleepMs } from '../rules/limits.ts';
import { isRedirect, retryPauseMs } from '../rules/outcome.ts';
import {
  isAllowedByRobots,
  maxRobotsBytes,
  nothingAllowed,
  productToken,
  type RobotsRule,
  robotsRules,
} from '../rules/robots.ts';
import { canonicalUrl } from '../rules/urls.ts';
import { hostKey, returnLease, takeLease } from '../store/hosts.ts';
import { robots } from '../store/pages.ts';

const userAgent = `${productToken}/1.0`;
const accept = 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/xml;q=0.5';
/** A lease is renewed when it ends in this time: longer than a request takes. */
const renewBeforeMs = 45 * secondMs;
const robotsTries = 3;
const temporary = new Set<GetError>(['connection_failed', 'timeout', 'invalid_response']);

type Rules = { rules: readonly RobotsRule[]; isUnreachable: boolean };

export type Hosts = ReturnType<typeof openHosts>;

export function openHosts(run: JobRun<'knowledge.refresh'>, sourceId: string) {
  const { store, job, input } = run;
  const { network: urlRules } = input;
  /** When the leases of this step end. */
  const leases = new Map<string, number>();
  const rulesByOrigin = new Map<string, Rules>();
  let requestCount = 0;

  /** @throws Paused if another job has the host, or if the host wants a pause. JobFailure if the pause is too long */
  async function enter(host: string): Promise<void> {
    if ((leases.get(host) ?? 0) > input.nowMs() + renewBeforeMs) return;
    const attempt = async () => {
      const lease = await takeLease(store, host, job.id, input.nowMs());
      if ('writes' in lease) {
        if (await commitPatiently(input, lease.writes)) return again;
        leases.set(host, lease.untilMs);
        return undefined;
      }
      const pauseMs = lease.busyUntilMs - input.nowMs();
      if (pauseMs > maxPauseMs) throw unavailable(host);
      if (lease.isTaken && (await commitPatiently(input, lease.waits))) return again;
      if (lease.isTaken || pauseMs > maxSleepMs) throw new Paused(lease.busyUntilMs);
      await input.sleep(Math.max(pauseMs, 0) + 1);
      return again;
    };
    await retry(attempt, { failure: () => new Paused(input.nowMs() + maxSleepMs) });
  }

  /** Requests a URL that may be requested. @throws Suspended, Paused, JobFailure */
  async function send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    maxBytes: number,
    isCut = false,
  ): Promise<Fetched | { error: GetError }> {
    if (refuseTarget(url, urlRules) !== undefined) return { error: 'address_not_allowed' };
    await enter(url.host);
    // The pause may have taken minutes.
    const { network } = await outside(run);
    requestCount += 1;
    return get(url, { 'user-agent': userAgent, accept, ...headers }, network, maxBytes, isCut);
  }

  /** Stores that the host wants no request for this time. @throws JobFailure if that is too long to wait */
  async function pause({ host }: URL, pauseMs: number): Promise<void> {
    leases.delete(host);
    const untilMs = input.nowMs() + Math.min(pauseMs, maxHostPauseMs);
    await commitPatiently(input, [returnLease(store, host, job.id, untilMs, input.nowMs())]);
    if (pauseMs > maxPauseMs) throw unavailable(host);
  }

  /** Reads robots.txt as RFC 9309, section 2.3.1, describes. */
  async function fetchRules(origin: string): Promise<Rules> {
    let url = new URL('/robots.txt', origin);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await sendRepeatedly(url);
      if ('error' in response) return { rules: nothingAllowed, isUnreachable: true };
      const { status, headers, body } = response;
      if (status === 200) return { rules: robotsRules(Buffer.from(body).toString()), isUnreachable: false };
      if (status === 429 || status >= 500) return { rules: nothingAllowed, isUnreachable: true };
      const to = isRedirect(response) ? canonicalUrl(headers.location ?? '', urlRules, url.href) : undefined;
      if (to === undefined) break;
      url = new URL(to);
    }
    return { rules: [], isUnreachable: false };
  }

  async function sendRepeatedly(url: URL): Promise<Fetched | { error: GetError }> {
    for (let tries = 1; ; tries += 1) {
      // Only the beginning of a longer file counts (section 2.5).
      const response = await send(url, {}, maxRobotsBytes, true);
      const isTemporary = 'error' in response ? temporary.has(response.error) : response.status >= 500;
      const pauseMs = 'error' in response ? undefined : retryPauseMs(response, input.nowMs());
      if (pauseMs !== undefined) await pause(url, pauseMs);
      const isLong = pauseMs !== undefined && pauseMs > maxSleepMs;
      if (!isTemporary || isLong || tries === robotsTries) return response;
      await input.sleep(tries * secondMs);
    }
  }

  /** The rules are stored, so that the other steps of the refresh do not request them again. */
  async function rulesOf({ origin, host }: URL): Promise<Rules> {
    const cached = rulesByOrigin.get(origin);
    if (cached) return cached;
    const items = robots.at(store, sourceId);
    const id = hostKey(host);
    const item = await items.get(id);
    const isCurrent = item?.jobId === job.id;
    const rules: Rules = isCurrent ? JSON.parse(gunzipSync(item.gzip).toString()) : await fetchRules(origin);
    if (!isCurrent) {
      const gzip = gzipSync(JSON.stringify(rules));
      const ttl = ttlSeconds(input.nowMs() + dayMs);
      await write(run, [items.put({ id, jobId: job.id, gzip, ttl }, { condition: { kind: 'any' } })]);
    }
    rulesByOrigin.set(origin, rules);
    return rules;
  }

  return {
    /** @returns the response, why there is none, or that robots.txt does not allow the request @throws Suspended, Paused, JobFailure */
    async request(
      url: URL,
      headers: Readonly<Record<string, string>>,
      maxBytes: number,
    ): Promise<Fetched | { error: GetError | 'robots_disallowed' | 'robots_unreachable' }> {
      if (refuseTarget(url, urlRules) !== undefined) return { error: 'address_not_allowed' };
      const { rules, isUnreachable } = await rulesOf(url);
      if (isUnreachable) return { error: 'robots_unreachable' };
      if (!isAllowedByRobots(rules, url)) return { error: 'robots_disallowed' };
      return send(url, headers, maxBytes);
    },

    /** @returns the number of requests since the last call */
    takeRequestCount(): number {
      const count = requestCount;
      requestCount = 0;
      return count;
    },

    pause,

    /** Returns all leases, so that other jobs may send requests to the hosts. */
    async leave(): Promise<void> {
      for (const host of leases.keys())
        await commitPatiently(input, [returnLease(store, host, job.id, 0, input.nowMs())]);
      leases.clear();
    },
  };
}

const unavailable = (host: string): JobFailure =>
  new JobFailure({
    code: 'host_unavailable',
    message: `${host} wants no request for more than an hour. Refresh the source again later.`,
  });

/** The refresh has to wait. The next step begins at `untilMs`. */
export class Paused extends Error {
  readonly untilMs: number;

  constructor(untilMs: number) {
    super('the refresh waits for a host');
    this.untilMs = untilMs;
  }
}
