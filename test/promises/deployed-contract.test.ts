/** The emulated account shows every row of the contract: at each change on some endpoints, and nightly on more. */

import { expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { contract } from '../support/contract.ts';
import { deployedContract, nightlyContract, onAccount } from '../support/shown-contract.ts';

const shown = deployedContract(endpoints);
const showing = (row: (typeof contract)[number]) =>
  endpoints.filter((endpoint) => shown.get(endpoint)?.includes(row));
const deployable = contract.filter(({ needs }) => needs === undefined);

test.each(deployable.map((row) => [`${row.proves}: ${row.when}`, row] as const))('%s', (_, row) => {
  const applicable = endpoints.filter(row.applies);
  expect(applicable).toEqual(expect.arrayContaining(showing(row)));
  const count = row.inPipeline ? onAccount.pipeline : onAccount.own;
  expect(showing(row)).toHaveLength(Math.min(count, applicable.length));
});

const nightly = nightlyContract(endpoints);

test('nightly, every endpoint shows rows of the pipeline too', () => {
  const without = endpoints.filter(
    (endpoint) => !nightly.get(endpoint)?.some(({ inPipeline }) => inPipeline),
  );
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('nightly, an endpoint shows that it refuses a revoked key, a key without its scope, and other tenants', () => {
  const update = endpoints.find(({ id }) => id === 'avatars.update');
  const rows = (update && nightly.get(update)) ?? [];
  expect(rows.filter(({ inPipeline }) => !inPipeline).map(({ when }) => when)).toEqual(
    expect.arrayContaining([
      'a revoked key',
      expect.stringContaining('every scope but one of each set'),
      "another organisation's resource",
      'a live resource with a test-mode key of the same organisation',
      'a project that the key is not bound to',
      'a deleted project, though what is below it is as it was',
      'an archived project',
    ]),
  );
});
