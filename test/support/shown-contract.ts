/**
 * The rows of the contract that each endpoint shows where showing all of them takes too long: in `npm test`, and on the
 * emulated account. `npm run test:long` shows all of them.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { type ContractRow, contract } from './contract.ts';

/** How many endpoints show a row of the pipeline. */
export const endpointsPerRow = 4;

/**
 * A row that depends on the endpoint is shown by every endpoint. A row of the pipeline is shown by those endpoints that show
 * the fewest yet, so that all of them get their turn.
 */
export function shownContract(
  endpoints: readonly Endpoint[],
  rows: readonly ContractRow[] = contract,
): Map<Endpoint, ContractRow[]> {
  const rowsOf = new Map<Endpoint, ContractRow[]>(endpoints.map((endpoint) => [endpoint, []]));
  const turnsOf = new Map<Endpoint, number>();
  const turns = (endpoint: Endpoint) => turnsOf.get(endpoint) ?? 0;
  for (const row of rows) {
    let showing = endpoints.filter(row.applies);
    if (row.inPipeline) {
      showing = showing.sort((one, other) => turns(one) - turns(other)).slice(0, endpointsPerRow);
      for (const endpoint of showing) turnsOf.set(endpoint, turns(endpoint) + 1);
    }
    for (const endpoint of showing) rowsOf.get(endpoint)?.push(row);
  }
  return rowsOf;
}

/** The rows for the emulated account, where a test has the time of everybody, and breaks nothing. */
export const deployedContract = (endpoints: readonly Endpoint[]): Map<Endpoint, ContractRow[]> =>
  shownContract(
    endpoints,
    contract.filter(({ needs }) => needs === undefined),
  );
