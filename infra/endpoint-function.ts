import { Duration } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { oidcVariables } from '../lib/credentials/oidc-settings.ts';
import { type Access, tables as definitions, type TableName } from '../lib/dynamodb/tables.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import type { StageConfig } from './config.ts';
import { byName, liveAlias, versionOptions } from './live-alias.ts';
import { jsonLog } from './log-group.ts';
import { functionName } from './names.ts';
import type { StageTables } from './tables.ts';

type Props = {
  endpoint: Endpoint;
  /** The folder of the bundle. */
  folder: string;
  tables: StageTables;
  logGroup: LogGroup;
  config: StageConfig;
};

/** The function of an endpoint. It has the declared permissions on tables, and may write to the endpoints' log. */
export class EndpointFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly live: Alias;

  constructor(scope: Construct, id: string, { endpoint, folder, tables, logGroup, config }: Props) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Permissions of ${endpoint.id}`,
      inlinePolicies: {
        log: logPolicy(logGroup),
        ...(accessOf(endpoint.access).length > 0 && { tables: tablePolicy(endpoint.access, tables) }),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      functionName: functionName(config.stage, endpoint.id),
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(folder),
      // CPU is proportional to memory. This is half a core, which a cold start uses.
      memorySize: 1024,
      // A request makes three sequential calls, each with three attempts of three seconds. They end before this
      // timeout, and this one before the gateway's 29 seconds. `waitSeconds` is at most 20.
      timeout: Duration.seconds(28),
      role: byName(role),
      ...jsonLog(logGroup),
      environment: {
        ...tableVariables(endpoint.access, tables),
        ...tokenVariables(endpoint, config),
        ...metricsVariables(config),
        IDEMPOTENCY_HOURS: String(config.idempotencyHours),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      currentVersionOptions: versionOptions,
    });
    this.live = liveAlias(this.handler);
  }
}

export const allow = (actions: string[], resources: string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [new PolicyStatement({ effect: Effect.ALLOW, actions, resources })],
  });

export const logPolicy = ({ logGroupArn }: LogGroup): PolicyDocument =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroupArn]);

/** X-Ray has no resource-level permissions ("Actions, resources, and condition keys for AWS X-Ray"). */
export const tracingPolicy = () => allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);

export function tablePolicy(access: Access, tables: StageTables): PolicyDocument {
  const statements = accessOf(access).map(
    ([table, actions]) =>
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [tables.of(table).tableArn],
      }),
  );
  return new PolicyDocument({ statements });
}

export const tableVariables = (access: Access, tables: StageTables): Record<string, string> =>
  Object.fromEntries(
    accessOf(access).map(([table]) => [definitions[table].variable, tables.of(table).tableName]),
  );

/** `STAGE` names the metrics' namespace. Without it, log lines have no metrics. */
export const metricsVariables = ({ monitoring, stage }: StageConfig): Record<string, string> =>
  monitoring ? { STAGE: stage } : {};

const accessOf = (access: Access) => Object.entries(access) as [TableName, readonly string[]][];

const tokenVariables = ({ auth }: Endpoint, { accessTokens }: StageConfig): Record<string, string> =>
  auth === 'public' || !accessTokens ? {} : oidcVariables(accessTokens);
