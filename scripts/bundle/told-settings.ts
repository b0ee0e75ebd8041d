/** A function passes all its settings to the SDK, so the code that finds them is excluded. */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { empty } from './leave-out.ts';

/** What looks for settings. A function passes its region and its endpoint. */
const searches = [
  /\/(getInstanceMetadataRegion|getEndpointFromConfig)\.js$/,
  /\/util-endpoints\/lib\/aws\/partitions\.js$/,
];

export const toldSettings: Plugin = {
  name: 'told-settings',
  setup({ onResolve, onLoad }) {
    for (const [client, file] of [
      [/\/client-dynamodb\/dist-es\/DynamoDBClient\.js$/, 'function-dynamodb.js'],
      [/\/client-kms\/dist-es\/KMSClient\.js$/, 'function-kms.js'],
      [/\/client-sqs\/dist-es\/SQSClient\.js$/, 'function-sqs.js'],
    ] as const) {
      onLoad({ filter: client }, ({ path }) => ({
        resolveDir: dirname(path),
        contents: readFileSync(resolve(import.meta.dirname, file), 'utf8'),
      }));
    }
    onResolve({ filter: /^function-client$/ }, () => ({
      path: resolve(import.meta.dirname, 'function-client.js'),
    }));
    // Otherwise each command would resolve the endpoint with the rules of all regions.
    onResolve({ filter: /^@smithy\/core\/endpoints$/ }, ({ importer }) =>
      importer.endsWith('/commandBuilder.js') ? { path: 'endpoint', namespace: 'told' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'told' }, () => ({
      contents: 'export const getEndpointPlugin = () => ({ applyToStack() {} });',
    }));
    for (const filter of searches) onLoad({ filter }, () => empty);
  },
};
