/** Every declared status and error of an endpoint has a test, and every error is returned by an endpoint or a gateway. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import type { ErrorCode } from '../../lib/base/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errors } from '../../lib/http/errors.ts';
import { root } from '../../scripts/shared/root.ts';
import { contract } from '../support/contract.ts';

/** Of endpoints without a credential: raised before a function runs, by the gateway's throttling. */
const byTheGateway: readonly ErrorCode[] = ['rate_limited'];

const fileOf = ({ id }: Endpoint) =>
  resolve(import.meta.dirname, '../functions', `${id.replaceAll('.', '/')}.test.ts`);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('has a test of its own', () => {
    expect(existsSync(fileOf(endpoint)), fileOf(endpoint)).toBe(true);
  });

  test('has a test for every declared status and error', () => {
    const source = existsSync(fileOf(endpoint)) ? readFileSync(fileOf(endpoint), 'utf8') : '';
    const own = [...source.matchAll(/\b(?:responds\(\s*(\d+)|refuses\(\s*'(\w+)')/g)];
    const tested = new Set(own.map(([, status, code]) => status ?? code));
    for (const row of contract) if (row.applies(endpoint)) tested.add(row.proves);
    const declared = [...Object.keys(endpoint.responses), ...endpoint.errors];
    const untested = declared.filter(
      (name) => !tested.has(name) && !byTheGateway.includes(name as ErrorCode),
    );
    expect(untested).toEqual([]);
  });
});

test('every error is declared by an endpoint, or returned by a gateway', () => {
  const gateways = ['infra/gateway-responses.ts', 'scripts/local/gateway.ts']
    .map((file) => readFileSync(resolve(root, file), 'utf8'))
    .join('\n');
  const declared = new Set<string>(endpoints.flatMap((endpoint) => endpoint.errors));
  const dead = Object.keys(errors).filter((code) => !declared.has(code) && !gateways.includes(`'${code}'`));
  expect(dead).toEqual([]);
});
