/** The DynamoDB usage of each endpoint, and its time on this machine. */

import { endpoints } from '../functions/index.ts';
import { sampleOf } from '../test/support/samples.ts';
import { sampleApi } from './sample-api.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const repetitions = 15;

/** A POST without an Idempotency-Key, with a new one, and with one that was already used for it. */
const variants = ['', 'with key', 'replayed'] as const;

export async function requests(bench: Bench): Promise<string> {
  const api = sampleApi(bench);
  let unique = 0;
  const rows = [];
  for (const endpoint of endpoints) {
    for (const variant of endpoint.idempotent ? variants : [variants[0]]) {
      const name = variant === '' ? endpoint.id : `${endpoint.id}, ${variant}`;
      progress(`requests: ${name}`);
      const measure = async () => {
        const { path, body, key } = await sampleOf(endpoint.id, api);
        unique += 1;
        const idempotencyKey = variant === '' ? {} : { idempotencyKey: `key-${unique}` };
        const options = { ...(body && { body }), ...(key && { key }), ...idempotencyKey };
        if (variant === 'replayed') await bench.send(endpoint.method, path, options);
        const begun = performance.now();
        const usage = await bench.usageOf(() => bench.send(endpoint.method, path, options));
        return { usage, time: performance.now() - begun };
      };
      const times: number[] = [];
      let { usage } = await measure();
      for (let index = 0; index < repetitions; index += 1) {
        const measured = await measure();
        usage = measured.usage;
        times.push(measured.time);
      }
      rows.push([`\`${name}\``, usage.roundTrips, usage.readUnits, usage.writeUnits, ms(median(times))]);
    }
  }
  return [
    table(['endpoint', 'round trips', 'read units', 'write units', 'time'], rows),
    '',
    `Times are medians of ${repetitions}, in process, on DynamoDB Local.`,
  ].join('\n');
}
