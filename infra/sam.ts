/**
 * The API and its functions in one stack, for `sam local start-api`. SAM does not put the stage's name in front of paths
 * (aws-sam-cli#1483), so `/api` is a resource here, and the base path is /api/v1, too. The stack is never deployed.
 */

import { App, Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { endpoints } from '../functions/index.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import { Api } from './api.ts';
import { configOf } from './config.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { newLogGroup } from './log-group.ts';
import { addRoute } from './route.ts';
import { StageTables } from './tables.ts';

/** @returns Lambda's name of an architecture in Node's notation */
export const architectureOf = (machine: string): 'arm64' | 'x86_64' =>
  machine === 'arm64' ? 'arm64' : 'x86_64';

/**
 * @param variables names that each function's environment gets. SAM passes on only variables that the template
 *   declares, with values from its --env-vars
 * @param machine the architecture of the containers, as in `process.arch`. Emulating another one is slow and needs
 *   binfmt handlers
 * @returns the path of the template; the assets are next to it
 */
export function synthesiseForSam(
  outdir: string,
  variables: readonly string[],
  machine: string = process.arch,
): string {
  const app = new App({
    outdir,
    // SAM deploys nothing, so CloudFormation's limit is off. It reads neither nested stacks of this kind nor aliases.
    context: { 'aws:cdk:enable-asset-metadata': true, '@aws-cdk/core:stackResourceLimit': 0 },
  });
  const stack = new Stack(app, 'PlatformApi-sam');
  const config = configOf('dev');
  const shared = {
    config,
    tables: new StageTables(stack, { ...config, stage: 'sam' }),
    logGroup: newLogGroup(stack, 'Log', config),
  };
  const api = new Api(stack, 'Api', { config, rootPath: '/api/v1', accessLog: shared.logGroup });
  for (const endpoint of endpoints) {
    const folder = functionFolder(endpoint);
    const { handler } = new EndpointFunction(stack, endpoint.id, {
      endpoint,
      folder,
      ownUrl: api.ownUrl,
      ...shared,
    });
    addRoute(stack, {
      endpoint,
      resource: api.resourceAt(endpoint.path),
      functionArn: handler.functionArn,
    });
  }
  for (const resource of stack.node.findAll()) {
    if (!(resource instanceof CfnFunction)) continue;
    resource.architectures = [architectureOf(machine)];
    for (const name of variables) resource.addPropertyOverride(`Environment.Variables.${name}`, 'set by SAM');
  }
  app.synth();
  return `${outdir}/${stack.templateFile}`;
}
