// Names the failed tests, and prints "N passed, N failed", for pairs of a Vitest report and its command's exit code. A command
// that failed although no test did (a check before the tests, a crash) counts as one failure.

import { readFileSync } from 'node:fs';

const failuresOf = ({ name: file, message, assertionResults: tests }) => {
  const failed = tests.filter(({ status }) => status === 'failed');
  if (failed.length > 0)
    return failed.map(({ fullName, failureMessages }) => [file, fullName, failureMessages[0]]);
  return message ? [[file, 'could not be loaded', message]] : [];
};

function read(report, code) {
  let passed = 0;
  let failures = [];
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    passed = numPassedTests;
    failures = testResults.flatMap(failuresOf);
  } catch {
    // The tests were never reached.
  }
  if (code !== '0' && failures.length === 0) failures = [[report, `the command ended with ${code}`, '']];
  return { passed, failures };
}

const args = process.argv.slice(2);
const all = args.flatMap((report, index) => (index % 2 === 0 ? [read(report, args[index + 1])] : []));
const failures = all.flatMap((one) => one.failures);
for (const [file, test, message = ''] of failures)
  console.log(`failed: ${file}: ${test}\n${message.split('\n').slice(0, 8).join('\n').slice(0, 1000)}`);
const passed = all.reduce((sum, one) => sum + one.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
