/** The cold path: importing the bundle and the first request in a new process, compared with both naive bundles. */

import { endpoints } from '../functions/index.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { budgets, type Findings } from './budgets.ts';
import {
  baselines,
  bundleOf,
  coldRounds,
  kilobytes,
  projectRequest,
  ratioTo,
  type Starts,
} from './cold-start.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const rounds = 25;

export async function coldPath(bench: Bench): Promise<Findings> {
  await bundle();
  const { route, event } = await projectRequest(bench);
  const starts: Starts = { ours: { file: bundleOf(route.endpoint), event }, ...(await baselines(event)) };
  progress(`cold path: ${rounds} rounds`);
  const measured = await coldRounds(rounds, async () => starts);

  const row = (which: keyof Starts) => [
    which,
    `${kilobytes(starts[which].file).toFixed(0)} KB`,
    ms(median(measured.map((round) => round[which].importMs))),
    ms(median(measured.map((round) => round[which].totalMs - round[which].importMs))),
    ms(median(measured.map((round) => round[which].totalMs))),
  ];
  const [naive, minified] = [ratioTo('naive', measured), ratioTo('minified', measured)];
  const processor = (['naive', 'minified'] as const).map((baseline) =>
    ratioTo(baseline, measured, 'processorMs').toFixed(2),
  );
  const sizes = endpoints.map((endpoint) => kilobytes(bundleOf(endpoint)));
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  const text = [
    table(
      ['`GET /projects/{project_id}`', 'bundle', 'import', 'first request', 'cold path'],
      [row('ours'), row('naive'), row('minified')],
    ),
    '',
    `Ratio of the cold paths, per round: **${naive.toFixed(2)}** to naive (budget: at most ` +
      `${budgets.coldPathRatio.toFixed(2)}), **${minified.toFixed(2)}** to minified (budget: at most ` +
      `${budgets.minifiedColdPathRatio.toFixed(2)}). Of CPU time, which depends less on other load: ` +
      `${processor.join(' and ')}. Medians of ${rounds} rounds. Bundles of all functions: ` +
      `${smallest.toFixed(0)} to ${largest.toFixed(0)} KB (budget: at most ${budgets.bundleKilobytes}).`,
  ].join('\n');
  return {
    text,
    budgeted: [
      { budget: 'coldPathRatio', what: 'cold path, to naive', value: naive },
      { budget: 'minifiedColdPathRatio', what: 'cold path, to minified', value: minified },
      { budget: 'bundleKilobytes', what: 'largest bundle, in KB', value: largest },
    ],
  };
}
