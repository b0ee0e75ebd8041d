/** What `npx cdk` runs: it builds the functions' bundles, and makes the stage's stack from the endpoints' declarations. */

import { App } from 'aws-cdk-lib';
import { bundle } from '../scripts/bundle/bundle.ts';
import { configOf, SettingsError } from './config.ts';
import { PlatformStack } from './stack.ts';

async function main(): Promise<void> {
  const app = new App();
  const config = configOf(String(app.node.tryGetContext('stage') ?? 'dev'), app.node.getAllContext());
  // Every time: bundles from an earlier run may be older than the code.
  await bundle();
  new PlatformStack(app, `PlatformApi-${config.stage}`, {
    config,
    description: 'Multi-tenant platform control plane: REST API, functions and tables',
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
