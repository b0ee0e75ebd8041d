/** `npm run sam` without SAM, Docker, bundles and template: the command that is called in SAM's place is the argument. */

import { resolve } from 'node:path';
import { fail, serve } from '../../scripts/sam.ts';

serve({
  sam: () => resolve(process.argv[2] ?? ''),
  prepare: async (folder) => `${folder}/template.json`,
}).catch(fail);
