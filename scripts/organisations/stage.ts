/** The common code of the operator's commands that make a root key: the tables of a stage, and how the key is shown. */

import { resolve } from 'node:path';
import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { bucketName, stackName } from '../../infra/names.ts';
import type { Mode } from '../../lib/base/caller.ts';
import { type Files, filesVariable, noFiles } from '../../lib/base/files.ts';
import type { RootKey } from '../../lib/credentials/bootstrap.ts';
import { tables, tableVariables } from '../../lib/dynamodb/tables.ts';
import { type BaseRuntime, createBaseRuntime } from '../../lib/runtime/base-runtime.ts';
import type { Variables } from '../../lib/runtime/function-client.ts';
import { s3Files } from '../../lib/runtime/s3-files.ts';
import { name as nameSchema } from '../../lib/schema/text.ts';
import { folderFiles } from '../local/files.ts';
import { UsageError } from '../shared/options.ts';

/** The tables of a deployed stage, or those that the functions' own variables name. */
export function openStage(stage: string): BaseRuntime {
  const env = { ...tableVariables(stackName(stage)), ...process.env };
  return createBaseRuntime(env, {}, filesOf(stage, env));
}

/** The files of a deployed stage, with the operator's credentials; those of the dev server for its tables. */
function filesOf(stage: string, env: Variables): Files {
  let opened: Promise<Files> | undefined;
  const open = async () => {
    const client = new DynamoDBClient({});
    const command = new DescribeTableCommand({ TableName: env[tables.organisations.variable] });
    const [{ Table }, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([
      client.send(command),
      client.config.credentials(),
    ]);
    const [, , , region = '', account = ''] = Table?.TableArn?.split(':') ?? [];
    if (region === 'ddblocal')
      return folderFiles({ folder: resolve('.local/files'), origin: '', secret: '', nowMs: Date.now });
    const credentials = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    };
    const bucket = { [filesVariable]: bucketName(stage, { account, region }) };
    return s3Files(
      { ...env, ...credentials, ...bucket, AWS_REGION: region },
      { nowMs: Date.now, randomFraction: Math.random },
    );
  };
  return {
    ...noFiles,
    async remove(key) {
      opened ??= open();
      await (await opened).remove(key);
    },
  };
}

/** @returns the error of a stage that is not deployed in one sentence, any other error as it is */
export function explainMissingStage(error: unknown, { tableNames }: BaseRuntime): unknown {
  if (!(error instanceof ResourceNotFoundException)) return error;
  return new UsageError(
    `There is no table ${tableNames.organisations} in this account and region. Deploy the stage first ` +
      '(npx cdk deploy --all), or choose another stage (--stage), region (AWS_REGION) or account (AWS_PROFILE).',
  );
}

export function readMode(mode = 'live'): Mode {
  if (mode !== 'live' && mode !== 'test') throw new UsageError('--mode must be live or test.');
  return mode;
}

/** @param from the name that the user gives */
export function readName(text: string, from: string): string {
  // Otherwise it would look like an id that was typed in the wrong place.
  if (/^org_/i.test(text)) throw new UsageError(`${from} must not begin with org_, like an id.`);
  const { data, error } = nameSchema(100).safeParse(text);
  if (data === undefined) throw new UsageError(`${from} ${error?.issues[0]?.message}.`);
  return data;
}

/** Only the key goes to standard output, so that it can be piped into a secret store. */
export function showRootKey({ organisationId, secret }: RootKey): void {
  console.error(`Organisation  ${organisationId}\nRoot key      shown now and never again:`);
  console.log(secret);
}
