/** `npm run sam` without SAM, Docker, bundles and template. Its argument is the command to run instead of SAM. */

import { resolve } from 'node:path';
import { fail, serve } from '../../scripts/sam.ts';

serve({
  sam: () => resolve(process.argv[2] ?? ''),
  prepare: async (folder) => `${folder}/template.json`,
}).catch(fail);
