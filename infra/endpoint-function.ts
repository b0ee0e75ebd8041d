import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import consolePage from '../functions/console/page.ts';
import { limitsVariable } from '../lib/base/stage-limits.ts';
import { versionVariable } from '../lib/base/version.ts';
import { oidcVariables } from '../lib/credentials/oidc-issuers.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { ownApiVariable } from '../lib/http/own-api.ts';
import { signInVariables, uploadVariables } from '../lib/http/sign-in.ts';
import { streamTimeoutSeconds } from '../lib/http/stream-times.ts';
import manifest from '../package.json' with { type: 'json' };
import type { StageConfig } from './config.ts';
import { downloadsPolicy, downloadsVariables } from './downloads.ts';
import { filesOrigin, filesPolicy, filesVariables } from './files.ts';
import { modelsFiles, modelsVariables } from './models.ts';
import { secretsVariables, useSecretsKey } from './secrets-key.ts';
import { accessOf, ServiceFunction, tablePolicy, tableVariables } from './service-function.ts';
import { signInOf } from './settings.ts';
import type { StageTables } from './tables.ts';

type Props = {
  endpoint: Endpoint;
  /** The folder of the bundle. */
  folder: string;
  tables: StageTables;
  logGroup: LogGroup;
  /** The base URL of the API, for a function that forwards. */
  ownUrl: string;
  config: StageConfig;
};

/** The function of an endpoint, with the declared permissions on tables. */
export class EndpointFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { endpoint, folder, tables, logGroup, ownUrl, config }: Props) {
    super(scope, id, {
      name: endpoint.id,
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      folder,
      files: modelsFiles(endpoint, config),
      memoryMb: endpoint.memoryMb,
      // A request makes three sequential calls, each with three attempts of three seconds. The calls end before this timeout,
      // and this timeout ends before the gateway's 29 seconds. `waitSeconds` is at most 20.
      // A stream may take longer: the gateway's limit for it is 15 minutes, with at most 5 minutes between two chunks.
      timeoutSeconds: endpoint.raw === 'events' ? streamTimeoutSeconds : 28,
      policies: {
        ...(accessOf(endpoint.access).length > 0 && { tables: tablePolicy(endpoint.access, tables) }),
        ...filesPolicy(endpoint.files, config.stage),
        ...downloadsPolicy(endpoint, config.stage),
        ...(endpoint.encrypts && { secrets: useSecretsKey('kms:Encrypt', config) }),
      },
      environment: {
        ...tableVariables(endpoint.access, tables),
        ...filesVariables(endpoint.files, config.stage),
        ...downloadsVariables(endpoint, config.stage),
        ...tokenVariables(endpoint, config),
        ...limitVariables(endpoint, config),
        ...consoleVariables(endpoint, config),
        ...(endpoint.forwards && { [ownApiVariable]: ownUrl }),
        ...(endpoint.encrypts && secretsVariables(config)),
        ...modelsVariables(endpoint, config),
        IDEMPOTENCY_HOURS: String(config.idempotencyHours),
        [versionVariable]: manifest.version,
      },
      logGroup,
      config,
    });
  }
}

const limitVariables = ({ auth }: Endpoint, { limits }: StageConfig): Record<string, string> =>
  auth === 'public' ? {} : { [limitsVariable]: JSON.stringify(limits) };

const consoleVariables = ({ id }: Endpoint, config: StageConfig): Record<string, string> => {
  if (id !== consolePage.id) return {};
  const signIn = signInOf(config);
  return { ...uploadVariables(filesOrigin(config.stage)), ...(signIn && signInVariables(signIn)) };
};

const tokenVariables = ({ auth }: Endpoint, { accessTokens }: StageConfig): Record<string, string> =>
  auth === 'public' ? {} : oidcVariables(accessTokens);
