/**
 * Requests to the hosts of a source: one at a time for each host and tenant, only where robots.txt allows it, only to public
 * addresses, and not before the end of a pause. A host has a pause if it wants one, or if it has not answered in time: no worker
 * waits for it.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { again, retry } from '../../base/retry.ts';
import { dayMs, minuteMs, secondMs, ttlSeconds } from '../../base/time.ts';
import { isOpen, jobAt } from '../../jobs/job.ts';
import { JobFailure, type JobRun, outside, write } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import { refuseTarget } from '../../network/addresses.ts';
import { type Fetched, type GetError, get, type ReadBody, startOfBody } from '../../network/get.ts';
import { decode } from '../../readers/encoding/decode.ts';
import { productToken } from '../../readers/web-page/robots-directives.ts';
import { commitDecided, commitPatiently } from '../../workers/writes.ts';
import { maxHostPauseMs, maxPauseMs, maxRedirects, maxSleepMs, silencePauseMs } from '../rules/limits.ts';
import { isRedirect, retryPauseMs } from '../rules/outcome.ts';
import {
  isAllowedByRobots,
  maxRobotsBytes,
  nothingAllowed,
  type RobotsRule,
  robotsRules,
} from '../rules/robots.ts';
import { canonicalUrl } from '../rules/urls.ts';
import { hostKey, returnLease, takeLease } from '../store/hosts.ts';
import { robots } from '../store/pages.ts';

const userAgent = `${productToken}/1.0`;
const accept = 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.5';
/** A lease is renewed when it ends in this time: longer than a request takes. */
const renewBeforeMs = minuteMs;
const robotsTries = 3;
const temporary = new Set<GetError>(['connection_failed', 'invalid_response']);

/** Only the beginning of a longer file counts (RFC 9309, section 2.5). */
const readRobots = startOfBody(maxRobotsBytes);

type Rules = { rules: readonly RobotsRule[]; isUnreachable: boolean };

export type Hosts = ReturnType<typeof openHosts>;

/** @param start starts another job, which waits for a host */
export function openHosts(
  run: JobRun<'knowledge.refresh'>,
  sourceId: string,
  start: (job: { id: string; projectId: string }) => unknown,
) {
  const { store, job, input } = run;
  const { network: urlRules } = input;
  /** When the leases of this turn end, and for how long their hosts are silent. */
  const leases = new Map<string, { untilMs: number; silentMs: number }>();
  const rulesByOrigin = new Map<string, Rules>();
  let requestCount = 0;

  /** @throws Paused if another job has the host, or if the host has a pause. JobFailure if the pause is too long */
  async function enter(host: string): Promise<void> {
    const held = leases.get(host);
    if (held && held.untilMs > input.nowMs() + renewBeforeMs) return;
    const attempt = async () => {
      const { projectId } = store;
      const lease = await takeLease(store, host, { id: job.id, projectId }, input.nowMs());
      if ('writes' in lease) {
        if (await commitPatiently(input, lease.writes)) return again;
        const { untilMs, silentMs } = lease;
        leases.set(host, { untilMs, silentMs: held?.silentMs ?? silentMs });
        return undefined;
      }
      const pauseMs = lease.busyUntilMs - input.nowMs();
      if (pauseMs > maxPauseMs) throw unavailable(host);
      if (lease.waits && (await commitPatiently(input, [lease.waits]))) return again;
      if (lease.waits || pauseMs > maxSleepMs) throw new Paused(lease.busyUntilMs, lease.waits !== undefined);
      await input.sleep(Math.max(pauseMs, 0) + 1);
      return again;
    };
    await retry(attempt, { failure: () => new Paused(input.nowMs() + maxSleepMs) });
  }

  /** Gives the host back, and starts the next job that waits for it. */
  async function leaveHost(host: string, pausedUntilMs: number): Promise<void> {
    const { silentMs = 0 } = leases.get(host) ?? {};
    leases.delete(host);
    const isWaiting = async ({ id, projectId }: { id: string; projectId: string }) => {
      const waitingJob = await getJob(input.store.inProject(projectId), id);
      return waitingJob !== undefined && isOpen(jobAt(waitingJob, input.nowMs(), input.organisation));
    };
    let next: Awaited<ReturnType<typeof returnLease>>['next'];
    await commitDecided(input, async () => {
      const left = { pausedUntilMs, silentMs };
      const returned = await returnLease(store, host, job.id, left, input.nowMs(), isWaiting);
      next = returned.next;
      return returned.writes;
    });
    if (next) start(next);
  }

  /** Requests a URL that may be requested. @throws Suspended, Paused, JobFailure */
  async function send<T>(
    url: URL,
    headers: Readonly<Record<string, string>>,
    read: ReadBody<T>,
  ): Promise<Fetched<T> | { error: GetError }> {
    if (refuseTarget(url, urlRules) !== undefined) return { error: 'address_not_allowed' };
    await enter(url.host);
    const robotsUrl = new URL('/robots.txt', url);
    if (leases.get(url.host)?.silentMs && url.href !== robotsUrl.href) {
      // A page may be slow. A host that does not answer here, either, is silent: then it has a pause again.
      await request(robotsUrl, {}, readRobots);
      await enter(url.host);
    }
    return request(url, headers, read);
  }

  /** Sends one request. After a request without an answer in time, the host has a pause. */
  async function request<T>(
    url: URL,
    headers: Readonly<Record<string, string>>,
    read: ReadBody<T>,
  ): Promise<Fetched<T> | { error: GetError }> {
    const { network } = await outside(run);
    requestCount += 1;
    const allHeaders = { 'user-agent': userAgent, accept, ...headers };
    const response = await get(url, allHeaders, network, read);
    if ('error' in response && response.error === 'timeout') await fallSilent(url.host);
    else if ('error' in response || retryPauseMs(response, input.nowMs()) === undefined) {
      const held = leases.get(url.host);
      if (held) held.silentMs = 0;
    }
    return response;
  }

  /** @param wantedMs the pause that the host wants @throws JobFailure if its pauses have been too long together */
  async function fallSilent(host: string, wantedMs = 0): Promise<void> {
    const held = leases.get(host) ?? { untilMs: 0, silentMs: 0 };
    if (held.silentMs > maxPauseMs) {
      await leaveHost(host, input.nowMs());
      throw unavailable(host);
    }
    const pauseMs = Math.max(wantedMs, silencePauseMs(held.silentMs, input.randomFraction()));
    leases.set(host, { ...held, silentMs: held.silentMs + pauseMs });
    await pause(host, pauseMs);
  }

  /** Stores that the host gets no request for this time. @throws JobFailure if that is too long to wait */
  async function pause(host: string, pauseMs: number): Promise<void> {
    await leaveHost(host, input.nowMs() + Math.min(pauseMs, maxHostPauseMs));
    if (pauseMs > maxPauseMs) throw unavailable(host);
  }

  /** Reads robots.txt as RFC 9309, section 2.3.1, describes. */
  async function fetchRules(origin: string): Promise<Rules> {
    let url = new URL('/robots.txt', origin);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await sendRepeatedly(url);
      if ('error' in response) return { rules: nothingAllowed, isUnreachable: true };
      const { status, headers, body } = response;
      if (status === 200)
        return {
          rules: robotsRules(decode(body, { isMarkup: false, contentType: headers.contentType }).text),
          isUnreachable: false,
        };
      if (status === 429 || status >= 500) return { rules: nothingAllowed, isUnreachable: true };
      const to = isRedirect(response) ? canonicalUrl(headers.location ?? '', urlRules, url.href) : undefined;
      if (to === undefined) break;
      url = new URL(to);
    }
    return { rules: [], isUnreachable: false };
  }

  async function sendRepeatedly(url: URL): Promise<Fetched | { error: GetError }> {
    for (let tries = 1; ; tries += 1) {
      const response = await send(url, {}, readRobots);
      const isTemporary = 'error' in response ? temporary.has(response.error) : response.status >= 500;
      const wantedMs = 'error' in response ? undefined : retryPauseMs(response, input.nowMs());
      if (wantedMs !== undefined) await fallSilent(url.host, wantedMs);
      // The next request waits for the end of the pause.
      if (wantedMs !== undefined || ('error' in response && response.error === 'timeout')) continue;
      if (!isTemporary || tries === robotsTries) return response;
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
    /** @returns whether robots.txt was requested for this URL @throws Suspended, Paused, JobFailure */
    async readRules(url: URL): Promise<boolean> {
      const before = requestCount;
      if (refuseTarget(url, urlRules) === undefined) await rulesOf(url);
      return requestCount > before;
    },

    /** @returns the response, why there is none, or that robots.txt does not allow the request @throws Suspended, Paused, JobFailure */
    async request<T>(
      url: URL,
      headers: Readonly<Record<string, string>>,
      read: ReadBody<T>,
    ): Promise<Fetched<T> | { error: GetError | 'robots_disallowed' | 'robots_unreachable' }> {
      if (refuseTarget(url, urlRules) !== undefined) return { error: 'address_not_allowed' };
      const { rules, isUnreachable } = await rulesOf(url);
      if (isUnreachable) return { error: 'robots_unreachable' };
      if (!isAllowedByRobots(rules, url)) return { error: 'robots_disallowed' };
      return send(url, headers, read);
    },

    /** @returns the number of requests since the last call */
    takeRequestCount(): number {
      const count = requestCount;
      requestCount = 0;
      return count;
    },

    pause: ({ host }: URL, pauseMs: number): Promise<void> => pause(host, pauseMs),

    /** Returns all leases, so that other jobs may send requests to the hosts. */
    async leave(): Promise<void> {
      for (const host of [...leases.keys()]) await leaveHost(host, input.nowMs());
    },
  };
}

const unavailable = (host: string): JobFailure =>
  new JobFailure({
    code: 'host_unavailable',
    message: `${host} does not answer, or wants no request, for more than an hour. Refresh the source again later.`,
  });

/** The refresh has to wait. The next turn begins at `untilMs`, or when the host is free. */
export class Paused extends Error {
  readonly untilMs: number;
  /** Whether the job that has the host starts it before that time. */
  readonly isStarted: boolean;

  constructor(untilMs: number, isStarted = false) {
    super('the refresh waits for a host');
    this.untilMs = untilMs;
    this.isStarted = isStarted;
  }
}
