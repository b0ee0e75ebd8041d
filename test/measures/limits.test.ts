/** The limits in docs/capacity.md: AWS's are counted in the templates, ours come from the code. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf, stageNames } from '../../infra/config.ts';
import { maxLifetimeMs } from '../../lib/api-keys/schema.ts';
import { dayMs } from '../../lib/base/time.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { maxBodyBytes } from '../../lib/http/middleware/parse-body.ts';
import { maxDocuments, maxMegabytes } from '../../lib/indexing/jobs/index-version.ts';
import { limitsOf, many } from '../../measures/limits.ts';
import { readUnitRows } from '../../measures/units.ts';
import { root } from '../../scripts/shared/root.ts';

const text = readFileSync(resolve(root, 'docs/capacity.md'), 'utf8');
const runbook = readFileSync(resolve(root, 'docs/runbook.md'), 'utf8');

const isBelow = (stage: string) => {
  const title = 'is below every limit of AWS, with room to grow (endpoints: %s)';
  const holds = (count: number | undefined) => {
    for (const { what, is, atMost, enforced } of limitsOf(stage, count)) {
      expect(is, what).toBeGreaterThanOrEqual(0);
      // With so many endpoints as there are now, a release can still add some resources.
      if (enforced) expect(is, what).toBeLessThanOrEqual(count === undefined ? 0.96 * atMost : atMost);
    }
  };
  test.each([undefined])(title, { tags: ['long'] }, holds);
  test.each([many])(title, { tags: ['nightly'] }, holds);
};

// It has the most resources.
describe.each(['prod'])('%s', isBelow);
describe.each(stageNames().filter((stage) => stage !== 'prod'))('%s', { tags: ['nightly'] }, isBelow);

test('docs/capacity.md has our own limits', () => {
  const [prod, dev] = [configOf('prod'), configOf('dev')];
  const shown = (count: number) => (count < 10_000 ? String(count) : `${count / 1000} 000`);
  const methods = Object.entries(prod.throttle.methods ?? {}).map(
    ([id, limit]) => `; ${limit?.rate}, ${limit?.burst} for \`${id}\``,
  );
  const perAddress = prod.waf?.requestsPerAddress ?? 0;
  for (const row of [
    `| requests per second, burst | ${prod.throttle.rate}, ${prod.throttle.burst} (\`prod\`${methods.join('')}); ${dev.throttle.rate}, ${dev.throttle.burst} (\`dev\`), for **each method**`,
    `| requests from one address | ${shown(perAddress)} in five minutes, ${Math.floor(perAddress / 300)} per second (\`prod\`)`,
    `| request body | ${maxBodyBytes / 1024} KB |`,
    `| search index | ${shown(maxDocuments)} documents, ${maxMegabytes} MB in total |`,
    `| lifetime, scopes and projects of a key | ${maxLifetimeMs / dayMs} days, 50, 50 |`,
    `| how long an Idempotency-Key is remembered | ${prod.idempotencyHours} hours |`,
    // What bites first.
    `\n| ${Math.floor(perAddress / 300)} from one address | WAF |`,
    `\n| ${prod.throttle.rate} to one endpoint | the throttle of that method |`,
  ]) {
    expect(text).toContain(row);
  }
  // The command that opens the API of `dev`.
  expect(runbook).toContain(`throttle '*/*' ${dev.throttle.rate} ${dev.throttle.burst}`);
});

test('docs/capacity.md assumes the round trips that docs/storage.md has', () => {
  expect(text.replace(/\s+/g, ' ')).toContain(
    '10 ms per [round trip](storage.md#what-a-request-costs): 10 ms to get one resource, 20 ms for a list and for most changes.',
  );
  const usesTables = endpoints.filter(({ access }) => Object.keys(access).length > 0);
  const tripsOf = (chosen: (endpoint: Endpoint) => boolean) =>
    readUnitRows()
      .filter(({ variant }) => variant !== 'replayed')
      .filter(({ id }) => usesTables.some((endpoint) => endpoint.id === id && chosen(endpoint)))
      .map(({ roundTrips }) => roundTrips);
  // A resource that waits for a change queries the places of other waits, but only then.
  const hasParts = ({ access }: Endpoint) =>
    Object.entries(access).some(([table, actions]) => table !== 'idempotency' && actions.includes('Query'));
  const gets = tripsOf((endpoint) => endpoint.id.endsWith('.get') && !hasParts(endpoint));
  // The rollouts of an environment are read through an index, because conversations find a rollout by its id. Models are in the settings.
  const lists = tripsOf(({ id }) => id.endsWith('.list') && !['rollouts.list', 'models.list'].includes(id));
  const changes = tripsOf(({ method }) => method !== 'GET');
  expect([new Set(gets), new Set(lists)]).toEqual([new Set([1]), new Set([2])]);
  expect(changes.filter((trips) => trips === 2).length).toBeGreaterThan(changes.length / 2);
});
