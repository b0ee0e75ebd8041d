/**
 * Modules that have other contents in a bundle. A function passes all its settings to the SDK, so it needs no code that finds them;
 * and it does not reach all that the libraries import.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { OnLoadResult, Plugin, PluginBuild } from 'esbuild';
import { root } from '../shared/root.ts';

/** @returns the absolute path of a file @throws Error if there is no such file */
export function existing(file: string): string {
  const path = resolve(root, file);
  if (existsSync(path)) return path;
  throw new Error(`${file} is gone. Name its new path in scripts/bundle/, or the bundles will contain it.`);
}

/**
 * @param file the path of a module, relative to the root
 * @returns the filter of the module
 * @throws Error if there is no such file: the bundle would contain the module that has moved
 */
export function moduleAt(file: string): RegExp {
  existing(file);
  return new RegExp(`/${file.replaceAll('.', '\\.')}$`);
}

export function replaceModule(
  { onLoad }: Pick<PluginBuild, 'onLoad'>,
  filter: RegExp,
  contents: (path: string) => OnLoadResult,
): void {
  onLoad({ filter }, ({ path }) => contents(path));
}

const core = '@smithy/core/dist-es/submodules';

/** No function uses these modules. Code that used one of them would throw, so a test refuses that our code imports one. */
export const leftOut = [
  // Only `npm run generate` creates JSON Schema.
  'zod/v4/core/to-json-schema.js',
  'zod/v4/core/json-schema-processors.js',
  // Node has a SHA-256.
  `${core}/checksum/sha256/Sha256Js.js`,
  // A function passes its region and its endpoint.
  `${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
  `${core}/endpoints/middleware-endpoint/adaptors/getEndpointFromConfig.js`,
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js',
].map((file) => `node_modules/${file}`);

const clients = [
  ['client-kms', 'KMSClient', 'function-kms.js'],
  ['client-sqs', 'SQSClient', 'function-sqs.js'],
].map(([name, client, file]) => {
  const folder = `node_modules/@aws-sdk/${name}/dist-es`;
  return { folder, client: moduleAt(`${folder}/${client}.js`), file };
});

/** It takes the place of both of the SDK's packages. */
const dynamodbClient = existing('scripts/bundle/dynamodb/index.ts');

/** What it uses of the SDK's retries. Their index makes the middleware, which needs 10 KB more. */
const retries = [
  ['StandardRetryStrategy', 'util-retry/StandardRetryStrategy.js'],
  ['isThrottlingError, isTransientError', 'service-error-classification/service-error-classification.js'],
].map(([names, file]) => `export { ${names} } from '${existing(`node_modules/${core}/retry/${file}`)}';`);

const endpoints = '@smithy/core/endpoints';

/** Neither KMS nor SQS has event streams. The answers of Bedrock do, and lib/models reads them with this library. */
const eventStreams = /^@smithy\/core\/event-streams$/;

export const replacedLibraries: Plugin = {
  name: 'replaced-libraries',
  setup(build) {
    for (const file of leftOut)
      replaceModule(build, moduleAt(file), () => ({
        contents: 'module.exports = {};',
        loader: 'js',
      }));
    for (const { folder, client, file } of clients) {
      replaceModule(build, client, (path) => ({
        resolveDir: dirname(path),
        contents: readFileSync(resolve(import.meta.dirname, `${file}`), 'utf8'),
      }));
      if (!readFileSync(resolve(root, folder, 'commandBuilder.js'), 'utf8').includes(`"${endpoints}"`))
        throw new Error(`${folder}/commandBuilder.js does not import ${endpoints}, which bundles leave out.`);
    }
    build.onResolve({ filter: /^@aws-sdk\/(client|lib)-dynamodb$/ }, () => ({
      path: dynamodbClient,
      sideEffects: false,
    }));
    build.onResolve({ filter: /^@smithy\/core\/retry$/ }, ({ importer }) =>
      dirname(importer) === dirname(dynamodbClient) ? { path: 'retries', namespace: 'told' } : undefined,
    );
    build.onResolve({ filter: /^function-client$/ }, () => ({
      path: resolve(import.meta.dirname, 'function-client.js'),
    }));
    build.onResolve({ filter: eventStreams }, ({ importer }) =>
      importer.includes('/node_modules/') ? { path: 'event-streams', namespace: 'told' } : undefined,
    );
    build.onLoad({ filter: /^event-streams$/, namespace: 'told' }, () => ({
      contents: 'module.exports = {};',
    }));
    // Otherwise each command would resolve the endpoint with the rules of all regions.
    build.onResolve({ filter: /^@smithy\/core\/endpoints$/ }, ({ importer }) =>
      importer.endsWith('/commandBuilder.js') ? { path: 'endpoint', namespace: 'told' } : undefined,
    );
    build.onLoad({ filter: /^endpoint$/, namespace: 'told' }, () => ({
      contents: 'export const getEndpointPlugin = () => ({ applyToStack() {} });',
    }));
    build.onLoad({ filter: /^retries$/, namespace: 'told' }, () => ({
      resolveDir: root,
      contents: retries.join('\n'),
    }));
  },
};
