/** `npm run items`: writes the key table in docs/storage.md, and docs/items.md, from the kinds of items. */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { itemsDocument, kinds, withKeyTable } from './items/document.ts';
import { readOptions } from './shared/options.ts';
import { root } from './shared/root.ts';

const storage = resolve(root, 'docs/storage.md');

try {
  readOptions({}, 'Usage: npm run items');
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
writeFileSync(storage, withKeyTable(readFileSync(storage, 'utf8')));
writeFileSync(resolve(root, 'docs/items.md'), itemsDocument());
console.log(`docs/storage.md and docs/items.md: ${kinds.length} kinds of items.`);
