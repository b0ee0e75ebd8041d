/** The idempotency of Powertools, which only a bench compares itself with: npm installs it on first use. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type middy from '@middy/core';
import { npmPackage } from '../../test/support/npm-package.ts';

const name = '@aws-lambda-powertools/idempotency';
const version = '2.35.0';

type Options = Readonly<Record<string, unknown>>;
/** The parts that the bench uses. */
type Powertools = {
  IdempotencyConfig: new (options: Options) => object;
  DynamoDBPersistenceLayer: new (options: Options) => object;
  makeHandlerIdempotent(options: { persistenceStore: object; config: object }): middy.MiddlewareObj;
};

/** @throws Error if npm cannot install the package */
export async function loadPowertools(): Promise<Powertools> {
  const folder = join(npmPackage(name, version), 'node_modules', name, 'lib/esm');
  const files = [
    'index.js',
    'persistence/DynamoDBPersistenceLayer.js',
    'middleware/makeHandlerIdempotent.js',
  ];
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return Object.assign({}, ...modules);
}
