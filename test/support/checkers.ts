/** Checkers from npm, each pinned, below .local/tools: few tests need them, so they are not dependencies of the project. */

import { resolve } from 'node:path';
import { npmPackage } from './npm-package.ts';

const versions = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  pyright: '1.1.414',
  recheck: '4.5.0',
};

/** @returns the folder of the package, which is installed on first use; undefined if npm cannot install it */
export function checker(name: keyof typeof versions): string | undefined {
  try {
    return resolve(npmPackage(name, versions[name]), 'node_modules', name);
  } catch {
    return undefined;
  }
}
