/**
 * `npm run openapi`: writes the OpenAPI document and what is made from it (openapi/outputs.ts). With `--check` it writes
 * nothing, and fails if a file is stale.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { documented } from './openapi/document.ts';
import { writtenFiles } from './openapi/outputs.ts';
import { readOptions, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

function main(check: boolean): void {
  const paths = new Set(documented.map(({ path }) => path)).size;
  const files = Object.entries(writtenFiles()).map(([file, text]) => {
    const path = resolve(root, file);
    return { file, path, text, isCurrent: existsSync(path) && readFileSync(path, 'utf8') === text };
  });
  const stale = files.filter(({ isCurrent }) => !isCurrent).map(({ file }) => file);
  if (check && stale.length > 0) {
    throw new UsageError(`Stale: ${stale.join(', ')}. Run npm run openapi and commit the result.`);
  }
  for (const { path, text, isCurrent } of files) if (!isCurrent) writeFileSync(path, text);
  const [state, named] =
    stale.length > 0 ? ['Changed', stale] : ['Up to date', files.map(({ file }) => file)];
  console.log(`${state}: ${named.join(', ')} (${documented.length} endpoints, ${paths} paths).`);
}

try {
  const usage = 'Usage: npm run openapi [-- --check]';
  main(readOptions({ check: { type: 'boolean' } }, usage).check ?? false);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
