/** Makes the files that follow from others and are not in git. `node --import ./scripts/derive.ts` makes them before a program starts. */

import { ensureDerived } from './derived/ensure.ts';

await ensureDerived();
