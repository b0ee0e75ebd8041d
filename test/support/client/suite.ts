/**
 * Runs the client's tests in one runtime. Most of the time they wait, so they run in lanes, side by side. Each lane has an
 * organisation of its own, behind a proxy with faults of its own.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import type { ExtractionNote } from '../../../lib/readers/blocks.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import { freePort } from '../../../scripts/local/port.ts';
import { resume, suspend } from '../../../scripts/organisations/state.ts';
import { launchChromium } from '../../../scripts/shared/chromium.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import userEraser from '../../../workers/user-eraser.ts';
import { finishRun } from '../evaluations.ts';
import { removeFilesOfDeleted, runJob } from '../exports.ts';
import { extractNext, readBefore } from '../extractions.ts';
import { runImportJob } from '../imports.ts';
import { goBack, snapshotOf } from '../restored.ts';
import { endRollout, loseRollout, serveRollout } from '../rollouts.ts';
import { serveApi } from '../served-api.ts';
import { handleAll } from '../suspensions.ts';
import { openCredentials } from './credentials.ts';
import { type Controls, openFaultProxy } from './proxy.ts';
import type { Result, Settings } from './run.ts';

export const lanes = 4;

const mark = '@@result ';
const end = '@@end';

const imports = `
  import * as client from 'platform-api-client';
  import * as runtime from 'platform-api-client/runtime';
  import { run } from '${join(import.meta.dirname, 'run.ts')}';`;

/** What the bundled tests do at the start. `settings` and `report` are code. */
const entry = (settings: string, report: string) => `${imports}
  await run(client, runtime, ${settings}, (result) => ${report});
`;

const reportLine = `console.log('${mark}' + JSON.stringify(result))`;

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

/** A service of its own, behind a proxy with faults. */
export async function openService(pages: Record<string, [string, string]>) {
  const { adjust, controls, close: closeIssuer } = await openCredentials();
  const { api, origin, apiKey, close } = await serveApi({ filesOrigin: () => proxy.origin, adjust });
  let snapshot: Awaited<ReturnType<typeof snapshotOf>> | undefined;
  const worksOff =
    (worker: Worker, table: Worker['sources'][number]): Controls[string] =>
    ({ id }) =>
      handleAll(api, worker, table, (item) => item.id === id);
  const proxy = await openFaultProxy(
    origin,
    {
      work: ({ project, job }) => api.workOff(String(project), String(job)),
      /** Writes the files of an export: several. */
      export: ({ project, job }) => runJob(api, String(project), String(job)),
      import: ({ project, job }) => runImportJob(api, String(project), String(job)),
      /** Does an evaluation run. */
      evaluate: ({ project, job }) => finishRun(api, String(project), String(job)),
      /** Reads the next files that are sent: so many. */
      extract: ({ project, count }) => extractNext(api, String(project), Number(count)),
      /** Stores that earlier readers have read the files, with these notes. */
      readBefore: ({ project, notes }) => readBefore(api, String(project), notes as ExtractionNote[]),
      /** Lets the service believe that time has passed. */
      advance: ({ ms }) => api.advance(Number(ms)),
      /** Deletes the files that have a deleted document. */
      removeFiles: () => removeFilesOfDeleted(api),
      /** Ends what this key has created. */
      revokeChildren: worksOff(keyRevoker, 'apiKeys'),
      /** Does a job that erases a user. */
      eraseUser: worksOff(userEraser, 'jobs'),
      /** Serves a candidate to a part of the units. */
      rollOut: ({ project, environment, id, percent, span, deploymentId }) =>
        serveRollout(api, String(project), String(environment), {
          id: String(id),
          percent: Number(percent),
          span: Number(span),
          deploymentId: String(deploymentId),
        }),
      endRollout: ({ project, environment }) => endRollout(api, String(project), String(environment)),
      loseRollout: ({ project, id }) => loseRollout(api, String(project), String(id)),
      suspend: () => suspend(api.runtime, api.organisationId),
      resume: () => resume(api.runtime, api.organisationId),
      /** Takes a backup of the conversations. */
      backUp: async () => {
        snapshot = await snapshotOf(api, ['conversations', 'messages']);
      },
      /** Replaces the conversations by those of the backup. */
      restore: () => snapshot && goBack(api, snapshot),
      ...controls(api),
    },
    pages,
  );
  return {
    origin: proxy.origin,
    apiKey,
    close() {
      proxy.close();
      close();
      closeIssuer();
    },
  };
}

/**
 * @param user the folder in which the package is installed
 * @returns what each test failed with, by title; null if it passed
 */
export const runInProcess = (command: string, user: string) => runProgram(command, [], user);

/** The tests read environment variables and files, and open connections. */
export const runInDeno = (command: string, user: string) =>
  runProgram(command, ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'], user);

/** @returns everything that the process prints until it ends */
export async function outputOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((done) => child.once('close', done));
  return output;
}

async function runProgram(
  command: string,
  args: readonly string[],
  user: string,
): Promise<Map<string, string | null>> {
  const file = await bundled(user, entry('JSON.parse(process.env.SUITE)', reportLine), false);
  return inLanes(async (lane) => {
    const { origin, apiKey, close } = await openService({});
    const folder = join(user, `files-${lane}`);
    const settings: Settings = { origin, apiKey, lane, lanes, folder };
    const child = spawn(command, [...args, file], {
      cwd: user,
      env: { PATH: process.env.PATH, HOME: user, SUITE: JSON.stringify(settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return outputOf(child).finally(close);
  });
}

const workerConfig = (file: string, port: number) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "tests", worker = (
      modules = [(name = "tests", esModule = embed "${basename(file)}")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "tests")],
);`;

/** Runs the tests in an edge runtime, which has neither Node's modules nor environment variables. */
export async function runInWorker(command: string, user: string): Promise<Map<string, string | null>> {
  const contents = `${imports}
    export default {
      async fetch(request) {
        const settings = await request.json();
        const { readable, writable } = new TransformStream();
        const writer = writable.getWriter();
        const write = (text) => writer.write(new TextEncoder().encode(text + '\\n'));
        run(client, runtime, settings, (result) => write('${mark}' + JSON.stringify(result)))
          .catch((error) => write(error.stack))
          .finally(() => writer.close());
        return new Response(readable);
      },
    };`;
  const file = await bundled(user, contents, true);
  return inLanes(async (lane) => {
    const port = await freePort();
    const config = join(user, `worker-${lane}.capnp`);
    writeFileSync(config, workerConfig(file, port));
    const child = spawn(command, ['serve', config], { cwd: user, stdio: ['ignore', 'ignore', 'inherit'] });
    const { origin, apiKey, close } = await openService({});
    const settings: Settings = { origin, apiKey, lane, lanes };
    try {
      while (child.exitCode === null) {
        const body = JSON.stringify(settings);
        const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body }).catch(
          () => undefined,
        );
        if (response) return await response.text();
        // It does not listen yet.
        await sleep(100);
      }
      return `workerd ended with ${child.exitCode}`;
    } finally {
      child.kill();
      close();
    }
  });
}

/** Runs the tests in pages, each of the origin of its service. */
export async function runInPage(_command: string, user: string): Promise<Map<string, string | null>> {
  const code = `${entry('JSON.parse(document.title)', reportLine)}; console.log('${end}');`;
  const file = await bundled(user, code, true);
  const browser = await launchChromium();
  try {
    return await inLanes(async (lane) => {
      const pages: Record<string, [string, string]> = {
        '/page.js': ['text/javascript', readFileSync(file, 'utf8')],
      };
      const { origin, apiKey, close } = await openService(pages);
      const settings: Settings = { origin, apiKey, lane, lanes };
      pages['/page'] = [
        'text/html',
        `<!doctype html><title>${JSON.stringify(settings)}</title><script type="module" src="/page.js"></script>`,
      ];
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
      close();
      return output;
    });
  } finally {
    await browser.close();
  }
}

/** @returns the results of all lanes. `runLane` returns what its lane printed */
export async function inLanes(
  runLane: (lane: number) => Promise<string>,
): Promise<Map<string, string | null>> {
  const outputs = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  return new Map(outputs.flatMap((output) => [...resultsIn(output)]));
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
