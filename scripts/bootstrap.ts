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

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Mode } from '../lib/caller.ts';
import { bootstrapOrganisation, bootstrapRootKey } from '../lib/credentials/bootstrap.ts';
import { outputName, tables } from '../lib/dynamodb/tables.ts';
import { createBaseRuntime } from '../lib/runtime/base-runtime.ts';
import { name as nameSchema } from '../lib/schema/text.ts';
import { explainMistake } from './aws/mistakes.ts';
import { readOptions, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run bootstrap -- --org "Acme" | --org-id org_…  [--mode live|test] [--stage NAME]';

async function main(): Promise<void> {
  const { org, orgId, mode, stage } = settings();
  const runtime = createBaseRuntime({ ...(await tableVariables(`PlatformApi-${stage}`)), ...process.env });
  const key =
    orgId === undefined
      ? await bootstrapOrganisation(runtime, org, mode)
      : await bootstrapRootKey(runtime, orgId, mode);
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

/** @returns the variables that name the tables, from the environment or from the stack's outputs */
async function tableVariables(stack: string): Promise<Record<string, string>> {
  const wanted = [tables.organisations.variable, tables.apiKeys.variable];
  if (wanted.every((variable) => process.env[variable])) return {};
  const outputs = await outputsOf(stack);
  return Object.fromEntries(
    wanted.map((variable) => {
      const name = outputs.get(outputName(variable));
      if (!name) throw new UsageError(`The stack ${stack} has no output ${outputName(variable)}.`);
      return [variable, name];
    }),
  );
}

/** @throws UsageError if the stack does not exist */
async function outputsOf(stack: string): Promise<Map<string | undefined, string | undefined>> {
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return new Map(Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  } catch (error) {
    // CloudFormation has no specific error for this.
    if (!(error instanceof Error && error.name === 'ValidationError')) throw error;
    throw new UsageError(
      `The stack ${stack} does not exist in ${await client.config.region()}. Deploy it first (npx cdk ` +
        'deploy), or choose another stage (--stage) or region (AWS_REGION).',
    );
  }
}

main().catch(async (error: unknown) => {
  console.error(error instanceof UsageError ? error.message : ((await explainMistake(error)) ?? error));
  process.exit(1);
});
