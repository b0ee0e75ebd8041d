/**
 * The same stack for `sam local start-api`, which does not put the stage's name before the paths (aws-sam-cli#1483): here
 * `/api` is a resource, so that the base path is /api/v1 there too. Never deployed.
 */

import { App } from 'aws-cdk-lib';
import { configOf } from './config.ts';
import { PlatformStack } from './stack.ts';

/** @returns the path of the template; the assets are beside it */
export function synthesiseForSam(outdir: string): string {
  const app = new App({ outdir, context: { 'aws:cdk:enable-asset-metadata': true } });
  const { templateFile } = new PlatformStack(app, 'PlatformApi-sam', {
    config: configOf('dev'),
    rootPath: '/api/v1',
  });
  app.synth();
  return `${outdir}/${templateFile}`;
}
