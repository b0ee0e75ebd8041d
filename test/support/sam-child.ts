/** `npm run sam` without SAM, Docker and bundles. Its argument is the command to run instead of SAM. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serve } from '../../scripts/sam.ts';
import { runCommand } from '../../scripts/shared/options.ts';

await runCommand(() =>
  serve(
    () => resolve(process.argv[2] ?? ''),
    async (folder, variables) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/template.json`, JSON.stringify(variables));
      return `${folder}/template.json`;
    },
  ),
);
