/** What the operator's commands that make a root key have in common: the tables of a stage, and how the key is shown. */

import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { stackName } from '../../infra/names.ts';
import type { Mode } from '../../lib/caller.ts';
import type { RootKey } from '../../lib/credentials/bootstrap.ts';
import { tableVariables } from '../../lib/dynamodb/tables.ts';
import { type BaseRuntime, createBaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { name as nameSchema } from '../../lib/schema/text.ts';
import { UsageError } from '../shared/options.ts';

/** The tables of a deployed stage, or those that the functions' own variables name. */
export const openStage = (stage: string): BaseRuntime =>
  createBaseRuntime({ ...tableVariables(stackName(stage)), ...process.env });

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

/** @param from what the user calls it */
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
