/**
 * `npm run sam`: the functions in Lambda's own containers, by `sam local start-api`, at the same address as `npm run dev`.
 * DynamoDB Local and the workers run beside them. Needs Docker and Python 3.11.
 *
 *   PORT=3001                another port than 3000
 *   SAM_SKIP_PULL_IMAGE=1    use the image that is there
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '../functions/index.ts';
import { filesVariable } from '../lib/base/files.ts';
import { secretsKeyVariable } from '../lib/base/secret-box.ts';
import { defaultLimits, limitsVariable } from '../lib/base/stage-limits.ts';
import { bootstrapOrganisation, bootstrapRootKey } from '../lib/credentials/bootstrap.ts';
import { mergeAccess, type TableName, tableNameIn, tables } from '../lib/dynamodb/tables.ts';
import { loopbackVariable } from '../lib/network/network.ts';
import { commandOf } from './aws/tools.ts';
import { leaveDevFile, readDevFile, writeDevFile } from './local/dev-file.ts';
import { SetupError, startDynamoDb } from './local/dynamodb.ts';
import { startFeedThread } from './local/feed-thread.ts';
import { basePath } from './local/gateway.ts';
import { localSecretsKey } from './local/machine-key.ts';
import { mustBeFree, portFrom } from './local/port.ts';
import { type Sam, startSam } from './local/sam-process.ts';
import { openService } from './local/service.ts';
import { onStop } from './local/stop.ts';
import { commitOf } from './shared/commit.ts';
import { readOptions, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

/** The host's name in a container. On Linux, --add-host defines it. */
const host = 'host.docker.internal';
const prefix = 'sam';

type Parts = {
  /** @returns the path of SAM's command */
  sam(): string;
  /** Writes the template and the functions' code to a folder. @returns the template's path */
  prepare(folder: string): Promise<string>;
};

/**
 * Starts everything, and prints the address and the keys when a function has responded. Ends the process on a signal,
 * and when SAM stops.
 * @throws SetupError if the port is in use, Docker is missing, or SAM does not get ready
 */
export async function serve(parts: Parts): Promise<void> {
  const port = portFrom(process.env);
  await mustBeFree(port, 'npm run sam');
  requireDocker();
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  const previous = readDevFile();
  const started: { sam?: Sam; stopOthers?: () => Promise<void> } = {};
  let stopping: Promise<never> | undefined;
  const stopAll = async (code: number): Promise<never> => {
    await leaveDevFile(baseUrl, previous);
    await started.sam?.stop();
    await started.stopOthers?.();
    process.exit(code);
  };
  /** The first call wins: SAM also stops because this stops it. */
  const stop = (code: number, problem?: string): Promise<never> => {
    if (!stopping && problem) console.error(`\n  ${problem}\n`);
    stopping ??= stopAll(code);
    return stopping;
  };
  onStop(() => stop(0));

  console.log('\n  Starting. The first time takes some minutes, for SAM and its image.\n');
  const command = parts.sam();
  mkdirSync(resolve(root, `.local/sam/${port}`), { recursive: true });
  // Containers are identified by their mounted folders, for which Docker resolves symbolic links.
  const folder = realpathSync(resolve(root, `.local/sam/${port}`));
  const template = await parts.prepare(folder);
  const database = await startDynamoDb();
  started.stopOthers = database.stop;
  const { runtime, env } = await openService(database.endpoint, prefix);
  // SAM has no event sources, so the workers run here.
  const feed = await startFeedThread({
    endpoint: database.endpoint,
    env,
    filesFolder: resolve(root, '.local/files'),
  });
  feed.showLog();
  started.stopOthers = async () => {
    await Promise.race([feed.stop(), sleep(500)]);
    await database.stop();
  };
  const live = await bootstrapOrganisation(runtime, 'Local', 'live');
  const test = await bootstrapRootKey(runtime, live.organisationId, 'test');

  const variables = resolve(folder, 'env.json');
  const own = environment(new URL(database.endpoint).port, localSecretsKey());
  writeFileSync(variables, JSON.stringify(own, null, 2));
  const args = [
    'local',
    'start-api',
    '--template',
    template,
    '--env-vars',
    variables,
    '--port',
    String(port),
  ];
  const sam = startSam({
    command,
    args: [...args, '--add-host', `${host}:host-gateway`, '--warm-containers', 'LAZY'],
    // The key is new, so another service on this port would refuse it.
    probe: { url: `${baseUrl}/api-keys/me`, key: live.secret },
    folder,
  });
  started.sam = sam;
  try {
    await sam.ready;
  } catch (error) {
    return stop(1, (error as Error).message);
  }
  writeDevFile({
    baseUrl,
    apiKey: live.secret,
    testApiKey: test?.secret ?? '',
    dynamodbEndpoint: database.endpoint,
  });
  console.log(`
  Base URL      ${baseUrl}
  Root key      ${live.secret}
  Test-mode key ${test?.secret}

  Each function starts its container with its first request. Stop with Ctrl+C.
  The address and the keys are in .local/dev.json too.
`);
  await sam.ended;
  await stop(1, 'SAM has stopped.');
}

/** @throws SetupError if no Docker engine responds */
function requireDocker(): void {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore' });
  } catch {
    throw new SetupError(
      'Docker is missing or not running. Install and start it, or use npm run dev, which does not need ' +
        'it.',
    );
  }
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
export const localVariables: readonly string[] = ['AWS_ENDPOINT_URL_DYNAMODB', loopbackVariable];

/**
 * The environment variables that `sam local` sets in all functions. It passes on only those that the template declares,
 * and adds region and credentials itself. The names of the tables are real; in the template they are unresolved
 * references.
 */
export function environment(
  dynamodbPort: string,
  secretsKey: string,
): { Parameters: Record<string, string> } {
  // The template has no workers, so it declares no variable of a table that only they use.
  const used = Object.keys(mergeAccess(...endpoints.map(({ access }) => access))) as TableName[];
  return {
    Parameters: {
      ...Object.fromEntries(used.map((table) => [tables[table].variable, tableNameIn(prefix, table)])),
      AWS_ENDPOINT_URL_DYNAMODB: `http://${host}:${dynamodbPort}`,
      IDEMPOTENCY_HOURS: '24',
      COMMIT: commitOf(root),
      // There is no bucket: workers write into .local/files, and links lead nowhere.
      [filesVariable]: 'no-bucket',
      [secretsKeyVariable]: secretsKey,
      [loopbackVariable]: 'true',
      [limitsVariable]: JSON.stringify(defaultLimits),
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
    readOptions({}, 'Usage: [PORT=3001] npm run sam');
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
      await bundle();
      return synthesiseForSam(resolve(folder, 'cdk.out'), localVariables);
    },
  }).catch(fail);
}
