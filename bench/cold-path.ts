/** The cold path: import of the bundle plus the first request, in a fresh process, against the naive bundle. */

import { endpoints } from '../functions/index.ts';
import { bundle } from '../scripts/bundle.ts';
import { bundleOf, coldPairs, kilobytes, type Pair, projectRequest } from './cold-start.ts';
import { bundleNaive } from './naive/bundle.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const runs = 25;

export async function coldPath(bench: Bench): Promise<string> {
  await bundle();
  const { route, event } = await projectRequest(bench);
  const starts = {
    ours: { file: bundleOf(route.endpoint), event },
    naive: { file: await bundleNaive(), event },
  };
  progress(`cold path: ${runs} pairs`);
  const pairs = await coldPairs(runs, async () => starts);

  const row = (which: keyof Pair) => [
    which,
    `${kilobytes(starts[which].file).toFixed(0)} KB`,
    ms(median(pairs.map((pair) => pair[which].importMs))),
    ms(median(pairs.map((pair) => pair[which].totalMs - pair[which].importMs))),
    ms(median(pairs.map((pair) => pair[which].totalMs))),
  ];
  const ratio = median(pairs.map(({ ours, naive }) => ours.totalMs / naive.totalMs));
  const sizes = endpoints.map((endpoint) => kilobytes(bundleOf(endpoint)));
  return [
    table(
      ['`GET /projects/{project_id}`', 'bundle', 'import', 'first request', 'cold path'],
      [row('ours'), row('naive')],
    ),
    '',
    `Ratio of the cold paths, pair by pair: **${ratio.toFixed(2)}** (budget: at most 0.60). Medians of ${runs} pairs. ` +
      `Bundles of all functions: ${Math.min(...sizes)} to ${Math.max(...sizes)} KB (budget: at most 310).`,
  ].join('\n');
}
