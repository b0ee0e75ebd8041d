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

/**
 * @param variables what each function has in its environment in place of references, which SAM does not resolve
 * @param machine the architecture of the containers, as in `process.arch`: emulating another one is slow
 * @returns the path of the template; the assets are next to it
 */
export function synthesiseForSam(
  outdir: string,
  variables: Readonly<Record<string, string>>,
  machine: string = process.arch,
): string {
  // SAM deploys nothing, so CloudFormation's limit is off. It reads neither nested stacks of this kind nor aliases.
  const context = { 'aws:cdk:enable-asset-metadata': true, '@aws-cdk/core:stackResourceLimit': 0 };
  const app = new App({ outdir, context });
  const stack = new Stack(app, 'PlatformApi-sam');
  const config = configOf('dev');
  const tables = new StageTables(stack, { ...config, stage: 'sam' });
  const logGroup = newLogGroup(stack, 'Log', config);
  const api = new Api(stack, 'Api', { config, rootPath: '/api/v1', accessLog: logGroup });
  for (const endpoint of endpoints) {
    const folder = functionFolder(endpoint);
    const props = { endpoint, folder, ownUrl: api.ownUrl, config, tables, logGroup };
    const { handler } = new EndpointFunction(stack, endpoint.id, props);
    const resource = api.resourceAt(endpoint.path);
    addRoute(stack, { endpoint, resource, functionArn: handler.functionArn });
  }
  for (const resource of stack.node.findAll()) {
    if (!(resource instanceof CfnFunction)) continue;
    resource.architectures = [machine === 'arm64' ? 'arm64' : 'x86_64'];
    for (const [name, value] of Object.entries(variables))
      resource.addPropertyOverride(`Environment.Variables.${name}`, value);
  }
  app.synth();
  return `${outdir}/${stack.templateFile}`;
}
