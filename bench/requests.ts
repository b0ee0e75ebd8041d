/** The time of the requests that a runtime sends most, on this machine: without an Idempotency-Key, with one, and repeated. */

import type { Endpoint } from '../lib/http/endpoint.ts';
import { sampleOf } from '../samples/samples.ts';
import type { Findings } from './findings.ts';
import { inTurn, pairs } from './rounds.ts';
import { runtimeCalls } from './runtime-calls.ts';
import { sampleApi } from './sample-api.ts';
import type { Bench } from './service.ts';
import { spread } from './statistics.ts';

export async function requests(bench: Bench): Promise<Findings> {
  const api = sampleApi(bench);
  let unique = 0;
  const timeOf = async ({ id, method }: Endpoint, isWithKey: boolean, isReplayed: boolean) => {
    const { path, body, key } = await sampleOf(id, api);
    unique += 1;
    const options = {
      ...(body && { body }),
      ...(key && { key }),
      ...(isWithKey && { idempotencyKey: `key-${unique}` }),
    };
    if (isReplayed) await bench.send(method, path, options);
    const begunMs = performance.now();
    const { status, text } = await bench.send(method, path, options);
    if (status >= 300) throw new Error(`${id}: ${text}`);
    return performance.now() - begunMs;
  };
  const rows = [];
  for (const endpoint of runtimeCalls()) {
    const ways = {
      plain: () => timeOf(endpoint, false, false),
      withKey: () => timeOf(endpoint, true, false),
      replayed: () => timeOf(endpoint, true, true),
    };
    const settings = { what: `requests: ${endpoint.id}`, rounds: pairs, warmUps: 3 };
    const cells = endpoint.idempotent
      ? Object.values(await inTurn(ways, settings)).map((times) => spread(times, 'ms'))
      : [spread((await inTurn({ plain: ways.plain }, settings)).plain, 'ms'), '', ''];
    rows.push([`\`${endpoint.id}\``, ...cells]);
  }
  return {
    head: ['request', 'without a key', 'with an Idempotency-Key', 'repeated with the same key'],
    rows,
    notes: 'In process, on DynamoDB Local.',
    rounds: `${pairs} rounds, the ways of a row in turn`,
    budgeted: [],
  };
}
