/** The header Accept of a message. */

import { expect, test } from 'vitest';
import { takesJson } from '../../../lib/mcp/exchange.ts';

test.each<[boolean, string[]]>([
  [true, []],
  [true, ['']],
  [true, ['*/*']],
  [true, ['application/*']],
  [true, ['application/json']],
  [true, ['Application/JSON; charset=utf-8']],
  [true, ['application/json, text/event-stream']],
  [true, ['text/html', 'application/json;q=0.1']],
  [true, ['text/event-stream, */*;q=0.001']],
  [true, ['*/*;q=0, application/json']],
  [false, ['text/event-stream']],
  [false, ['text/html, application/xml']],
  [false, ['application/jsonx']],
  [false, ['*/*;q=0']],
  [false, ['*/*, application/json;q=0']],
  [false, ['*/*', 'application/*; Q=0.000']],
  [false, ['json']],
])('%s: %j', (takes, values) => {
  expect(takesJson(values)).toBe(takes);
});

test('a long header takes linear time', () => {
  for (const part of [',', ';', ';q=0', 'application/json;', ' ', 'q=0.0000'])
    expect(takesJson([part.repeat(20_000 / part.length), 'application/json'])).toBe(true);
});
