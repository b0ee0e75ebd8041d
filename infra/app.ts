/** The app of `npx cdk`: builds the functions' bundles and creates the stacks of a stage from the declarations. */

import { App } from 'aws-cdk-lib';
import { bundle } from '../scripts/bundle/bundle.ts';
import { commitOf } from '../scripts/shared/commit.ts';
import { root } from '../scripts/shared/root.ts';
import { configOf, SettingsError } from './config.ts';
import { addStacks } from './stacks.ts';

async function main(): Promise<void> {
  const app = new App();
  // The CDK CLI sets these variables if there are credentials.
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const stage = String(app.node.tryGetContext('stage') ?? 'dev');
  const config = configOf(stage, app.node.getAllContext(), { account, region });
  await bundle();
  addStacks(app, { ...config, commit: commitOf(root) });
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
