/**
 * `npm run dev`: the service on this machine.
 *
 *   PORT=3001        another port than 3000
 *   -- --persist     keep the data in .local/dynamodb, and files in .local/files
 *   PLATFORM_MODEL_URL=http://127.0.0.1:11434/v1 PLATFORM_MODEL=llama3.2    a model that answers, over OpenAI's chat completions;
 *                    PLATFORM_MODEL_KEY is its key
 */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Mode } from '../lib/base/caller.ts';
import { ApiError } from '../lib/base/errors.ts';
import { bootstrapOrganisation, bootstrapRootKey } from '../lib/credentials/bootstrap.ts';
import { oidcVariables } from '../lib/credentials/oidc-issuers.ts';
import { renderError } from '../lib/http/errors.ts';
import { ownApiVariable } from '../lib/http/own-api.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import { signInVariables } from '../lib/http/sign-in.ts';
import { slowingWrites } from './local/back-pressure.ts';
import { type DevFile, leaveDevFile, readDevFile, writeDevFile, writePrivately } from './local/dev-file.ts';
import { startDynamoDb } from './local/dynamodb.ts';
import type { FeedThread } from './local/feed-thread.ts';
import { answeringLinks, type FolderOptions, folderFiles } from './local/files.ts';
import { basePath, createGateway } from './local/gateway.ts';
import type { LocalClient } from './local/issuer.ts';
import { lockFolder } from './local/lock.ts';
import { startJudge } from './local/model-server.ts';
import { judgeVariables, ownModels } from './local/models.ts';
import { portError, portFrom } from './local/port.ts';
import { createSafeServer } from './local/server.ts';
import { onStop } from './local/stop.ts';
import { ensureDerived } from './openapi/derived.ts';
import { UsageError } from './shared/options.ts';

const dataFolder = resolve('.local/dynamodb');
const keptFiles = resolve('.local/files');

async function main(): Promise<void> {
  const { persist, port } = settings();
  // A mistake in them is found before anything starts.
  ownModels(process.env);
  // The service imports these files.
  await ensureDerived();
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  const gateway: { listener: RequestListener } = { listener: notReady };
  const server = await listen(port, (request, response) => gateway.listener(request, response));

  const running = process.env.AWS_ENDPOINT_URL_DYNAMODB || undefined;
  if (persist) lockFolder(dataFolder);
  const filesFolder = persist ? keptFiles : temporaryFolder();
  const files: FolderOptions = {
    folder: filesFolder,
    origin: new URL(baseUrl).origin,
    secret: randomBytes(32).toString('base64url'),
    nowMs: Date.now,
  };
  const seeded: { organisationId?: string } = {};
  const clients = (['live', 'test'] as const).map((mode) => clientOf(mode, () => seeded.organisationId));
  const application = {
    id: 'console',
    redirectUri: `${baseUrl}/console`,
    claims: () => ({ organisation: seeded.organisationId, mode: 'live' }),
  };
  const [database, issuer, judge] = await Promise.all([
    running ? undefined : startDynamoDb({ path: persist ? dataFolder : undefined }),
    // The issuer is loaded while DynamoDB Local starts, which takes longer.
    import('./local/issuer.ts').then(({ startIssuer }) => startIssuer(clients, application)),
    startJudge(),
  ]);
  const endpoint = running ?? database?.endpoint ?? '';
  let feed: FeedThread | undefined;
  stopOnSignal(server, baseUrl, readDevFile(), async () => {
    // A worker that is interrupted in a long job continues it at the next start.
    await Promise.race([feed?.stop(), sleep(500)]);
    await database?.stop();
  });

  const { devPrefix, openService } = await import('./local/service.ts');
  const { runtime, routes, env } = await openService(
    endpoint,
    devPrefix,
    {
      [ownApiVariable]: baseUrl,
      ...oidcVariables([issuer.settings]),
      ...signInVariables(issuer.signIn(application)),
      ...judgeVariables(judge, process.env),
    },
    folderFiles(files),
  ).catch((error: Error) => {
    if (running)
      throw new UsageError(`No DynamoDB responds at AWS_ENDPOINT_URL_DYNAMODB, ${running} (${error.name}).`);
    if (!persist) throw error;
    throw new UsageError(
      `${dataFolder} cannot be used (DynamoDB Local: ${error.name}). Move it away, or start without ` +
        '--persist.',
    );
  });
  const { startFeedThread } = await import('./local/feed-thread.ts');
  const thread = await startFeedThread({ endpoint, env, filesFolder, isShared: running !== undefined });
  feed = thread;
  const { afterWrites, openDatabasePort } = await import('./local/writes.ts');
  afterWrites(runtime.client, thread.wake);
  const others = running ? undefined : await openDatabasePort(endpoint, () => thread.wake());
  const { organisationId, apiKey, testApiKey } = await seed(runtime, persist);
  seeded.organisationId = organisationId;
  const ready: DevFile = {
    baseUrl,
    apiKey,
    testApiKey,
    dynamodbEndpoint: others?.endpoint ?? endpoint,
    issuer: issuer.settings.issuer,
    ...issuer.ci,
  };
  // A program that gets the first 200 finds the file.
  writeDevFile(ready);
  gateway.listener = answeringLinks(files, slowingWrites(thread.behindMs, createGateway(routes)));
  // One write, before the first line of the log.
  console.log(greeting({ ...ready, tokenEndpoint: issuer.tokenEndpoint, clients }));
  thread.showLog();
}

/** A folder that is removed when this process ends. The files of `--persist` are left alone. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-files-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function settings() {
  const { values } = (() => {
    try {
      return parseArgs({ options: { persist: { type: 'boolean', default: false } } });
    } catch (error) {
      throw new UsageError(
        `${(error as Error).message}. The only option is --persist. The variable PORT sets another port than 3000.`,
      );
    }
  })();
  return { persist: values.persist, port: portFrom(process.env) };
}

function listen(port: number, listener: RequestListener): Promise<Server> {
  return new Promise((done, reject) => {
    const server = createSafeServer(listener);
    server.once('error', (error) => reject(portError(error, port, 'npm run dev')));
    server.listen(port, '127.0.0.1', () => done(server));
  });
}

const notReady: RequestListener = (_request, response) => {
  const result = renderError(new ApiError('service_unavailable'), 'starting');
  response.writeHead(result.statusCode, result.headers as Record<string, string>).end(result.body);
};

/**
 * An organisation with a root key for each mode. With --persist, the data belongs to the organisation of the first
 * start.
 */
async function seed(runtime: Runtime, persist: boolean) {
  const file = resolve(dataFolder, 'organisation.json');
  const known = persist ? readOrganisation(file) : undefined;
  const live =
    (known === undefined ? undefined : await bootstrapRootKey(runtime, known, 'live')) ??
    (await bootstrapOrganisation(runtime, 'Local', 'live'));
  const test = await bootstrapRootKey(runtime, live.organisationId, 'test');
  if (!test) throw new Error('the new organisation does not exist');
  if (persist) writePrivately(file, JSON.stringify({ organisationId: live.organisationId }));
  return { organisationId: live.organisationId, apiKey: live.secret, testApiKey: test.secret };
}

/** The OIDC clients of the seeded organisation. */
const clientOf = (mode: Mode, organisation: () => string | undefined): LocalClient => ({
  id: `local-${mode}`,
  secret: randomBytes(24).toString('base64url'),
  claims: () => ({ organisation: organisation(), mode }),
});

function readOrganisation(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { organisationId?: string }).organisationId;
  } catch {
    return undefined;
  }
}

function stopOnSignal(
  server: Server,
  baseUrl: string,
  previous: DevFile | undefined,
  stopDatabase: () => Promise<void> | undefined,
): void {
  onStop(async () => {
    await leaveDevFile(baseUrl, previous);
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1000).unref();
    await stopDatabase();
    process.exit(0);
  });
}

type Greeting = DevFile & { tokenEndpoint: string; clients: readonly LocalClient[] };

const greeting = ({
  baseUrl,
  apiKey,
  testApiKey,
  tokenEndpoint,
  clients: [live, test],
  ...ready
}: Greeting) => `
  Base URL      ${baseUrl}
  Console       ${baseUrl}/console
  API reference ${baseUrl}/docs
  Root key      ${apiKey}
  Test-mode key ${testApiKey}

  Try it:

  curl ${baseUrl}/projects \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -H 'Idempotency-Key: my-first-project' \\
    -d '{"name":"My first project"}'

  With an access token, of an OIDC issuer that runs beside it (for test mode: -u '${test?.id}:${test?.secret}'):

  TOKEN=$(curl -sS --fail-with-body ${tokenEndpoint} -u '${live?.id}:${live?.secret}' \\
    -d grant_type=client_credentials -d scope=projects:write+api-keys:write | jq -r .access_token)
  curl ${baseUrl}/projects -H "Authorization: Bearer $TOKEN"

  As a job in GitHub Actions, with the tokens of a workload identity whose issuer is ${ready.issuer} (docs/ci.md):

  export ACTIONS_ID_TOKEN_REQUEST_URL='${ready.ACTIONS_ID_TOKEN_REQUEST_URL}'
  export ACTIONS_ID_TOKEN_REQUEST_TOKEN='${ready.ACTIONS_ID_TOKEN_REQUEST_TOKEN}'

  Stop with Ctrl+C. The addresses and the keys are in .local/dev.json too.
`;

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `\n  ${error.message}\n` : error);
  process.exit(1);
});
