/** The time of each endpoint on this machine. */

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
        const { status, text } = await bench.send(endpoint.method, path, options);
        if (status >= 300) throw new Error(text);
        return performance.now() - begun;
      };
      await measure();
      const times: number[] = [];
      for (let index = 0; index < repetitions; index += 1) times.push(await measure());
      rows.push([`\`${name}\``, ms(median(times))]);
    }
  }
  return [
    table(['endpoint', 'time'], rows),
    '',
    `Times are medians of ${repetitions}, in process, on DynamoDB Local.`,
  ].join('\n');
}
