/** The costs in docs/operations.md, against figures worked out by hand. */

import { expect, test } from 'vitest';
import { accessLine, logBytes, requestLine } from '../../bench/log-bytes.ts';
import { billedMs, costOfMillion } from '../../bench/prices.ts';

const bare = { logBytes: 0, firewall: false, tracing: false };

test('a row comes to what it does by hand', () => {
  // projects.restore with a new key, in front of it WAF, behind it X-Ray, and 1074 bytes of log, about a GB in a million.
  const units = { roundTrips: 3, readUnits: 3, writeUnits: 6 };
  const cost = costOfMillion(units, { logBytes: 1073.741824, firewall: true, tracing: true });
  expect(cost.gateway).toBe(3.5);
  // $0.20 for the requests, and 30 000 GB-seconds at $13.3334 a million.
  expect(cost.lambda).toBeCloseTo(0.2 + 0.400002, 9);
  // 3 x $0.125 + 6 x $0.625
  expect(cost.dynamodb).toBe(4.125);
  expect(cost.logs).toBeCloseTo(0.5, 9);
  expect(cost.firewall).toBe(0.6);
  // One in twenty at $5.
  expect(cost.tracing).toBe(0.25);
  expect(cost.total).toBeCloseTo(9.575002, 9);
});

test('what a stage does not have costs nothing', () => {
  const { total } = costOfMillion({ roundTrips: 0, readUnits: 0, writeUnits: 0 }, bare);
  // API Gateway, the requests, and one millisecond each: 1000 GB-seconds.
  expect(total).toBeCloseTo(3.5 + 0.2 + 0.0133334, 9);
});

test('a function is billed for whole milliseconds, and for one at least', () => {
  expect([0, 1, 2].map((roundTrips) => billedMs({ roundTrips }))).toEqual([1, 10, 20]);
});

test('the lines are as long as what is in them', () => {
  const format = '{"id":"$context.requestId","status":"$context.status"}';
  expect(accessLine(format)).toBe('{"id":"6f1c1d3e-8f0a-4c55-9b7e-2f4f0f6d1a2b","status":"200"}');
  const { request, lambda, access, total } = logBytes(format);
  expect([request, access]).toEqual([Buffer.byteLength(requestLine()), 60]);
  expect(total).toBe(request + lambda + access);
});

test('a variable of the access log that nobody knows is not left out quietly', () => {
  expect(() => accessLine('$context.principalId')).toThrow('no value for $context.principalId');
});
