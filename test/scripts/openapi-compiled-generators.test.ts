/** oapi-codegen and openapi-generator make clients from openapi.json that compile and read the responses of the service. */

import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import {
  generateOapiCodegen,
  generateWithJava,
  goCommand,
  hasJava,
  pythonFor,
} from '../support/compiled-generators.ts';
import { compiled, npmGenerators, run, runAsync } from '../support/generators.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';

const current = resolve(root, 'openapi.json');
const programs = resolve(import.meta.dirname, '../support/generated-calls');
/** What each program prints. The last value is whether the value of a text is null, as the service shows it. */
const printed = 'nightly, 1 project, not_found, 1 document, true, 4.5, good, true';

describe('generated clients', { tags: ['nightly'], timeout: 600_000 }, () => {
  let folder = '';
  let served: ServedApi;

  beforeAll(async () => {
    folder = mkdtempSync(join(npmGenerators(), 'compiled-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** @returns what the program prints: each has a service of its own, without projects */
  async function printedBy(within: string, program: string, options: readonly string[]): Promise<string> {
    served = await serveApi();
    try {
      const environment = { BASE_URL: served.baseUrl, API_KEY: served.apiKey };
      return await runAsync(within, program, options, environment);
    } finally {
      served.close();
    }
  }

  async function runGo(go: string, within: string, program: string): Promise<string> {
    mkdirSync(resolve(within, 'cmd'));
    copyFileSync(resolve(programs, program), resolve(within, 'cmd/main.go'));
    run(within, go, ['mod', 'tidy']);
    run(within, go, ['build', '-o', 'call', './cmd']);
    return printedBy(within, resolve(within, 'call'), []);
  }

  test('oapi-codegen', async ({ skip }) => {
    const go = goCommand();
    if (!go) return skip('Go is not installed');
    const within = resolve(folder, 'oapi-codegen');
    generateOapiCodegen(go, current, within);
    expect(await runGo(go, within, 'oapi-codegen.go')).toBe(printed);
  });

  test('openapi-generator: go', async ({ skip }) => {
    const go = goCommand();
    if (!go || !hasJava()) return skip('Go or Java is not installed');
    const within = resolve(folder, 'go');
    generateWithJava('go', current, within);
    expect(await runGo(go, within, 'openapi-generator.go')).toBe(printed);
  });

  test('openapi-generator: python', async ({ skip }) => {
    if (!hasJava()) return skip('Java is not installed');
    const within = resolve(folder, 'python');
    generateWithJava('python', current, within);
    copyFileSync(resolve(programs, 'openapi-generator.py'), resolve(within, 'call.py'));
    expect(await printedBy(within, pythonFor(within), ['call.py'])).toBe(printed);
  });

  test('openapi-generator: typescript-fetch', async ({ skip }) => {
    if (!hasJava()) return skip('Java is not installed');
    generateWithJava('typescript-fetch', current, resolve(folder, 'typescript-fetch'));
    const file = resolve(folder, 'call.ts');
    copyFileSync(resolve(programs, 'typescript-fetch.ts.txt'), file);
    const outfile = await compiled(file, '--skipLibCheck');
    expect(await printedBy(folder, process.execPath, [outfile])).toBe(printed);
  });
});
