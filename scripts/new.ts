/**
 * `npm run new -- endpoint <id> <METHOD> <path>`: writes the declaration of an endpoint, its line in functions/index.ts, its
 * sample and its test.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { generate as indexFiles } from './generate/index-files.ts';
import { knownInFiles } from './new/known.ts';
import { planEndpoint } from './new/plan.ts';
import { newFiles, sample } from './new/templates.ts';
import { readWords, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = `Usage: npm run new -- endpoint <id> <METHOD> <path>
Such as: npm run new -- endpoint projects.transfer POST '/projects/{project_id}/transfer'`;

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

async function writeIndex(): Promise<void> {
  for (const [file, text] of Object.entries(await indexFiles())) writeFileSync(resolve(root, file), text);
}

async function addEndpoint(id: string, method: string, path: string): Promise<void> {
  const plan = planEndpoint({ id, method, path }, await knownInFiles());
  const files = newFiles(plan);
  const taken = Object.keys(files).find((file) => existsSync(resolve(root, file)));
  if (taken) throw new UsageError(`There is a file ${taken} already.`);
  const samples = 'test/support/samples.ts';
  const [before, after, ...more] = read(samples).split('\n};\n\nexport async function sampleOf');
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${samples} does not end its samples where sampleOf begins`);
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(resolve(root, file)), { recursive: true });
    writeFileSync(resolve(root, file), text);
  }
  writeFileSync(
    resolve(root, samples),
    `${before}\n${sample(plan)}};\n\nexport async function sampleOf${after}`,
  );
  await writeIndex();
  const written = [...Object.keys(files), 'functions/index.ts', samples];
  execFileSync('npx', ['--no', 'biome', 'check', '--write', ...written], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(`Wrote ${written.join(', ')}.

Next:
  1. Change the declaration and the test to what the endpoint should do.
  2. npm run generate
  3. npm run check`);
}

try {
  const [what, ...rest] = readWords(usage);
  if (what === 'endpoint' && rest.length === 3) await addEndpoint(...(rest as [string, string, string]));
  else throw new UsageError(usage);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
