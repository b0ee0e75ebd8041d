/**
 * Makes the files that follow from others and are not in git, as the last step of `npm ci`. `node --import ./scripts/derive.ts` makes
 * them before a program starts.
 */

import { ensureDerived } from './openapi/derived.ts';

await ensureDerived();
