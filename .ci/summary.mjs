// Prints "N passed, N failed" for a Vitest report; a check before or beside the tests that failed counts as one.

import { readFileSync } from 'node:fs';

const [, , report, status] = process.argv;

function counts() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

const { passed, failed } = counts();
console.log(`${passed} passed, ${status !== '0' && failed === 0 ? 1 : failed} failed`);
