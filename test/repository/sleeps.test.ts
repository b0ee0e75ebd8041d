/** No worker sleeps longer than two seconds in its place, except for the fence: a longer pause is a later notice. */

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The files that sleep, and their longest pause in milliseconds. Name a new file only with a pause that fits. */
const longest: Readonly<Record<string, number | 'fence'>> = {
  'lib/conversations/count.ts': 19 * 50,
  'lib/conversations/generations.ts': 'fence',
  'lib/conversations/index-messages.ts': 'fence',
  'lib/dynamodb/batch.ts': 2000,
  'lib/evaluations/runs/ask.ts': 2000,
  'lib/limits/count-daily-usage.ts': 19 * 50,
  'lib/replies/run/answer.ts': 2000,
  'lib/runtime/s3.ts': 4 * 100,
  'lib/sources/refresh/hosts.ts': 2000 + 1,
  'lib/webhooks/store/health.ts': 2 * 19 * 20,
  'lib/workers/sqs.ts': 16 * 50,
  'lib/workers/writes.ts': 19 * 50,
};

/** Only requests of callers wait here: no worker has these. */
const ofRequests = /^lib\/(http|credentials)\//;

const calls = /\bsleep\((?!ms: number)/;

test('the files of workers that sleep are known, with pauses of up to two seconds', () => {
  const files = globSync('lib/**/*.ts').filter(
    (file) =>
      !ofRequests.test(file) &&
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => calls.test(line)),
  );
  const ms = Object.values(longest).filter((one) => one !== 'fence');
  expect(Math.max(...ms)).toBeLessThanOrEqual(2001);
  expect(files.sort()).toEqual(Object.keys(longest).sort());
});
