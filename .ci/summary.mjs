// Prints "N passed, N failed" for pairs of a Vitest report and its command's exit code. A command that failed although
// no test did (a check before the tests, a crash) counts as one failure.

import { readFileSync } from 'node:fs';

function counts(report, code) {
  let passed = 0;
  let failed = 0;
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    [passed, failed] = [numPassedTests, numFailedTests];
  } catch {
    // The tests were never reached.
  }
  return { passed, failed: code !== '0' && failed === 0 ? 1 : failed };
}

const args = process.argv.slice(2);
const all = args.flatMap((report, index) => (index % 2 === 0 ? [counts(report, args[index + 1])] : []));
const sum = (key) => all.reduce((total, count) => total + count[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
