/**
 * `npm run openapi`: writes openapi.json from the declarations, and says what is in it. With `--check` it writes nothing,
 * and fails when the file is not what it would write.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endpoints } from '../functions/index.ts';
import { openApiDocument } from './openapi/document.ts';

const file = resolve(import.meta.dirname, '../openapi.json');

function main(check: boolean): void {
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  const current = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (check && !current) {
    fail('openapi.json is not what the declarations say: run npm run openapi and commit it.');
  }
  if (!current) writeFileSync(file, text);
  const paths = new Set(endpoints.map(({ path }) => path)).size;
  const state = current ? 'is up to date' : 'has changed';
  console.log(`openapi.json ${state}: ${endpoints.length} endpoints, ${paths} paths.`);
}

function options(): { check?: boolean } {
  try {
    return parseArgs({ options: { check: { type: 'boolean' } } }).values;
  } catch (error) {
    return fail(`${(error as Error).message}. The only option is --check.`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

main(options().check ?? false);
