/** The app of `npx cdk`: builds the functions' bundles and creates the stacks of a stage from the declarations. */

import { App } from 'aws-cdk-lib';
import { bundle } from '../scripts/bundle/bundle.ts';
import { configOf, SettingsError } from './config.ts';
import { addStacks } from './stacks.ts';

async function main(): Promise<void> {
  const app = new App();
  const config = configOf(String(app.node.tryGetContext('stage') ?? 'dev'), app.node.getAllContext());
  // Always, because earlier bundles may be stale.
  await bundle();
  addStacks(app, config);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
