/** A CDK app that deploys the stage dev with different code in every endpoint's function, as a release does. */

import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { endpoints } from '../../functions/index.ts';
import { configOf } from '../../infra/config.ts';
import { addStacks } from '../../infra/stacks.ts';
import { bundle, functionFolder } from '../../scripts/bundle/bundle.ts';

await bundle();
for (const endpoint of endpoints) {
  appendFileSync(resolve(functionFolder(endpoint), 'index.mjs'), '\n// another version');
}
addStacks(new App(), configOf('dev'));
