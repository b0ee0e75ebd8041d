/**
 * `npm run sam`: the functions in Lambda's own containers, by `sam local start-api`, at the same address as `npm run dev`.
 * DynamoDB Local runs beside them. Needs Docker.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { synthesiseForSam } from '../infra/sam.ts';
import { bootstrapOrganisation } from '../lib/bootstrap.ts';
import { commandOf } from './aws/tools.ts';
import { bundle } from './bundle.ts';
import { localCredentials, SetupError, startDynamoDb, tableVariables } from './local/dynamodb.ts';
import { basePath } from './local/gateway.ts';
import { openService, startWorkers } from './local/service.ts';
import { root } from './root.ts';

/** The host as a container sees it. On Linux the name is not there by itself: --add-host makes it. */
const host = 'host.docker.internal';
const prefix = 'sam';

async function main(): Promise<void> {
  requireDocker();
  const folder = resolve(root, '.local/sam');
  mkdirSync(folder, { recursive: true });
  await bundle();
  const template = synthesiseForSam(resolve(folder, 'cdk.out'));
  const database = await startDynamoDb();
  const { runtime } = await openService(database.endpoint, prefix);
  // SAM knows no event sources: the workers run here.
  await startWorkers(runtime, database.endpoint);
  const { secret } = await bootstrapOrganisation(runtime, 'Local', 'live');

  const variables = resolve(folder, 'env.json');
  writeFileSync(variables, JSON.stringify(environment(new URL(database.endpoint).port), null, 2));
  const port = process.env.PORT || '3000';
  console.log(`\n  Base URL  http://127.0.0.1:${port}${basePath}\n  Root key  ${secret}\n`);
  const args = ['local', 'start-api', '--template', template, '--env-vars', variables, '--port', port];
  const sam = spawn(
    commandOf('sam'),
    [...args, '--add-host', `${host}:host-gateway`, '--warm-containers', 'LAZY'],
    {
      stdio: 'inherit',
      env: { ...process.env, SAM_CLI_TELEMETRY: '0' },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => sam.kill(signal));
  sam.once('exit', async (code) => {
    await database.stop();
    process.exit(code ?? 0);
  });
}

/** @throws SetupError where no Docker engine answers */
function requireDocker(): void {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore' });
  } catch {
    throw new SetupError(
      'Docker is missing or not running: install and start it, or use npm run dev, which needs none.',
    );
  }
}

/**
 * What `sam local` puts into the functions' environment, by logical id or, as here, for all of them.
 * The names of the tables are those that were made; the template's are references that nothing resolves.
 */
export function environment(dynamodbPort: string): { Parameters: Record<string, string> } {
  return {
    Parameters: {
      ...tableVariables(prefix),
      ...localCredentials,
      AWS_ENDPOINT_URL_DYNAMODB: `http://${host}:${dynamodbPort}`,
      IDEMPOTENCY_HOURS: '24',
    },
  };
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  });
}
