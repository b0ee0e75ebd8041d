/** The cold path: importing the bundle and the first request in a new process, compared with both naive bundles. */

import { endpoints } from '../functions/index.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { localMachine } from '../scripts/bundle/encoder-files.ts';
import { budgets, type Findings } from './budgets.ts';
import {
  baselines,
  bundleOf,
  coldRounds,
  kilobytes,
  projectRequest,
  type Round,
  ratioTo,
  type Starts,
} from './cold-start.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const rounds = 25;

export async function coldPath(bench: Bench): Promise<Findings> {
  await bundle(localMachine);
  return coldPathOf(bench, rounds);
}

/** Needs the functions' bundles. */
export async function coldPathOf(bench: Bench, count: number): Promise<Findings> {
  const { route, event } = await projectRequest(bench);
  const starts: Starts = { ours: { file: bundleOf(route.endpoint), event }, ...(await baselines(event)) };
  progress(`cold path: ${count} rounds`);
  const measured = await coldRounds(count, async () => starts);
  const sizes = endpoints.map((endpoint) => kilobytes(bundleOf(endpoint)));
  const [naive, minified] = ratios(measured, 'totalMs');
  const [naiveCpu, minifiedCpu] = ratios(measured, 'processorMs');
  const text = [
    table(
      ['`GET /projects/{project_id}`', 'bundle', 'import', 'first request', 'cold path', 'CPU time'],
      (['ours', 'naive', 'minified'] as const).map((which) => row(which, starts, measured)),
    ),
    '',
    table(
      ['ratio, per round', 'to naive', 'budget', 'to minified', 'budget'],
      [
        ['cold path', naive, budgets.coldPathRatio, minified, budgets.minifiedColdPathRatio],
        ['CPU time', naiveCpu, budgets.coldPathCpuRatio, minifiedCpu, budgets.minifiedColdPathCpuRatio],
      ].map(([what, ...values]) => [`${what}`, ...values.map((value) => Number(value).toFixed(2))]),
    ),
    '',
    `Medians of ${count} rounds. Bundles of all functions: ` +
      `${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} KB.`,
  ].join('\n');
  return {
    text,
    budgeted: [
      { budget: 'coldPathRatio', what: 'the cold path, to naive', value: naive },
      { budget: 'minifiedColdPathRatio', what: 'the cold path, to minified', value: minified },
      { budget: 'coldPathCpuRatio', what: 'CPU time of the cold path, to naive', value: naiveCpu },
      {
        budget: 'minifiedColdPathCpuRatio',
        what: 'CPU time of the cold path, to minified',
        value: minifiedCpu,
      },
    ],
  };
}

const ratios = (measured: readonly Round[], of: 'totalMs' | 'processorMs') =>
  [ratioTo('naive', measured, of), ratioTo('minified', measured, of)] as const;

function row(which: keyof Starts, starts: Starts, measured: readonly Round[]): string[] {
  const runs = measured.map((round) => round[which]);
  return [
    which,
    `${kilobytes(starts[which].file).toFixed(0)} KB`,
    ms(median(runs.map(({ importMs }) => importMs))),
    ms(median(runs.map(({ totalMs, importMs }) => totalMs - importMs))),
    ms(median(runs.map(({ totalMs }) => totalMs))),
    ms(median(runs.map(({ processorMs }) => processorMs))),
  ];
}
