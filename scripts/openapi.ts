/**
 * `npm run openapi`: writes openapi.json from the declarations. With `--check` it writes nothing, and fails when the
 * file is not what it would write.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openApiDocument } from './openapi/document.ts';

const file = resolve(import.meta.dirname, '../openapi.json');
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('openapi.json is not what the declarations say: run npm run openapi and commit it.');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
