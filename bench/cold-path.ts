/**
 * The cold path: importing the bundle and the first request in a new process, in turn with the baselines. First the request that
 * the baselines implement, and then the requests that a runtime sends most.
 */

import { endpoints } from '../functions/index.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { sampleOf } from '../samples/samples.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { localMachine } from '../scripts/shared/machines.ts';
import { type Budgeted, budgets } from './budgets.ts';
import { bundleOf, coldStart, kilobytes, projectRequest, type Run } from './cold-start.ts';
import type { Findings } from './findings.ts';
import { type Baseline, bundleNaive } from './naive/bundle.ts';
import { inTurn, pairs } from './rounds.ts';
import { runtimeCalls } from './runtime-calls.ts';
import { sampleApi } from './sample-api.ts';
import type { Bench } from './service.ts';
import { median, ratios, spread } from './statistics.ts';

const rounds = 25;

type Way = 'ours' | Baseline;
type Runs = Record<Way, Run[]>;
type Time = 'totalMs' | 'processorMs';

const times = (runs: readonly Run[], time: Time) => runs.map((run) => run[time]);
/** @returns the ratio of a way to a baseline in each round */
const toBaseline = (runs: Runs, baseline: Baseline, time: Time, way: Way = 'ours') =>
  ratios(times(runs[way], time), times(runs[baseline], time));

export async function coldPath(bench: Bench): Promise<Findings> {
  await bundle(localMachine);
  const compared = await openComparison(bench);
  const runs = await compared.project(rounds);
  const row = (name: string, file: string, own: readonly Run[]) => [
    name,
    `${kilobytes(file).toFixed(0)} KB`,
    spread(times(own, 'totalMs'), 'ms'),
    spread(times(own, 'processorMs'), 'ms'),
  ];
  const ratioCells = (measured: Runs, way: Way = 'ours') => [
    spread(toBaseline(measured, 'naive', 'totalMs', way)),
    spread(toBaseline(measured, 'minified', 'totalMs', way)),
  ];
  const rows = [
    [...row('`projects.get`', compared.projectFile, runs.ours), ...ratioCells(runs)],
    [...row('… naive', compared.files.naive, runs.naive), '', ''],
    [...row('… minified', compared.files.minified, runs.minified), '', ''],
    [...row('… limit', compared.files.limit, runs.limit), ...ratioCells(runs, 'limit')],
  ];
  for (const endpoint of runtimeCalls()) {
    const measured = await compared.endpoint(endpoint);
    rows.push([...row(`\`${endpoint.id}\``, bundleOf(endpoint), measured.ours), ...ratioCells(measured)]);
  }
  const sizes = endpoints.map((endpoint) => kilobytes(bundleOf(endpoint)));
  const budgeted = budgetedOf(runs);
  const cpu = budgeted
    .filter(({ budget }) => budget.endsWith('CpuRatio'))
    .map(({ value }) => value.toFixed(2));
  return {
    head: ['first request', 'bundle', 'cold path', 'CPU time', 'to naive', 'to minified'],
    rows,
    notes:
      `Bundles of all ${endpoints.length} functions: ${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} KB. Budgets ` +
      `of \`projects.get\`: ${budgets.coldPathRatio} to naive and ${budgets.minifiedColdPathRatio} to minified; by CPU time, ` +
      `${budgets.coldPathCpuRatio} and ${budgets.minifiedColdPathCpuRatio}, and measured ${cpu.join(' and ')}.`,
    rounds: `${rounds} rounds of the first four rows, and ${pairs} of each other row, each in turn with the baselines`,
    budgeted,
  };
}

/** Needs the functions' bundles. @returns the figures with a budget */
export async function coldPathBudgets(bench: Bench, count: number): Promise<Budgeted[]> {
  const compared = await openComparison(bench);
  return budgetedOf(await compared.project(count));
}

function budgetedOf(runs: Runs): Budgeted[] {
  const value = (baseline: Baseline, time: Time) => median(toBaseline(runs, baseline, time));
  return [
    { budget: 'coldPathRatio', what: 'the cold path, to naive', value: value('naive', 'totalMs') },
    {
      budget: 'minifiedColdPathRatio',
      what: 'the cold path, to minified',
      value: value('minified', 'totalMs'),
    },
    {
      budget: 'coldPathCpuRatio',
      what: 'CPU time of the cold path, to naive',
      value: value('naive', 'processorMs'),
    },
    {
      budget: 'minifiedColdPathCpuRatio',
      what: 'CPU time of the cold path, to minified',
      value: value('minified', 'processorMs'),
    },
  ];
}

/** The baselines implement only `GET /projects/{project_id}`, so each endpoint is compared with this request. */
async function openComparison(bench: Bench) {
  const { route, event } = await projectRequest(bench);
  const files = {
    naive: await bundleNaive('naive'),
    minified: await bundleNaive('minified'),
    limit: await bundleNaive('limit'),
  };
  const projectFile = bundleOf(route.endpoint);
  const baselines = {
    naive: async () => coldStart(files.naive, event),
    minified: async () => coldStart(files.minified, event),
    limit: async () => coldStart(files.limit, event),
  };
  const api = sampleApi(bench);
  /** A request may succeed only once. */
  const next = async ({ id, method }: Endpoint) => {
    const { path, body, key = bench.key } = await sampleOf(id, api);
    return { method, path, options: { key, ...(body && { body }) } };
  };
  return {
    files,
    projectFile,
    project: (count: number): Promise<Runs> =>
      inTurn(
        { ours: async () => coldStart(projectFile, event), ...baselines },
        { what: 'cold-path: projects.get', rounds: count, warmUps: 2 },
      ),
    async endpoint(endpoint: Endpoint): Promise<Runs> {
      // DynamoDB Local must be warm, as for the baselines.
      for (let index = 0; index < 5; index += 1) {
        const { method, path, options } = await next(endpoint);
        await bench.send(method, path, options);
      }
      const ours = async () => {
        const { method, path, options } = await next(endpoint);
        return coldStart(bundleOf(endpoint), requestEvent(bench.routes, method, path, options).event);
      };
      return inTurn({ ours, ...baselines }, { what: `cold-path: ${endpoint.id}`, rounds: pairs, warmUps: 2 });
    },
  };
}
