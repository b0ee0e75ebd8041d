import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArnFormat, AssetHashType, DockerImage, Duration } from 'aws-cdk-lib';
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
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { commitVariable, unknownCommit } from '../lib/base/version.ts';
import { type Access, tables as definitions, type TableName } from '../lib/dynamodb/tables.ts';
import type { StageConfig } from './config.ts';
import { byName, liveAlias, versionOptions } from './live-alias.ts';
import { jsonLog } from './log-group.ts';
import { functionName } from './names.ts';
import type { StageTables } from './tables.ts';

type Props = {
  /** The function's name after the stage. */
  name: string;
  description: string;
  /** The folder of the bundle. */
  folder: string;
  /** Further files beside the code, by name. */
  files?: Readonly<Record<string, string>>;
  memoryMb: number;
  timeoutSeconds: number;
  /** Its permissions, besides writing to its log. */
  policies: Readonly<Record<string, PolicyDocument>>;
  environment: Readonly<Record<string, string>>;
  logGroup: LogGroup;
  config: StageConfig;
};

/** A function of the service: its role, its log, its versions, and the alias that callers use. */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly live: Alias;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { name, logGroup, config } = props;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Permissions of ${name}`,
      inlinePolicies: {
        log: allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logArn(logGroup)]),
        ...props.policies,
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      functionName: functionName(config.stage, name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: codeOf(props.folder, props.files),
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      role: byName(role),
      ...jsonLog(logGroup),
      // `STAGE` names the metrics' namespace. Without this variable, log lines have no metrics.
      environment: {
        ...props.environment,
        [commitVariable]: config.commit ?? unknownCommit,
        ...(config.monitoring && { STAGE: config.stage }),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      currentVersionOptions: versionOptions,
    });
    this.live = liveAlias(this.handler);
  }
}

/** @returns the code of a folder, with further files. Their content is part of its hash */
export function codeOf(folder: string, files: Readonly<Record<string, string>> = {}): Code {
  if (Object.keys(files).length === 0) return Code.fromAsset(folder);
  const addFiles = (outputDir: string) => {
    cpSync(folder, outputDir, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(outputDir, name), content);
    return true;
  };
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('none'), local: { tryBundle: addFiles } },
  });
}

export const allow = (actions: string[], resources: string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [new PolicyStatement({ effect: Effect.ALLOW, actions, resources })],
  });

/**
 * The ARN of a log group, built from its name. `cdk deploy --hotswap` would look its own attribute up in the account, for
 * each nested stack.
 */
const logArn = ({ stack, logGroupName }: LogGroup) =>
  stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${logGroupName}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** X-Ray has no resource-level permissions ("Actions, resources, and condition keys for AWS X-Ray"). */
const tracingPolicy = () => allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);

export const sendTo = (queues: readonly IQueue[]): PolicyDocument =>
  allow(
    ['sqs:SendMessage'],
    queues.map(({ queueArn }) => queueArn),
  );

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

export const accessOf = (access: Access) => Object.entries(access) as [TableName, readonly string[]][];
