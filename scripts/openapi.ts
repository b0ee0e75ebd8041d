/**
 * `npm run openapi`: writes openapi.json from the declarations. With `--check` it writes nothing, and fails if the file
 * is stale.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpoints } from '../functions/index.ts';
import { openApiDocument } from './openapi/document.ts';
import { readOptions, UsageError } from './shared/options.ts';

const file = resolve(import.meta.dirname, '../openapi.json');

function main(check: boolean): void {
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  const current = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (check && !current) {
    throw new UsageError('openapi.json is stale: run npm run openapi and commit it.');
  }
  if (!current) writeFileSync(file, text);
  const paths = new Set(endpoints.map(({ path }) => path)).size;
  const state = current ? 'is up to date' : 'has changed';
  console.log(`openapi.json ${state}: ${endpoints.length} endpoints, ${paths} paths.`);
}

try {
  const usage = 'Usage: npm run openapi [-- --check]';
  main(readOptions({ check: { type: 'boolean' } }, usage).check ?? false);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
