/** The key table in docs/storage.md, and docs/items.md. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { itemsDocument, withKeyTable } from '../items/document.ts';
import { root } from '../shared/root.ts';
import type { Files } from './parts.ts';

export const generate = (): Files => ({
  'docs/storage.md': withKeyTable(readFileSync(resolve(root, 'docs/storage.md'), 'utf8')),
  'docs/items.md': itemsDocument(),
});
