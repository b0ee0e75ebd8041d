/** The size and cold path of every function, compared with the naive bundle in the same run. */

import { endpoints } from '../functions/index.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { localMachine } from '../scripts/bundle/encoder-files.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { sampleOf } from '../test/support/samples.ts';
import { baselines, bundleOf, coldRounds, kilobytes, projectRequest, ratioTo } from './cold-start.ts';
import { sampleApi } from './sample-api.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const rounds = 3;

export async function functions(bench: Bench): Promise<string> {
  await bundle(localMachine);
  const { event } = await projectRequest(bench);
  const others = await baselines(event);
  const api = sampleApi(bench);
  const rows = [];
  for (const endpoint of endpoints) {
    progress(`functions: ${endpoint.id}`);
    const file = bundleOf(endpoint);
    const next = async () => {
      const { path, body, key = bench.key } = await sampleOf(endpoint.id, api);
      const options = { key, ...(body && { body }) };
      return { path, options };
    };
    // DynamoDB Local must be warm, as for the naive bundle.
    for (let index = 0; index < 5; index += 1) {
      const { path, options } = await next();
      await bench.send(endpoint.method, path, options);
    }
    const measured = await coldRounds(rounds, async () => {
      const { path, options } = await next();
      return {
        ...others,
        ours: { file, event: requestEvent(bench.routes, endpoint.method, path, options).event },
      };
    });
    rows.push([
      `\`${endpoint.id}\``,
      `${kilobytes(file).toFixed(0)} KB`,
      ms(median(measured.map(({ ours }) => ours.importMs))),
      ms(median(measured.map(({ ours }) => ours.totalMs))),
      ratioTo('naive', measured).toFixed(2),
      ratioTo('minified', measured).toFixed(2),
    ]);
  }
  return [
    table(['endpoint', 'bundle', 'import', 'cold path', 'to naive', 'to minified'], rows),
    '',
    `Medians of ${rounds} rounds. The baseline is the same in every row: \`GET /projects/{project_id}\`, two reads.`,
  ].join('\n');
}
