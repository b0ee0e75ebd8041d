/** openapi-generator (needs Java) and oapi-codegen (needs Go), each pinned, below .local/tools. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../../scripts/shared/root.ts';
import { commandOf, environmentOf } from '../../scripts/shared/tools.ts';
import { run } from './generators.ts';

/** The module of the generated Go clients. */
export const goModule = 'example.com/test/client';

/** @returns the command of Go; undefined if Go is not installed */
export const goCommand = (): string | undefined =>
  ['go', '/usr/local/go/bin/go'].find((path) => spawnSync(path, ['version']).status === 0);

export const hasJava = (): boolean => spawnSync('java', ['-version']).status === 0;

const oapiCodegen = 'v2.8.2';

/** Generates a Go client with oapi-codegen in `folder`. */
export function generateOapiCodegen(go: string, document: string, folder: string): void {
  const tools = resolve(root, `.local/tools/oapi-codegen-${oapiCodegen}`);
  const command = resolve(tools, 'oapi-codegen');
  if (!existsSync(command))
    execFileSync(go, ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${oapiCodegen}`], {
      env: { ...process.env, GOBIN: tools, GOFLAGS: '-mod=mod' },
      stdio: 'pipe',
    });
  mkdirSync(folder, { recursive: true });
  run(folder, go, ['mod', 'init', goModule]);
  run(folder, command, [
    '-generate',
    'types,client',
    '-package',
    'platform',
    '-o',
    'platform.gen.go',
    document,
  ]);
}

/** Options of openapi-generator. In Go, only this option makes it read the discriminators. */
const options = {
  go: [
    ...['--git-host', 'example.com', '--git-user-id', 'test', '--git-repo-id', 'client'],
    ...['--additional-properties', 'useOneOfDiscriminatorLookup=true'],
  ],
  python: [],
  'typescript-fetch': [],
} as const;

/** Generates a client with openapi-generator in `folder`. */
export function generateWithJava(language: keyof typeof options, document: string, folder: string): void {
  const command = commandOf('openapi-generator-cli');
  const parts = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  mkdirSync(folder, { recursive: true });
  run(folder, command, [
    ...['generate', '-i', document, '-g', language, '-o', folder, '--global-property', parts],
    ...options[language],
  ]);
}

/** @returns a Python that has what the client in the folder imports */
export function pythonFor(folder: string): string {
  const python = resolve(environmentOf('openapi-generator-cli'), 'bin/python');
  const install = ['install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'];
  run(folder, 'python3', ['-m', 'pip', '--python', python, ...install]);
  return python;
}
