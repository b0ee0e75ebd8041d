/**
 * `npm run bundle`: the function of every endpoint and every worker, the dispatcher and the scheduler, each in one file,
 * built by one esbuild run.
 *
 * dist/functions/<id>/index.mjs, with `handler`, and next to it the files that it loads on demand. dist/meta.json lists
 * the contents.
 */

import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
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
import { root } from '../shared/root.ts';
import { isStamped, type Made, removeStamp, writeStamp } from '../shared/stamp.ts';
import { assetNames } from '../shared/web-page.ts';
import { encoderFile, type Machine, machineOf, putEncoderFiles, runtimePackage } from './encoder-files.ts';
import { bundleExtractionChild } from './extraction-child.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { withoutMetadata } from './without-metadata.ts';

export const outputFolder = resolve(root, 'dist/functions');

/** The path of the bundle of an endpoint, a worker, the dispatcher or the scheduler. */
export const functionFolder = ({ id }: Pick<Endpoint | Worker, 'id'>): string => resolve(outputFolder, id);

/** The path of an endpoint's declaration, derived from its id. */
export const sourceOf = (endpoint: Endpoint): string =>
  resolve(root, 'functions', `${endpoint.id.replaceAll('.', '/')}.ts`);

/** The path of a worker's declaration. */
export const workerSourceOf = ({ id }: Worker): string => resolve(root, 'workers', `${id}.ts`);

/** The code of a function by the kind of its entry: the only place where a handler reads the environment. */
const entryCode: Readonly<Record<string, (source: string) => string>> = {
  read: (source) => endpointCode(source, 'read', undefined),
  'read-with-downloads': (source) => endpointCode(source, 'read', 'downloads'),
  'read-with-files': (source) => endpointCode(source, 'read', 'files'),
  change: (source) => endpointCode(source, 'change', undefined),
  'change-with-files': (source) => endpointCode(source, 'change', 'files'),
  worker: (source) => workerCode(source, false),
  'worker-with-files': (source) => workerCode(source, true),

  [dispatcherId]: () => `
    import { createDispatcher } from './lib/workers/dispatcher.ts';
    ${sending}
    export const handler = createDispatcher(workers, runtime, sender);`,

  [schedulerId]: () => `
    import { runSchedule } from './lib/workers/schedule/scheduler.ts';
    ${sending}
    const ids = workers.map(({ id }) => id);
    export const handler = () => runSchedule(ids, runtime, sender);`,
};

/** A function that reads has no code for commits. */
export const coreNameOf = ({ method }: Pick<Endpoint, 'method'>) => (method === 'GET' ? 'read' : 'change');

const endpointCode = (source: string, core: 'read' | 'change', more: 'files' | 'downloads' | undefined) => `
    import endpoint from '${source}';
    import { createHandler } from './lib/http/middleware/pipeline.ts';
    import { ${core}Core } from './lib/http/middleware/${core}-core.ts';
    import { functionClientConfig } from './lib/runtime/function-client.ts';
    import { createRuntime } from './lib/http/runtime.ts';
    ${more === 'downloads' ? downloadsCode : filesCode(more === 'files')}
    const { env } = process;
    const runtime = createRuntime(env, functionClientConfig(env)${optionalArguments[more ?? 'none']});
    const handle = createHandler(endpoint, runtime, ${core}Core);
    export const handler = ${more === 'downloads' ? 'respond(handle)' : 'handle'};`;

const optionalArguments = { none: '', files: ', files', downloads: ', undefined, downloads' } as const;

/** The files of a release are beside its functions. Bytes are streamed. */
const downloadsCode = `
    import { openDownloads } from './lib/downloads/downloads.ts';
    import { folderRelease } from './lib/downloads/folder-release.ts';
    import { s3Downloads } from './lib/downloads/s3-downloads.ts';
    import { streamed } from './lib/http/stream.ts';
    const store = s3Downloads(process.env, { nowMs: Date.now, randomFraction: Math.random });
    const downloads = openDownloads(folderRelease(import.meta.dirname), store);
    const respond = (handle) => (endpoint.raw === 'bytes' ? streamed(handle, globalThis.awslambda) : handle);`;

const workerCode = (source: string, withFiles: boolean) => `
    import worker from '${source}';
    import { createWorkerHandler } from './lib/workers/handler.ts';
    import { queueVariable } from './lib/workers/queue-names.ts';
    import { createPostpone, openQueueClient } from './lib/workers/sqs.ts';
    import { functionClientConfig } from './lib/runtime/function-client.ts';
    import { createBaseRuntime } from './lib/runtime/base-runtime.ts';
    ${filesCode(withFiles)}
    const { env } = process;
    const queues = openQueueClient(functionClientConfig(env, 'sqs'));
    export const handler = createWorkerHandler(
      worker,
      createBaseRuntime(env, functionClientConfig(env)${withFiles ? ', files' : ''}),
      createPostpone(queues, env[queueVariable(worker.id)]),
    );`;

const filesCode = (withFiles: boolean) =>
  withFiles
    ? `import { s3Files } from './lib/runtime/s3-files.ts';
    const files = s3Files(process.env, { nowMs: Date.now, randomFraction: Math.random });`
    : '';

/** What functions share that send notices to all workers. */
const sending = `
    import { workers } from './workers/index.ts';
    import { createSender, openQueueClient } from './lib/workers/sqs.ts';
    import { functionClientConfig } from './lib/runtime/function-client.ts';
    import { createBaseRuntime } from './lib/runtime/base-runtime.ts';
    const { env } = process;
    const runtime = createBaseRuntime(env, functionClientConfig(env));
    const sender = createSender(openQueueClient(functionClientConfig(env, 'sqs')), env, runtime.sleep);`;

const withFiles = ({ files }: Pick<Endpoint | Worker, 'files'>) => (files.length > 0 ? '-with-files' : '');

const suffixOf = (endpoint: Endpoint) => (endpoint.downloads ? '-with-downloads' : withFiles(endpoint));

/** An entry is `<kind>:<source>`. */
const entries: Plugin = {
  name: 'entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /:/ }, ({ path }) => {
      const [kind = ''] = path.split(':');
      return kind in entryCode ? { path, namespace: kind } : undefined;
    });
    for (const [kind, code] of Object.entries(entryCode)) {
      onLoad({ filter: /.*/, namespace: kind }, ({ path }) => ({
        resolveDir: root,
        contents: code(path.slice(kind.length + 1)),
      }));
    }
  },
};

/** What looks for settings. A function passes its region and its endpoint. */
const searches = [
  /\/(getInstanceMetadataRegion|getEndpointFromConfig)\.js$/,
  /\/util-endpoints\/lib\/aws\/partitions\.js$/,
];

/** A function passes all its settings to the SDK, so the code that finds them is excluded. */
const toldSettings: Plugin = {
  name: 'told-settings',
  setup({ onResolve, onLoad }) {
    for (const [client, file] of [
      [/\/client-dynamodb\/dist-es\/DynamoDBClient\.js$/, 'function-dynamodb.js'],
      [/\/client-kms\/dist-es\/KMSClient\.js$/, 'function-kms.js'],
      [/\/client-sqs\/dist-es\/SQSClient\.js$/, 'function-sqs.js'],
    ] as const) {
      onLoad({ filter: client }, ({ path }) => ({
        resolveDir: dirname(path),
        contents: readFileSync(resolve(import.meta.dirname, file), 'utf8'),
      }));
    }
    onResolve({ filter: /^function-client$/ }, () => ({
      path: resolve(import.meta.dirname, 'function-client.js'),
    }));
    // Otherwise each command would resolve the endpoint with the rules of all regions.
    onResolve({ filter: /^@smithy\/core\/endpoints$/ }, ({ importer }) =>
      importer.endsWith('/commandBuilder.js') ? { path: 'endpoint', namespace: 'told' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'told' }, () => ({
      contents: 'export const getEndpointPlugin = () => ({ applyToStack() {} });',
    }));
    for (const filter of searches) onLoad({ filter }, () => empty);
  },
};

const empty = { contents: 'module.exports = {};', loader: 'js' } as const;

/** What the libraries import and no function reaches; a function that did reach it would throw. */
const unused = [
  // Only `npm run generate` creates JSON Schema.
  /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
  // DynamoDB has no event streams.
  /\/submodules\/event-streams\/index\.js$/,
  // Node has a SHA-256.
  /\/sha256\/Sha256Js\.js$/,
];

const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onLoad }) {
    for (const filter of unused) onLoad({ filter }, () => empty);
  },
};

/** Reduces the libraries in a bundle. */
export const leanPlugins = [lazyBuiltins, toldSettings, leaveOut];

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

/** The OpenAPI document is a separate file. As code, it would be parsed in every cold start. */
const documentBeside: Plugin = {
  name: 'document-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/openapi\.json$/ }, ({ path }) => ({
      path: `./${basename(path)}`,
      external: true,
    }));
  },
};

/** The files of the pages and llms.txt are beside their functions. */
const pagesBeside: Plugin = {
  name: 'pages-beside',
  setup({ onLoad }) {
    const folders = ['referenceFolder', 'consoleFolder', 'llmsFolder'];
    onLoad({ filter: /\/lib\/http\/page-folders\.ts$/ }, () => ({
      contents: folders.map((name) => `export const ${name} = import.meta.dirname;`).join('\n'),
    }));
  },
};

type OnDemand = { source: string; file: string; isNeededBy: (one: Endpoint | Worker) => boolean };

const isEndpoint = (one: Endpoint | Worker) => 'auth' in one;
const hasCredential = (one: Endpoint | Worker) => 'auth' in one && one.auth !== 'public';
const usesKms = (one: Endpoint | Worker) => ('auth' in one ? one.encrypts : one.decrypts);
const asksModels = (one: Endpoint | Worker) => !('auth' in one) && one.models;
const forwards = (one: Endpoint | Worker) => 'auth' in one && one.forwards;
const checksRules = (one: Endpoint | Worker) => 'auth' in one && one.models;

/** What not every request needs is a file beside the functions: tokens, the limiter, errors, the SDK of MCP, KMS, models and rules. */
const onDemand: readonly OnDemand[] = [
  ['lib/credentials/access-token-reader.ts', hasCredential] as const,
  ['lib/credentials/workload-token-reader.ts', hasCredential] as const,
  ['lib/http/limiter.ts', hasCredential] as const,
  ['lib/http/render-error.ts', isEndpoint] as const,
  ['lib/mcp/exchange.ts', forwards] as const,
  ['lib/runtime/kms.ts', usesKms] as const,
  ['lib/runtime/bedrock.ts', asksModels] as const,
  ['lib/evaluations/rules/evaluate.ts', asksModels] as const,
  ['lib/evaluations/rules/check-patterns.ts', checksRules] as const,
].map(([source, isNeededBy]) => ({
  source: resolve(root, source),
  file: `${basename(source, '.ts')}.mjs`,
  isNeededBy,
}));

const onDemandBeside: Plugin = {
  name: 'on-demand-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const found =
        kind === 'dynamic-import' && onDemand.find(({ source }) => source === resolve(resolveDir, path));
      return found ? { path: `./${found.file}`, external: true } : undefined;
    });
  },
};

/** The thread that reads documents and pages is a separate file. */
const withThread = [knowledgeIndexer, sourceRefresher];
const threadSource = resolve(root, 'lib/search/pieces/reading-thread.ts');
const threadFile = 'reading-thread.mjs';

/** @returns the ids of the functions that load the encoder's runtime */
export const withEncoder = ({ outputs }: Pick<Metafile, 'outputs'>): string[] =>
  Object.entries(outputs)
    .filter(([, { imports }]) => imports.some(({ path }) => path === runtimePackage))
    .map(([path]) => basename(dirname(path)))
    // Both have the code of all workers, and run none of it.
    .filter((id) => id !== dispatcherId && id !== schedulerId);

const entryPoints = [
  ...endpoints.map((endpoint) => ({
    in: `${coreNameOf(endpoint)}${suffixOf(endpoint)}:${sourceOf(endpoint)}`,
    out: `${endpoint.id}/index`,
  })),
  ...workers.map((worker) => ({
    in: `worker${withFiles(worker)}:${workerSourceOf(worker)}`,
    out: `${worker.id}/index`,
  })),
  ...[dispatcherId, schedulerId].map((id) => ({ in: `${id}:`, out: `${id}/index` })),
  ...onDemand.map(({ source, file }) => ({ in: source, out: basename(file, '.mjs') })),
  ...withThread.map(({ id }) => ({ in: threadSource, out: `${id}/${basename(threadFile, '.mjs')}` })),
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
  await Promise.all([ensureReference(), ensureConsole()]);
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
  // They depend on the machine, and are links.
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
  const own = globSync('scripts/bundle/*', { cwd: root });
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

if (import.meta.main) {
  const { outputs } = await bundle();
  for (const [file, { bytes }] of Object.entries(outputs)) {
    console.log(`${(bytes / 1024).toFixed(0).padStart(5)} KB  ${file}`);
  }
}
