import { Duration } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { oidcVariables } from '../lib/credentials/oidc-settings.ts';
import { type Access, tables as definitions, type TableName } from '../lib/dynamodb/tables.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { newLogGroup } from './log-group.ts';
import type { Tables } from './tables.ts';

type Props = { endpoint: Endpoint; tables: Tables; config: StageConfig };

/** The function of an endpoint. It has the declared permissions on tables, and may write its own log. */
export class EndpointFunction extends Construct {
  readonly handler: LambdaFunction;

  constructor(scope: Construct, id: string, { endpoint, tables, config }: Props) {
    super(scope, id);
    const logGroup = newLogGroup(this, 'Log', config);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Permissions of ${endpoint.id}`,
      inlinePolicies: {
        log: new PolicyDocument({
          statements: [
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
        ...(accessOf(endpoint.access).length > 0 && { tables: tablePolicy(endpoint.access, tables) }),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(functionFolder(endpoint)),
      // CPU is proportional to memory. This is half a core, which a cold start uses.
      memorySize: 1024,
      // A request makes three sequential calls, each with three attempts of three seconds. They end before this
      // timeout, and this one before the gateway's 29 seconds. `waitSeconds` is at most 20.
      timeout: Duration.seconds(28),
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: {
        ...tableVariables(endpoint.access, tables),
        ...tokenVariables(endpoint, config),
        ...metricsVariables(config),
        IDEMPOTENCY_HOURS: String(config.idempotencyHours),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
  }
}

/** X-Ray has no resource-level permissions ("Actions, resources, and condition keys for AWS X-Ray"). */
export const tracingPolicy = () =>
  new PolicyDocument({
    statements: [
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
        resources: ['*'],
      }),
    ],
  });

export function tablePolicy(access: Access, tables: Tables): PolicyDocument {
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

export const tableVariables = (access: Access, tables: Tables): Record<string, string> =>
  Object.fromEntries(
    accessOf(access).map(([table]) => [definitions[table].variable, tables.of(table).tableName]),
  );

/** `STAGE` names the metrics' namespace. Without it, log lines have no metrics. */
export const metricsVariables = ({ monitoring, stage }: StageConfig): Record<string, string> =>
  monitoring ? { STAGE: stage } : {};

const accessOf = (access: Access) => Object.entries(access) as [TableName, readonly string[]][];

const tokenVariables = ({ auth }: Endpoint, { accessTokens }: StageConfig): Record<string, string> =>
  auth === 'public' || !accessTokens ? {} : oidcVariables(accessTokens);
