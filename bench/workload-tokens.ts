/** What a request with a token of a workload identity costs beside a request with an API key, warm and cold. In pairs. */

import { minuteMs } from '../lib/base/time.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { localMachine } from '../scripts/bundle/encoder-files.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { age, createIdentity, newSigner, openWorkloadIssuer, tokenFor } from '../test/support/workloads.ts';
import { bundleOf, coldStart, projectRequest, type Run } from './cold-start.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const warmPairs = 200;
const coldPairs = 25;
/** The first pairs warm the code and the disk's cache. */
const unmeasured = { warm: 10, cold: 2 };

/** What a request costs with a key, and the same request with a token. */
type Pair<Cost> = { key: Cost; token: Cost };

export async function workloadTokens(bench: Bench): Promise<string> {
  await bundle(localMachine);
  const api = { call: bench.send, runtime: bench.runtime };
  const signer = newSigner('RS256', 'bench');
  await using issuer = await openWorkloadIssuer([signer]);
  const identity = await createIdentity(api, issuer.url);
  const token = () => tokenFor(api, identity, signer);
  const { route, event } = await projectRequest(bench);
  const path = event.path.slice(event.path.indexOf('/projects'));

  async function send(key: string): Promise<number> {
    const begunMs = performance.now();
    const { status, text } = await bench.send('GET', path, { key });
    if (status !== 200) throw new Error(text);
    return performance.now() - begunMs;
  }

  /** @param prepare comes before each request with a token, and is not measured */
  async function warm(prepare: () => Promise<void> = async () => {}): Promise<Pair<number>[]> {
    const pairs: Pair<number>[] = [];
    for (let index = -unmeasured.warm; index < warmPairs; index += 1) {
      const key = await send(bench.key);
      await prepare();
      const pair = { key, token: await send(token()) };
      if (index >= 0) pairs.push(pair);
    }
    return pairs;
  }

  /** Each request is the first of a new process. */
  function cold(): Pair<Run>[] {
    const pairs: Pair<Run>[] = [];
    const file = bundleOf(route.endpoint);
    const start = (key: string) =>
      coldStart({ file, event: requestEvent(bench.routes, 'GET', path, { key }).event });
    for (let index = -unmeasured.cold; index < coldPairs; index += 1) {
      const pair = { key: start(bench.key), token: start(token()) };
      if (index >= 0) pairs.push(pair);
    }
    return pairs;
  }

  progress(`workload-tokens: ${warmPairs} warm pairs`);
  const known = await warm();
  progress(`workload-tokens: ${warmPairs} warm pairs, with the keys of the issuer`);
  const old = { fetchedMs: 11 * minuteMs, attemptedMs: 11 * minuteMs };
  const reading = await warm(() => age(api, identity, old));
  progress(`workload-tokens: ${coldPairs} cold pairs`);
  const first = cold();
  const usage = {
    key: await bench.usageOf(() => bench.send('GET', path)),
    token: await bench.usageOf(() => bench.send('GET', path, { key: token() })),
  };
  return [
    table(
      ['`GET /projects/{project_id}`', 'with a key', 'with a token', 'difference'],
      [
        row('warm', known),
        row('warm, reads the keys of the issuer', reading),
        row(
          'cold',
          first.map((pair) => each(pair, ({ totalMs }) => totalMs)),
        ),
        row(
          'cold, CPU time',
          first.map((pair) => each(pair, ({ processorMs }) => processorMs)),
        ),
      ],
    ),
    '',
    `Medians of ${warmPairs} warm and ${coldPairs} cold pairs, and of their differences, with RS256. The issuer is on the same ` +
      `machine. A warm request uses ${usage.key.roundTrips} round trips and ${usage.key.readUnits} read units with a key, and ` +
      `${usage.token.roundTrips} and ${usage.token.readUnits} with a token.`,
  ].join('\n');
}

const each = <From, To>({ key, token }: Pair<From>, to: (from: From) => To): Pair<To> => ({
  key: to(key),
  token: to(token),
});

const row = (what: string, pairs: readonly Pair<number>[]): string[] => [
  what,
  ms(median(pairs.map(({ key }) => key))),
  ms(median(pairs.map(({ token }) => token))),
  ms(median(pairs.map(({ key, token }) => token - key))),
];
