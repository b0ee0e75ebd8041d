/** Tools in other languages accept openapi.json as it is, and skip nothing in it. */

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documented } from '../../scripts/openapi/documented.ts';
import { root } from '../../scripts/shared/root.ts';
import { commandOf, environmentOf } from '../../scripts/shared/tools.ts';
import { run } from '../support/generators.ts';

describe('tools in Python', { tags: ['nightly'] }, () => {
  test('openapi-spec-validator finds no error', () => {
    expect(run(root, commandOf('openapi-spec-validator'), ['openapi.json'])).toContain('openapi.json: OK');
  });

  test('schemathesis generates requests for every operation', () => {
    const program = resolve(import.meta.dirname, '../support/generate_requests.py');
    const printed = run(root, resolve(environmentOf('schemathesis'), 'bin/python'), [
      program,
      'openapi.json',
    ]);
    expect(JSON.parse(printed)).toEqual({ generated: documented.length, failed: [] });
  });
});
