/**
 * `npm run bundle`: the function of every endpoint and every worker, the dispatcher and the scheduler, each in one file,
 * built by one esbuild run.
 *
 * dist/functions/<id>/index.mjs, with `handler`, and next to it the files that it loads on demand. dist/meta.json lists
 * the contents.
 */

import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import consoleAsset from '../../functions/console/asset.ts';
import consolePage from '../../functions/console/page.ts';
import referenceAsset from '../../functions/docs/asset.ts';
import referencePage from '../../functions/docs/page.ts';
import { endpoints } from '../../functions/index.ts';
import llms from '../../functions/llms.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { consoleFolder, referenceFolder } from '../../lib/http/page-folders.ts';
import { dispatcherId } from '../../lib/workers/dispatcher.ts';
import { schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { workers } from '../../workers/index.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import { ensureConsole } from '../console/build.ts';
import { ensureDownloads } from '../downloads/build.ts';
import { ensureReference } from '../reference/build.ts';
import { fetchPackage } from '../shared/fetched-packages.ts';
import type { Machine } from '../shared/machines.ts';
import { readOptions, runCommand } from '../shared/options.ts';
import { root } from '../shared/root.ts';
import { isStamped, type Made, removeStamp, writeStamp } from '../shared/stamp.ts';
import { assetNames } from '../shared/web-page.ts';
import { documentBeside, onDemand, onDemandBeside, pagesBeside } from './beside.ts';
import { encoderFile, machineOf, putEncoderFiles, runtimePackage } from './encoder-files.ts';
import { entries, functionEntries } from './entries.ts';
import { bundleExtractionChild } from './extraction-child.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { replacedLibraries } from './replaced.ts';
import { smallZod } from './small-zod.ts';
import { withoutMetadata } from './without-metadata.ts';

export const outputFolder = resolve(root, 'dist/functions');

/** The path of the bundle of an endpoint, a worker, the dispatcher or the scheduler. */
export const functionFolder = ({ id }: Pick<Endpoint | Worker, 'id'>): string => resolve(outputFolder, id);

/** Reduces the libraries in a bundle. */
export const leanPlugins = [lazyBuiltins, replacedLibraries, smallZod];

/** How every bundle is built. */
export const buildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  external: [runtimePackage],
  // Node creates each of these globals when it is first read, and libraries read them to detect their environment.
  define: { Blob: 'undefined', ReadableStream: 'undefined', navigator: 'undefined' },
  format: 'esm',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The thread that reads documents and pages is a separate file. */
const withThread = [knowledgeIndexer, sourceRefresher];
const threadSource = resolve(root, 'lib/search/pieces/reading-thread.ts');

/** @returns the ids of the functions that load the encoder's runtime */
export const withEncoder = ({ outputs }: Pick<Metafile, 'outputs'>): string[] =>
  Object.entries(outputs)
    .filter(([, { imports }]) => imports.some(({ path }) => path === runtimePackage))
    .map(([path]) => basename(dirname(path)))
    // Both have the code of all workers, and run none of it.
    .filter((id) => id !== dispatcherId && id !== schedulerId);

const entryPoints = [
  ...functionEntries,
  ...onDemand.map(({ source, file }) => ({ in: source, out: basename(file, '.mjs') })),
  ...withThread.map(({ id }) => ({ in: threadSource, out: `${id}/reading-thread` })),
];

export const stampFile = resolve(outputFolder, '../stamp.json');
const metaFile = resolve(outputFolder, '../meta.json');

/**
 * Builds the bundles, unless they were made from the same files before.
 * @param machine on which the functions run: only they and the encoder's libraries depend on it
 * @returns esbuild's list of the contents of each bundle
 */
export async function bundle(machine: Machine = machineOf(process.env)): Promise<Metafile> {
  const downloads = await ensureDownloads();
  await Promise.all([ensureReference(), ensureConsole(), fetchPackage(runtimePackage)]);
  const made: Made = {
    folders: [outputFolder],
    stampFile,
    recipe: JSON.stringify({ entryPoints, downloads }).replaceAll(root, ''),
    ignored: encoderFile,
  };
  const isMade = isStamped(made) && existsSync(metaFile);
  const metafile = isMade
    ? (JSON.parse(readFileSync(metaFile, 'utf8')) as Metafile)
    : await make(made, downloads);
  // The files of the encoder depend on the machine, and are links.
  for (const id of withEncoder(metafile)) putEncoderFiles(functionFolder({ id }), machine);
  return metafile;
}

async function make(made: Made, downloads: string): Promise<Metafile> {
  const begunMs = Date.now();
  removeStamp(made);
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    plugins: [entries, ...leanPlugins, documentBeside, onDemandBeside, pagesBeside, withoutMetadata],
    ...buildOptions,
    metafile: true,
  });
  const child = await bundleExtractionChild(functionFolder(knowledgeExtractor));
  for (const name of ['extraction-child.mjs', 'cmaps']) {
    const [from, to] = [knowledgeExtractor, sourceRefresher].map((one) => resolve(functionFolder(one), name));
    if (from && to) cpSync(from, to, { recursive: true });
  }
  copyFileSync(resolve(root, 'openapi.json'), resolve(outputFolder, 'openapi/openapi.json'));
  copyFileSync(resolve(root, 'llms.txt'), resolve(functionFolder(llms), 'llms.txt'));
  copyPage(referenceFolder, referencePage, referenceAsset);
  copyPage(consoleFolder, consolePage, consoleAsset);
  copyDownloads(downloads);
  for (const { file, isNeededBy } of onDemand) {
    for (const one of [...endpoints, ...workers].filter(isNeededBy)) {
      copyFileSync(resolve(outputFolder, file), resolve(functionFolder(one), file));
    }
  }
  writeFileSync(metaFile, JSON.stringify(metafile));
  const sources = sourcesOf([metafile, child], [referenceFolder, consoleFolder, downloads]);
  writeStamp(made, sources, begunMs);
  return metafile;
}

/** @returns the files that the bundles were made from. The package lock stands for how packages are resolved */
function sourcesOf(metafiles: readonly Metafile[], folders: readonly string[]): string[] {
  const modules = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const own = globSync('scripts/bundle/**/*.{js,ts}', { cwd: root });
  const others = ['openapi.json', 'llms.txt', 'package.json', 'package-lock.json', 'tsconfig.json'];
  const copied = folders.flatMap((folder) => readdirSync(folder).map((name) => resolve(folder, name)));
  const paths = [...modules, ...own, ...others, ...copied].map((path) => resolve(root, path));
  // Entries and builtins have no file.
  return [...new Set(paths)].filter((path) => existsSync(path));
}

function copyDownloads(folder: string): void {
  for (const endpoint of endpoints.filter(({ downloads }) => downloads)) {
    for (const name of readdirSync(folder)) {
      copyFileSync(resolve(folder, name), resolve(functionFolder(endpoint), name));
    }
  }
}

function copyPage(folder: string, page: Endpoint, asset: Endpoint): void {
  copyFileSync(resolve(folder, 'page.html'), resolve(functionFolder(page), 'page.html'));
  for (const name of assetNames(folder))
    copyFileSync(resolve(folder, name), resolve(functionFolder(asset), name));
}

async function main(): Promise<void> {
  readOptions({}, 'Usage: npm run bundle');
  const { outputs } = await bundle();
  for (const [file, { bytes }] of Object.entries(outputs)) {
    console.log(`${(bytes / 1024).toFixed(0).padStart(5)} KB  ${file}`);
  }
}

if (import.meta.main) await runCommand(main);
