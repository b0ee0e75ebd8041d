/** The two stacks of a stage: the stack with the data, and the stack that runs. */

import { type App, Tags } from 'aws-cdk-lib';
import type { StageConfig } from './config.ts';
import { DataStack } from './data-stack.ts';
import { dataStackName, stackName } from './names.ts';
import { PlatformStack, type Release } from './stack.ts';

/**
 * Adds the stacks of a stage. A deployment of the second stack deploys the first stack before it.
 *
 * @param release the endpoints and workers, if not those of this repository
 */
export function addStacks(
  app: App,
  config: StageConfig,
  release?: Release,
): { data: DataStack; platform: PlatformStack } {
  const { stage, terminationProtection } = config;
  const data = new DataStack(app, dataStackName(stage), {
    config,
    terminationProtection,
    description: 'Multi-tenant platform control plane: tables',
  });
  const platform = new PlatformStack(app, stackName(stage), {
    config,
    ...(release && { release }),
    terminationProtection,
    description: 'Multi-tenant platform control plane: REST API and functions',
  });
  platform.addStackDependency(data);
  const tags = { service: 'platform-api', stage, ...config.tags };
  for (const stack of [data, platform]) {
    for (const [name, value] of Object.entries(tags)) Tags.of(stack).add(name, value);
  }
  return { data, platform };
}
