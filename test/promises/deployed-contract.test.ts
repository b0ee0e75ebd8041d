/** The emulated account shows every row of the contract, though not every row on every endpoint. */

import { expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { contract } from '../support/contract.ts';
import { deployedContract } from '../support/shown-contract.ts';

const shown = deployedContract(endpoints);
const showing = (row: (typeof contract)[number]) =>
  endpoints.filter((endpoint) => shown.get(endpoint)?.includes(row));
const deployable = contract.filter(({ needs }) => needs === undefined);

test.each(deployable.map((row) => [`${row.proves}: ${row.when}`, row] as const))('%s', (_, row) => {
  const applicable = endpoints.filter(row.applies);
  expect(applicable).toEqual(expect.arrayContaining(showing(row)));
  expect(showing(row)).toHaveLength(row.inPipeline ? Math.min(4, applicable.length) : applicable.length);
});

test('every endpoint shows rows of the pipeline too', () => {
  const without = endpoints.filter((endpoint) => !shown.get(endpoint)?.some(({ inPipeline }) => inPipeline));
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('an endpoint shows that it refuses a revoked key, a key without its scope, and other tenants', () => {
  const update = endpoints.find(({ id }) => id === 'avatars.update');
  const rows = (update && shown.get(update)) ?? [];
  expect(rows.filter(({ inPipeline }) => !inPipeline).map(({ when }) => when)).toEqual(
    expect.arrayContaining([
      'a revoked key',
      expect.stringContaining('every scope but this one'),
      "another organisation's resource",
      'a live resource with a test-mode key of the same organisation',
      'a project that the key is not bound to',
      'a deleted project, though what is below it is as it was',
      'an archived project',
    ]),
  );
});
