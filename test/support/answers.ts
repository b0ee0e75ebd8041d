/**
 * A test of one answer. Its title says the status and the code, and the answer must have them: so the titles can be
 * trusted, and test/promises/statuses.test.ts holds them against what the endpoints declare.
 */

import { expect, test } from 'vitest';
import type { ErrorCode } from '../../lib/errors.ts';
import { errors } from '../../lib/http/errors.ts';
import type { Answer } from './api.ts';

/** @param act makes the request; what else should hold it asserts itself */
export function answers(status: 200 | 201 | 202 | 304, situation: string, act: () => Promise<Answer>): void {
  test(`${status} ${situation}`, async () => {
    const answer = await act();
    expect(answer.status, answer.text).toBe(status);
  });
}

export function refuses(code: ErrorCode, situation: string, act: () => Promise<Answer>): void {
  const { status } = errors[code];
  test(`${status} ${code}: ${situation}`, async () => {
    const answer = await act();
    expect(answer.error.code, answer.text).toBe(code);
    expect(answer.status).toBe(status);
  });
}
