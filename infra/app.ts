/** `npm run synth` and `cdk deploy`: the stage's stack, from the endpoints' declarations. */

import { App } from 'aws-cdk-lib';
import { configOf } from './config.ts';
import { PlatformStack } from './stack.ts';

const app = new App();
const config = configOf((app.node.tryGetContext('stage') as string | undefined) ?? 'dev');

new PlatformStack(app, `PlatformApi-${config.stage}`, {
  config,
  description: 'Multi-tenant platform control plane: REST API, functions and tables',
});
