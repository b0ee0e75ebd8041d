/**
 * `npm run bootstrap`: the first key, made with the operator's own AWS credentials and printed once.
 *
 *   npm run bootstrap -- --org "Acme"                         a new organisation and its root key
 *   npm run bootstrap -- --org "Acme" --mode test             the same, for test data
 *   npm run bootstrap -- --org-id org_… [--mode live|test]    another root key for an organisation
 *
 * The tables are those of the deployed stage (--stage NAME, dev when left out), or the ones that the functions' own
 * variables name (ORGANISATIONS_TABLE, API_KEYS_TABLE).
 */

import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { stackName } from '../infra/names.ts';
import type { Mode } from '../lib/caller.ts';
import { bootstrapOrganisation, bootstrapRootKey } from '../lib/credentials/bootstrap.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import { createBaseRuntime } from '../lib/runtime/base-runtime.ts';
import { name as nameSchema } from '../lib/schema/text.ts';
import { explainMistake } from './aws/mistakes.ts';
import { readOptions, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run bootstrap -- --org "Acme" | --org-id org_…  [--mode live|test] [--stage NAME]';

async function main(): Promise<void> {
  const { org, orgId, mode, stage } = settings();
  const runtime = createBaseRuntime({ ...tableVariables(stackName(stage)), ...process.env });
  const made =
    orgId === undefined ? bootstrapOrganisation(runtime, org, mode) : bootstrapRootKey(runtime, orgId, mode);
  const key = await made.catch((error: unknown) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new UsageError(
      `There is no table ${runtime.tableNames.organisations} in this account and region. Deploy the stage first ` +
        '(npx cdk deploy --all), or choose another stage (--stage), region (AWS_REGION) or account (AWS_PROFILE).',
    );
  });
  if (!key) throw new UsageError(`The organisation ${orgId} does not exist.`);
  console.error(`Organisation  ${key.organisationId}\nRoot key      shown now and never again:`);
  // Only the key goes to standard output, so that it can be piped into a secret store.
  console.log(key.secret);
}

function settings(): { org: string; orgId: string | undefined; mode: Mode; stage: string } {
  const string = { type: 'string' } as const;
  const options = { org: string, 'org-id': string, mode: string, stage: string };
  const { org, 'org-id': orgId, mode = 'live', stage = 'dev' } = readOptions(options, usage);
  if ((org === undefined) === (orgId === undefined)) throw new UsageError(usage);
  if (mode !== 'live' && mode !== 'test') throw new UsageError('--mode must be live or test.');
  const named = nameSchema(100).safeParse(org ?? 'unused');
  if (!named.success) throw new UsageError(`--org ${named.error.issues[0]?.message}.`);
  return { org: named.data, orgId, mode, stage };
}

main().catch(async (error: unknown) => {
  console.error(error instanceof UsageError ? error.message : ((await explainMistake(error)) ?? error));
  process.exit(1);
});
