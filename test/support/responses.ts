/**
 * A test of one response. Its title states the status and the code, and the response must have them. So titles can be trusted,
 * and test/promises/statuses.test.ts compares them with what the endpoints declare.
 */

import { expect, type TestOptions, test } from 'vitest';
import type { ErrorCode } from '../../lib/base/errors.ts';
import { errors } from '../../lib/http/errors.ts';
import type { ApiResponse } from '../../samples/api.ts';

/** @param act makes the request; what else should hold it asserts itself */
export function responds(
  status: 200 | 201 | 202 | 302 | 304 | 400 | 404 | 406,
  situation: string,
  act: () => Promise<ApiResponse>,
): void {
  test(`${status} ${situation}`, async () => {
    const response = await act();
    expect(response.status, response.text).toBe(status);
  });
}

export function refuses(
  code: ErrorCode,
  situation: string,
  act: () => Promise<ApiResponse>,
  options: TestOptions = {},
): void {
  const { status } = errors[code];
  test(`${status} ${code}: ${situation}`, options, async () => {
    const response = await act();
    expect(response.error.code, response.text).toBe(code);
    expect(response.status).toBe(status);
  });
}
