/** Walks through all endpoints, in code that they share. `npm test` runs the first endpoint of each resource. */

import type { Endpoint } from '../../lib/http/endpoint.ts';

const resourceOf = ({ id }: Endpoint) => id.replace(/\.[\w-]+$/, '');

/**
 * @param others the tag of all other endpoints
 * @returns the options of the test of an endpoint of the walk
 */
export const walkOptions = (
  walk: readonly Endpoint[],
  endpoint: Endpoint,
  others: 'long' | 'nightly' = 'long',
) =>
  walk.find((other) => resourceOf(other) === resourceOf(endpoint)) === endpoint ? {} : { tags: [others] };
