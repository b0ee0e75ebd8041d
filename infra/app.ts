/** What `npx cdk` runs: it builds the functions' bundles, and makes the stage's stack from the endpoints' declarations. */

import { App } from 'aws-cdk-lib';
import { bundle } from '../scripts/bundle.ts';
import { configOf } from './config.ts';
import { PlatformStack } from './stack.ts';

const app = new App();
const config = configOf((app.node.tryGetContext('stage') as string | undefined) ?? 'dev');

// Every time: bundles from an earlier run may be older than the code.
await bundle();
new PlatformStack(app, `PlatformApi-${config.stage}`, {
  config,
  description: 'Multi-tenant platform control plane: REST API, functions and tables',
});
