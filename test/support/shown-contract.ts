/**
 * The rows of the contract that each endpoint shows where showing all of them takes too long: in `npm test`, and on the
 * emulated account. `npm run test:long` shows all of them.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { type ContractRow, contract } from './contract.ts';

/** How many endpoints show a row of the pipeline, which is the same code in all of them, and a row of the endpoint itself. */
type Counts = { pipeline: number; own: number };

const inTests: Counts = { pipeline: 4, own: 25 };
const nightly: Counts = { pipeline: 5, own: Number.POSITIVE_INFINITY };
/** The emulator starts a process for each request. */
export const onAccount: Counts = { pipeline: 2, own: 12 };

/** A row is shown by those endpoints that show the fewest rows yet, so that all of them get their turn. */
export function shownContract(
  endpoints: readonly Endpoint[],
  rows: readonly ContractRow[] = contract,
  counts: Counts = inTests,
): Map<Endpoint, ContractRow[]> {
  const rowsOf = new Map<Endpoint, ContractRow[]>(endpoints.map((endpoint) => [endpoint, []]));
  const turnsOf = new Map<Endpoint, number>();
  const turns = (endpoint: Endpoint) => turnsOf.get(endpoint) ?? 0;
  for (const row of rows) {
    const applicable = endpoints.filter(row.applies);
    const count = row.inPipeline ? counts.pipeline : counts.own;
    const isPart = count < applicable.length;
    const showing = isPart
      ? applicable.sort((one, other) => turns(one) - turns(other)).slice(0, count)
      : applicable;
    if (isPart) for (const endpoint of showing) turnsOf.set(endpoint, turns(endpoint) + 1);
    for (const endpoint of showing) rowsOf.get(endpoint)?.push(row);
  }
  return rowsOf;
}

/** The rows for the emulated account, where a test has the time of everybody, and breaks nothing. */
const deployable = contract.filter(({ needs }) => needs === undefined);

/** What `npm run test:aws` shows. */
export const deployedContract = (endpoints: readonly Endpoint[]) =>
  shownContract(endpoints, deployable, onAccount);

/** What the emulated account shows nightly. */
export const nightlyContract = (endpoints: readonly Endpoint[]) =>
  shownContract(endpoints, deployable, nightly);
