/** `npm run synth` and `cdk deploy`: the service's stack, from the endpoints' declarations. */

import { App } from 'aws-cdk-lib';
import { PlatformStack } from './stack.ts';

const app = new App();
new PlatformStack(app, 'PlatformApi', {
  description: 'Multi-tenant platform control plane: REST API, functions and tables',
});
