/**
 * `npm run sam`: the functions in Lambda's own containers, by `sam local start-api`. They use the tables, the workers and the keys of
 * `npm run dev`, which must run. Needs Docker and Python 3.11.
 *
 *   PORT=3002                another port than 3001
 *   SAM_SKIP_PULL_IMAGE=1    use the image that is there
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { filesVariable } from '../lib/base/files.ts';
import { noBucket } from '../lib/downloads/s3-downloads.ts';
import { downloadsVariable } from '../lib/downloads/types.ts';
import { tableNameIn, tableNames, tables } from '../lib/dynamodb/tables.ts';
import { ownApiVariable } from '../lib/http/own-api.ts';
import { uploadVariables } from '../lib/http/sign-in.ts';
import { loopbackVariable } from '../lib/network/network.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import { readDevFile } from './local/dev-file.ts';
import { killWithUs, localCredentials } from './local/dynamodb.ts';
import { basePath } from './local/gateway.ts';
import { localSecretsKey } from './local/machine-key.ts';
import { localModelVariables } from './local/models.ts';
import { mustBeFree, portFrom } from './local/port.ts';
import { devPrefix } from './local/service.ts';
import { onStop } from './local/stop.ts';
import { commitOf } from './shared/commit.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';
import { commandOf } from './shared/tools.ts';

/** The host's name in a container. On Linux, --add-host defines it. */
const host = 'host.docker.internal';

type Variables = Readonly<Record<string, string>>;

/** @returns what each function has in its environment, besides what the template says */
export const environment = (dynamodbPort: string, secretsKey: string, port: number): Variables => ({
  ...Object.fromEntries(tableNames.map((table) => [tables[table].variable, tableNameIn(devPrefix, table)])),
  AWS_ENDPOINT_URL_DYNAMODB: `http://${host}:${dynamodbPort}`,
  COMMIT: commitOf(root),
  // There is no bucket: workers write into the files of npm run dev, and links lead nowhere.
  [filesVariable]: noBucket,
  ...uploadVariables('https://no-bucket.invalid'),
  // The functions of the downloads then have only the files of their own release.
  [downloadsVariable]: noBucket,
  // The address of the API, from within a container.
  [ownApiVariable]: `http://${host}:${port}${basePath}`,
  [secretsKeyVariable]: secretsKey,
  [loopbackVariable]: 'true',
  // The workers of npm run dev ask the models.
  ...localModelVariables(process.env),
});

/**
 * Writes the template, and runs SAM until it ends or a signal stops it.
 * @param sam returns the path of SAM's command
 * @param prepare writes the template and the functions' code to a folder, and returns the template's path
 * @throws UsageError if the port is in use, or if `npm run dev` or Docker does not run
 */
export async function serve(
  sam: () => string,
  prepare: (folder: string, variables: Variables) => Promise<string>,
): Promise<void> {
  const port = portFrom({ PORT: process.env.PORT || '3001' });
  let child: ChildProcess | undefined;
  onStop(() => (child ? child.kill('SIGINT') : process.exit(0)));
  await mustBeFree(port, 'npm run sam');
  const dev = readDevFile();
  if (!dev)
    throw new UsageError('Start npm run dev first, in another terminal: npm run sam uses its tables.');
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0)
    throw new UsageError('Docker is missing or not running. npm run dev does not need it.');
  const command = sam();
  const variables = environment(new URL(dev.dynamodbEndpoint).port, localSecretsKey(), port);
  const template = await prepare(resolve(root, `.local/sam/${port}`), variables);
  console.log(`
  Base URL      http://127.0.0.1:${port}${basePath}
  Keys          those of npm run dev, in .local/dev.json

  Each function starts its container with its first request. Stop with Ctrl+C.
`);
  // SAM passes its region and credentials to the functions, and a variable of its own in place of the template's.
  const { AWS_PROFILE, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL_DYNAMODB, ...others } = process.env;
  const options = ['--template', template, '--port', `${port}`, '--add-host', `${host}:host-gateway`];
  child = spawn(command, ['local', 'start-api', ...options, '--warm-containers', 'LAZY'], {
    // SAM has a process group of its own: Ctrl+C goes to the terminal's whole group, and a second SIGINT would stop SAM while it
    // removes its containers.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...others, ...localCredentials, SAM_CLI_TELEMETRY: '0' },
  });
  const watcher = killWithUs(child, 'SIGINT');
  const [code] = await once(child, 'exit');
  watcher?.kill();
  process.exit(child.killed ? 0 : code || 1);
}

if (import.meta.main)
  await runCommand(() => {
    readOptions({}, 'Usage: [PORT=3002] npm run sam');
    return serve(
      () => commandOf('sam'),
      async (folder, variables) => {
        // CDK takes seconds to load, so port and Docker are checked first. The containers have this machine's processor.
        const { bundle } = await import('./bundle/bundle.ts');
        await bundle(`linux/${process.arch}`);
        const { synthesiseForSam } = await import('../infra/sam.ts');
        return synthesiseForSam(resolve(folder, 'cdk.out'), variables);
      },
    );
  });
