/** CONTRIBUTING.md or docs/runbook.md names every script of package.json, and every script refuses unknown options in one sentence. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';

const read = (name: string) => readFileSync(resolve(root, name), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** npm has a command of this name, or runs the script itself. */
const runByNpm = ['test', 'prepare'];
const own = Object.entries(scripts).filter(
  ([name, command]) => /^node \S+$/.test(command) && !runByNpm.includes(name),
);

test('CONTRIBUTING.md or docs/runbook.md names every script', () => {
  const documented = read('CONTRIBUTING.md') + read('docs/runbook.md');
  const missing = Object.keys(scripts).filter(
    (name) => !runByNpm.includes(name) && !documented.includes(`| \`npm run ${name}\` |`),
  );
  expect(missing).toEqual([]);
});

const refuses = async (_: string, command: string) => {
  // Without settings of AWS, which are not needed to refuse an option.
  const env = { PATH: process.env.PATH, HOME: root };
  const child = spawn(process.execPath, [command.replace('node ', ''), '--nonsense'], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  expect(await new Promise((done) => child.once('close', done)), output).toBeGreaterThan(0);
  expect(output).toContain("Unknown option '--nonsense'");
  expect(output).toMatch(/npm run|The only option|platform --help/);
  expect(output).not.toMatch(/^ +at /m);
};
const title = 'npm run %s refuses unknown options and prints its usage';
// The scripts of scripts/ share the code that reads the options.
const [some, others] = [true, false].map((is) => own.filter(([name]) => (name === 'redrive') === is));
test.each(some ?? [])(title, refuses);
test.concurrent.each(others ?? [])(title, { tags: ['nightly'] }, refuses);
