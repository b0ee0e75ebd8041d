/** Generators make good clients from openapi.json: they compile, and call the service. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { environmentOf } from '../../scripts/shared/tools.ts';
import { heyApi, openApiFetch, printed, python } from '../support/generated-calls.ts';
import {
  compiled,
  generateHeyApi,
  generatePython,
  generateTypes,
  npmGenerators,
  runAsync,
} from '../support/generators.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';

const current = resolve(root, 'openapi.json');

describe('generated clients', { tags: ['nightly'] }, () => {
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
  async function runTypeScript(within: string, name: string, program: string): Promise<string> {
    const file = resolve(within, `${name}.ts`);
    writeFileSync(file, program);
    const outfile = await compiled(file, '--allowImportingTsExtensions');
    return runAsync(within, process.execPath, [outfile], environment);
  }

  const made = new Map<string, string>();
  /** @returns a folder with the clients of a document, which are made once */
  function clientsOf(document: string): string {
    const into = made.get(document) ?? mkdtempSync(join(folder, 'clients-'));
    if (!made.has(document)) {
      generatePython(document, into);
      generateHeyApi(document, into);
    }
    made.set(document, into);
    return into;
  }

  test('openapi-typescript', async () => {
    generateTypes(current, folder);
    expect(await runTypeScript(folder, 'openapi-fetch', openApiFetch)).toBe(printed);
  });

  test('hey-api', async () => {
    expect(await runTypeScript(clientsOf(current), 'call-hey-api', heyApi)).toBe(printed);
  });

  test('openapi-python-client', async () => {
    const clients = clientsOf(current);
    const command = resolve(environmentOf('openapi-python-client'), 'bin/python');
    await runAsync(clients, command, ['-m', 'compileall', '-q', 'platform_api'], environment);
    writeFileSync(resolve(clients, 'call.py'), python);
    expect(await runAsync(clients, command, ['call.py'], environment)).toBe(printed);
  });
});
