/** Generators of API clients, each pinned, below .local/tools: they are not dependencies of the project. */

import { execFile, execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../scripts/shared/root.ts';
import { environmentOf } from '../../scripts/shared/tools.ts';

/** They use the compiler's JavaScript API, which TypeScript 7 does not have. */
const packages = {
  typescript: '5.9.3',
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
};

const npmFolder = resolve(
  root,
  `.local/tools/client-generators-${hash('sha256', JSON.stringify(packages), 'hex').slice(0, 12)}`,
);

/**
 * Two test files may need the generators at the same time, so a whole installation gets the name of the folder.
 * @returns the folder whose node_modules/ has the generators from npm; they are installed on first use
 */
export function npmGenerators(): string {
  if (existsSync(npmFolder)) return npmFolder;
  mkdirSync(dirname(npmFolder), { recursive: true });
  const making = mkdtempSync(`${npmFolder}-`);
  writeFileSync(resolve(making, 'package.json'), '{"private":true,"type":"module"}');
  const specifiers = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  run(making, 'npm', ['install', '--no-audit', '--no-fund', '--silent', '--save-exact', ...specifiers]);
  try {
    renameSync(making, npmFolder);
  } catch (error) {
    // The other test file was faster.
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(npmFolder)) throw error;
  }
  return npmFolder;
}

/** Runs a program of the npm generators, on the project's own Node. */
export function runNpm(folder: string, program: string, options: readonly string[]): string {
  return run(folder, process.execPath, [resolve(npmGenerators(), 'node_modules', program), ...options]);
}

/**
 * Checks the types of a program, and bundles the program.
 * @param options of the compiler, beside those that every program has
 * @returns the file of the bundle
 */
export async function compiled(file: string, ...options: readonly string[]): Promise<string> {
  const folder = dirname(file);
  const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const types = ['--types', 'node', '--typeRoots', resolve(root, 'node_modules/@types')];
  runNpm(folder, 'typescript/bin/tsc', ['--strict', '--noEmit', ...target, ...types, ...options, file]);
  const outfile = file.replace(/\.ts$/, '.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}

/** @returns what the program prints */
export function run(cwd: string, program: string, options: readonly string[]): string {
  try {
    return execFileSync(program, options, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${options.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs a program that calls a server in this process. */
export async function runAsync(
  cwd: string,
  program: string,
  options: readonly string[],
  variables: Record<string, string>,
): Promise<string> {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(program, options, { cwd, env, encoding: 'utf8' });
  return stdout.trim();
}

/** Generates a Python client in `folder`/platform_api. */
export function generatePython(document: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  // Without it, the generator formats what it writes with a program that is not here.
  writeFileSync(resolve(folder, 'config.yml'), 'post_hooks: []\n');
  const options = ['generate', '--path', document, '--output-path', 'platform_api', '--meta', 'none'];
  const command = resolve(environmentOf('openapi-python-client'), 'bin/openapi-python-client');
  run(folder, command, [...options, '--config', 'config.yml', '--fail-on-warning']);
}

/** Generates a client with hey-api in `folder`/hey-api. */
export function generateHeyApi(document: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  runNpm(folder, '@hey-api/openapi-ts/bin/run.js', [
    '-i',
    document,
    '-o',
    'hey-api',
    '--silent',
    '--no-log-file',
  ]);
}

/** Generates types with openapi-typescript in `folder`/openapi-typescript.ts. */
export function generateTypes(document: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  runNpm(folder, 'openapi-typescript/bin/cli.js', [document, '-o', 'openapi-typescript.ts']);
}
