/** Generators make good clients from openapi.json: they compile, call the service, and are small. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf } from '../../scripts/aws/tools.ts';
import { root } from '../../scripts/shared/root.ts';
import { heyApi, openApiFetch, printed, python } from '../support/generated-calls.ts';
import {
  generateHeyApi,
  generatePython,
  generateTypes,
  npmGenerators,
  runAsync,
  runNpm,
  sizes,
} from '../support/generators.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';

const current = resolve(root, 'openapi.json');

describe('generated clients', { tags: ['long'] }, () => {
  let folder = '';
  let served: ServedApi;
  /** What the programs need to call the service. */
  let environment: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(npmGenerators(), 'test-'));
    served = await serveApi();
    environment = { BASE_URL: served.baseUrl, API_KEY: served.apiKey };
  });

  afterAll(() => {
    served?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** Checks the program's types, bundles it, and runs it. */
  async function runTypeScript(name: string, program: string): Promise<string> {
    const file = resolve(folder, `${name}.ts`);
    writeFileSync(file, program);
    const options = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    runNpm(folder, 'typescript/bin/tsc', [
      ...options,
      '--allowImportingTsExtensions',
      '--types',
      'node',
      '--typeRoots',
      resolve(root, 'node_modules/@types'),
      file,
    ]);
    const outfile = resolve(folder, `${name}.mjs`);
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    return runAsync(folder, process.execPath, [outfile], environment);
  }

  test('openapi-typescript', async () => {
    generateTypes(current, folder);
    expect(await runTypeScript('openapi-fetch', openApiFetch)).toBe(printed);
  });

  test('hey-api', async () => {
    generateHeyApi(current, folder);
    expect(await runTypeScript('call-hey-api', heyApi)).toBe(printed);
  });

  test('openapi-python-client', async () => {
    generatePython(current, folder);
    const command = resolve(environmentOf('openapi-python-client'), 'bin/python');
    await runAsync(folder, command, ['-m', 'compileall', '-q', 'platform_api'], environment);
    writeFileSync(resolve(folder, 'call.py'), python);
    expect(await runAsync(folder, command, ['call.py'], environment)).toBe(printed);
  });

  test('have the sizes that docs/performance.md shows', () => {
    const released = resolve(root, 'openapi.released.json');
    const { info } = JSON.parse(readFileSync(released, 'utf8')) as { info: { version: string } };
    const documents: [string, string][] = [
      [info.version, released],
      ['now', current],
    ];
    const rows = documents.map(([version, document]) => {
      const into = mkdtempSync(join(tmpdir(), 'clients-'));
      generatePython(document, into);
      generateHeyApi(document, into);
      const { files, lines } = sizes(into);
      rmSync(into, { recursive: true });
      const hundreds = Math.round(lines / 100) * 100;
      return `| ${version} | ${files} | ${hundreds.toLocaleString('en').replaceAll(',', ' ')} |`;
    });
    const text = readFileSync(resolve(root, 'docs/performance.md'), 'utf8');
    const [, table = ''] = text.split(/<!-- \/?generated-clients -->\n/);
    expect(table.trim().split('\n').slice(2)).toEqual(rows);
  });
});
