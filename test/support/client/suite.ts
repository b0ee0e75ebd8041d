/** Runs the client's tests in one runtime, against a service of its own behind a proxy with faults. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { serveApi } from '../served-api.ts';
import { openFaultProxy } from './proxy.ts';
import type { Result } from './run.ts';

const mark = '@@result ';
const end = '@@end';

/** What the bundled tests do at the start. */
const entry = (settings: string, report: string) => `
  import * as client from 'platform-api-client';
  import { run } from '${join(import.meta.dirname, 'run.ts')}';
  await run(client, ${settings}, (result) => ${report});
`;

/** Bundled in the folder in which the package is installed. */
async function bundled(user: string, contents: string, isPage: boolean): Promise<string> {
  const outfile = join(user, `${randomUUID()}.mjs`);
  await build({
    stdin: { contents, resolveDir: user, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: isPage ? 'browser' : 'node',
    // A runtime resolves the installed package by itself.
    ...(!isPage && { external: ['platform-api-client'] }),
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}

async function openService(pages: Record<string, [string, string]>) {
  const { api, origin, apiKey, close } = await serveApi();
  const proxy = await openFaultProxy(
    origin,
    { work: ({ project, job }) => api.workOff(String(project), String(job)) },
    pages,
  );
  return {
    origin: proxy.origin,
    apiKey,
    close() {
      proxy.close();
      close();
    },
  };
}

/**
 * @param user the folder in which the package is installed
 * @returns what each test failed with, by title; null if it passed
 */
export async function runInProcess(command: string, user: string): Promise<Map<string, string | null>> {
  const settings = 'JSON.parse(process.env.SUITE)';
  const file = await bundled(user, entry(settings, `console.log('${mark}' + JSON.stringify(result))`), false);
  const { origin, apiKey, close } = await openService({});
  const child = spawn(command, [file], {
    cwd: user,
    env: { PATH: process.env.PATH, SUITE: JSON.stringify({ origin, apiKey }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((done) => child.once('close', done));
  close();
  return resultsIn(output);
}

/** Runs the tests in a page of the service's origin. */
export async function runInPage(command: string, user: string): Promise<Map<string, string | null>> {
  const pages: Record<string, [string, string]> = {};
  const { origin, apiKey, close } = await openService(pages);
  const settings = JSON.stringify({ origin, apiKey });
  const code = `${entry(settings, `console.log('${mark}' + JSON.stringify(result))`)}; console.log('${end}');`;
  const file = await bundled(user, code, true);
  pages['/page.js'] = ['text/javascript', readFileSync(file, 'utf8')];
  pages['/page'] = [
    'text/html',
    '<!doctype html><title>Tests</title><script type="module" src="/page.js"></script>',
  ];
  const browser = await chromium.launch({ executablePath: command, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    let output = '';
    const finished = new Promise<void>((done) => {
      page.on('pageerror', (error) => {
        output += `${error.message}\n`;
        done();
      });
      page.on('console', (message) => {
        if (message.text() === end) done();
        output += `${message.text()}\n`;
      });
    });
    await page.goto(`${origin}/page`);
    await finished;
    return resultsIn(output);
  } finally {
    await browser.close();
    close();
  }
}

/** @returns the results in what was printed; if there are none, all of it under an empty title */
function resultsIn(output: string): Map<string, string | null> {
  const lines = output.split('\n').filter((line) => line.startsWith(mark));
  const results = new Map(
    lines.map((line) => {
      const { title, failure } = JSON.parse(line.slice(mark.length)) as Result;
      return [title, failure] as const;
    }),
  );
  return results.size > 0 ? results : new Map([['', output]]);
}
