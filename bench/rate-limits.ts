/** Fifty callers at ten times a limit, and the time that a limit adds to a request. */

import { periodsMs, type RateLimit } from '../lib/base/rate-limit.ts';
import { secondMs } from '../lib/base/time.ts';
import { lazyLimiter } from '../lib/http/runtime.ts';
import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { budgets, type Findings } from './budgets.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const callers = 50;
const excess = 10;
const seconds = 30;
const limit: RateLimit = { requests: 20, per: '1s' };
const pairs = 200;

export async function rateLimits(bench: Bench): Promise<Findings> {
  progress(`rate-limits: ${callers} callers for ${seconds} seconds`);
  const { passed, refused, tookSeconds } = await storm(bench, await newKey(bench, limit));
  const bound = Math.floor(limit.requests * (1 + (tookSeconds * secondMs) / periodsMs[limit.per]));
  const ratio = passed / bound;
  const { unlimited, limited } = await inPairs(bench);
  const stormTable = table(
    ['limit', 'callers', 'time', 'requests', 'passed', 'at most', 'refused'],
    [
      [
        `${limit.requests} per ${limit.per}`,
        callers,
        `${tookSeconds.toFixed(1)} s`,
        passed + refused,
        passed,
        bound,
        refused,
      ],
    ],
  );
  const pairTable = table(
    ['`GET /projects/{project_id}`', 'without a limit', 'with a limit', 'difference'],
    [[`medians of ${pairs} pairs`, ms(unlimited), ms(limited), ms(limited - unlimited)]],
  );
  const note =
    `Each caller has a process's state of its own, as functions have. They send ${excess} times what the limit allows. ` +
    `Passed, relative to the bound of [limits.md](limits.md#how-exact-limits-are): ${ratio.toFixed(2)} (budget: at most ` +
    `${budgets.rateLimitRatio}).`;
  return {
    text: `${stormTable}\n\n${note}\n\n${pairTable}`,
    budgeted: [{ budget: 'rateLimitRatio', what: 'passed requests, over the bound', value: ratio }],
  };
}

async function newKey({ send }: Bench, rateLimit: RateLimit | null): Promise<string> {
  const body = { name: 'limited', scopes: ['projects:read'], ...(rateLimit && { rateLimit }) };
  const { status, text, data } = await send('POST', '/api-keys', { body });
  if (status !== 201) throw new Error(text);
  return data.secret as string;
}

/** Every caller keeps its pace: what takes long is made up for. */
async function storm({ runtime }: Bench, key: string) {
  const everyMs = (callers * periodsMs[limit.per]) / (limit.requests * excess);
  const begunMs = performance.now();
  const statuses: number[] = [];
  const caller = async (number: number) => {
    const routes = routesOf({ ...runtime, limiter: lazyLimiter() });
    let nextMs = begunMs + (everyMs * number) / callers;
    for (; nextMs < begunMs + seconds * secondMs; nextMs += everyMs) {
      await runtime.sleep(Math.max(0, nextMs - performance.now()));
      statuses.push((await call(routes, 'GET', '/api-keys/me', { key })).status);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
  const tookSeconds = (performance.now() - begunMs) / secondMs;
  const [passed, refused] = [count(200), count(429)];
  if (passed + refused !== statuses.length) throw new Error('a request failed');
  return { passed, refused, tookSeconds };
}

/** A request without and one with a limit, one after the other, so that both meet the same machine. */
async function inPairs(bench: Bench) {
  progress('rate-limits: pairs');
  const { data: project } = await bench.send('POST', '/projects', { body: { name: 'limited' } });
  const keys = [await newKey(bench, null), await newKey(bench, { requests: 10_000, per: '1m' })];
  const tookMs: [number[], number[]] = [[], []];
  for (let pair = -10; pair < pairs; pair += 1) {
    for (const [index, key] of keys.entries()) {
      const begunMs = performance.now();
      await bench.send('GET', `/projects/${project.id}`, { key });
      if (pair >= 0) tookMs[index]?.push(performance.now() - begunMs);
    }
  }
  return { unlimited: median(tookMs[0]), limited: median(tookMs[1]) };
}
