/**
 * `npm run sam`: the functions in Lambda's own containers, by `sam local start-api`. They use the tables, the workers and
 * the keys of `npm run dev`, which must run. Needs Docker and Python 3.11.
 *
 *   PORT=3002                another port than 3001
 *   SAM_SKIP_PULL_IMAGE=1    use the image that is there
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpoints } from '../functions/index.ts';
import { filesVariable } from '../lib/base/files.ts';
import { noBucket } from '../lib/downloads/s3-downloads.ts';
import { downloadsVariable } from '../lib/downloads/types.ts';
import { mergeAccess, type TableName, tableNameIn, tables } from '../lib/dynamodb/tables.ts';
import { versionVariable } from '../lib/http/client-version.ts';
import { ownApiVariable } from '../lib/http/own-api.ts';
import { uploadVariables } from '../lib/http/sign-in.ts';
import { loopbackVariable } from '../lib/network/network.ts';
import { modelsVariable } from '../lib/runtime/models.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import manifest from '../package.json' with { type: 'json' };
import { commandOf } from './aws/tools.ts';
import { readDevFile } from './local/dev-file.ts';
import { killWithUs, localCredentials, SetupError } from './local/dynamodb.ts';
import { basePath } from './local/gateway.ts';
import { localModelVariables } from './local/judge.ts';
import { localSecretsKey } from './local/machine-key.ts';
import { mustBeFree, portFrom } from './local/port.ts';
import { devPrefix } from './local/service.ts';
import { onStop } from './local/stop.ts';
import { commitOf } from './shared/commit.ts';
import { readOptions, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

/** The host's name in a container. On Linux, --add-host defines it. */
const host = 'host.docker.internal';

type Parts = {
  /** @returns the path of SAM's command */
  sam(): string;
  /** Writes the template and the functions' code to a folder. @returns the template's path */
  prepare(folder: string): Promise<string>;
};

/**
 * Writes the template and the variables, and runs SAM until it ends or a signal stops it.
 * @throws SetupError if the port is in use, or if `npm run dev` or Docker does not run
 */
export async function serve(parts: Parts): Promise<void> {
  const port = portFrom({ ...process.env, PORT: process.env.PORT || '3001' });
  const started: { sam?: ChildProcess } = {};
  onStop(() => (started.sam ? started.sam.kill('SIGINT') : process.exit(0)));
  await mustBeFree(port, 'npm run sam');
  const dev = readDevFile();
  if (!dev)
    throw new SetupError('Start npm run dev first, in another terminal: npm run sam uses its tables.');
  requireDocker();
  const command = parts.sam();
  const folder = resolve(root, `.local/sam/${port}`);
  mkdirSync(folder, { recursive: true });
  const template = await parts.prepare(folder);
  const variables = resolve(folder, 'env.json');
  const own = environment(new URL(dev.dynamodbEndpoint).port, localSecretsKey(), port);
  writeFileSync(variables, JSON.stringify(own, null, 2));
  console.log(`
  Base URL      http://127.0.0.1:${port}${basePath}
  Keys          those of npm run dev, in .local/dev.json

  Each function starts its container with its first request. Stop with Ctrl+C.
`);
  const settings = ['--template', template, '--env-vars', variables, '--port', String(port)];
  const child = spawn(
    command,
    ['local', 'start-api', ...settings, '--add-host', `${host}:host-gateway`, '--warm-containers', 'LAZY'],
    {
      // In its own process group: Ctrl+C goes to the terminal's whole group, and a second SIGINT would stop SAM while it
      // removes its containers.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: samEnvironment(process.env),
    },
  );
  started.sam = child;
  const watcher = killWithUs(child, 'SIGINT');
  const code = await new Promise<number | null>((done, reject) => {
    child.once('exit', done);
    child.once('error', reject);
  });
  watcher?.kill();
  process.exit(child.killed ? 0 : code || 1);
}

/** @throws SetupError if no Docker engine responds */
function requireDocker(): void {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore' });
  } catch {
    throw new SetupError(
      'Docker is missing or not running. Install and start it, or use npm run dev, which does not need it.',
    );
  }
}

/** SAM passes its region and credentials to the functions, so it gets credentials that do not work on AWS. */
function samEnvironment({ AWS_PROFILE, AWS_SESSION_TOKEN, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...localCredentials, SAM_CLI_TELEMETRY: '0' };
}

/** @throws SetupError if SAM is missing and cannot be installed */
function installedSam(): string {
  try {
    return commandOf('sam');
  } catch {
    throw new SetupError('SAM could not be installed. That needs Python 3.11 with venv, and access to PyPI.');
  }
}

/** Variables that only SAM's template declares, for each function. */
export const localVariables: readonly string[] = [
  'AWS_ENDPOINT_URL_DYNAMODB',
  loopbackVariable,
  modelsVariable,
];

/**
 * The environment variables that `sam local` sets in all functions. It passes on only those that the template declares,
 * and adds region and credentials itself. The names of the tables are real; in the template they are unresolved
 * references.
 */
export function environment(
  dynamodbPort: string,
  secretsKey: string,
  port: number,
): { Parameters: Record<string, string> } {
  // The template has no workers, so it declares no variable of a table that only they use.
  const used = Object.keys(mergeAccess(...endpoints.map(({ access }) => access))) as TableName[];
  return {
    Parameters: {
      ...Object.fromEntries(used.map((table) => [tables[table].variable, tableNameIn(devPrefix, table)])),
      AWS_ENDPOINT_URL_DYNAMODB: `http://${host}:${dynamodbPort}`,
      IDEMPOTENCY_HOURS: '24',
      COMMIT: commitOf(root),
      // There is no bucket: workers write into the files of npm run dev, and links lead nowhere.
      [filesVariable]: 'no-bucket',
      ...uploadVariables('https://no-bucket.invalid'),
      // The functions of the downloads then have only the files of their own release.
      [downloadsVariable]: noBucket,
      // Its own address, from within a container.
      [ownApiVariable]: `http://${host}:${port}${basePath}`,
      [versionVariable]: manifest.version,
      [secretsKeyVariable]: secretsKey,
      [loopbackVariable]: 'true',
      // The workers of npm run dev ask the model.
      ...localModelVariables(),
    },
  };
}

/** Reports problems that the user can fix in one sentence. */
export function fail(error: unknown): never {
  const plain = error instanceof SetupError || error instanceof UsageError;
  console.error(plain ? error.message : error);
  process.exit(1);
}

if (import.meta.main) {
  try {
    readOptions({}, 'Usage: [PORT=3002] npm run sam');
  } catch (error) {
    fail(error);
  }
  serve({
    sam: installedSam,
    async prepare(folder) {
      // CDK takes seconds to load, so port and Docker are checked first.
      const [{ bundle }, { synthesiseForSam }] = await Promise.all([
        import('./bundle/bundle.ts'),
        import('../infra/sam.ts'),
      ]);
      // The containers have this machine's processor.
      await bundle(`linux/${process.arch}`);
      return synthesiseForSam(resolve(folder, 'cdk.out'), localVariables);
    },
  }).catch(fail);
}
