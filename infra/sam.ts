/**
 * The same stack for `sam local start-api`, which does not put the stage's name in front of paths (aws-sam-cli#1483).
 * So `/api` is a resource here, and the base path is /api/v1 too. Never deployed.
 */

import { App } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { configOf } from './config.ts';
import { PlatformStack } from './stack.ts';

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
  const app = new App({ outdir, context: { 'aws:cdk:enable-asset-metadata': true } });
  const stack = new PlatformStack(app, 'PlatformApi-sam', { config: configOf('dev'), rootPath: '/api/v1' });
  for (const resource of stack.node.findAll()) {
    if (!(resource instanceof CfnFunction)) continue;
    resource.architectures = [architectureOf(machine)];
    for (const name of variables) resource.addPropertyOverride(`Environment.Variables.${name}`, 'set by SAM');
  }
  app.synth();
  return `${outdir}/${stack.templateFile}`;
}
