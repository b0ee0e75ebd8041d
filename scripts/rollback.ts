/**
 * `npm run rollback`: lets callers use the previous versions of a stage's functions. It takes seconds, because nothing is
 * deployed. Run by the operator, with AWS credentials.
 *
 *   npm run rollback                                              the versions from before the last deploy of the stage dev
 *   npm run rollback -- --stage prod --before 2026-03-01T09:30Z   those from before this time
 *   npm run rollback -- --stage prod --newest                     the newest versions, after a fixed release
 *
 * Repeating it changes nothing more, so it may be interrupted.
 */

import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  type FunctionConfiguration,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { stackName } from '../infra/names.ts';
import { inBatches } from '../lib/base/batches.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, readTime, runCommand, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run rollback -- [--stage NAME] [--before TIME | --newest]';
const functionsAtOnce = 8;

type Version = Pick<FunctionConfiguration, 'Version' | 'LastModified'>;

/**
 * @param beforeMs epoch milliseconds
 * @returns the newest of the numbered versions that were published before this time, if there is one
 */
export function newestBefore(versions: readonly Version[], beforeMs: number): string | undefined {
  const numbers = versions
    .filter(({ LastModified = '' }) => Date.parse(LastModified) < beforeMs)
    // `$LATEST` is not a published version.
    .map(({ Version }) => Number(Version))
    .filter(Number.isInteger);
  return numbers.length === 0 ? undefined : String(Math.max(...numbers));
}

/** @returns the names of all functions in a stack and the stacks nested in it */
async function functionsIn(client: CloudFormationClient, StackName: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries) {
      if (ResourceType === 'AWS::Lambda::Function') names.push(PhysicalResourceId);
      if (ResourceType === 'AWS::CloudFormation::Stack')
        names.push(...(await functionsIn(client, PhysicalResourceId)));
    }
  }
  return names;
}

async function versionsOf(client: LambdaClient, FunctionName: string): Promise<Version[]> {
  const versions: Version[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName })) {
    versions.push(...(page.Versions ?? []));
  }
  return versions;
}

/** @returns when the last deploy began, in epoch milliseconds */
async function lastDeployMs(client: CloudFormationClient, StackName: string): Promise<number> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
  const updated = Stacks?.[0]?.LastUpdatedTime;
  if (!updated) throw new UsageError(`${StackName} was deployed only once: there is no previous release.`);
  return updated.getTime();
}

type Options = { stage: string; beforeMs: number | undefined };

/** @param print gets a line per function */
async function rollBack({ stage, ...given }: Options, print: (line: string) => void): Promise<void> {
  const [formation, lambda] = [new CloudFormationClient({}), new LambdaClient({})];
  const stack = stackName(stage);
  const beforeMs = given.beforeMs ?? (await lastDeployMs(formation, stack));
  await inBatches(await functionsIn(formation, stack), functionsAtOnce, async (FunctionName) => {
    const version = newestBefore(await versionsOf(lambda, FunctionName), beforeMs);
    if (version === undefined)
      return print(`${FunctionName} has no version from before that time: it stays as it is`);
    await lambda.send(
      new UpdateAliasCommand({
        FunctionName,
        Name: 'live',
        FunctionVersion: version,
        // Ends a canary deployment.
        RoutingConfig: { AdditionalVersionWeights: {} },
      }),
    );
    print(`${FunctionName} uses version ${version}`);
  });
}

function settings(): Options {
  const string = { type: 'string' } as const;
  const options = { stage: string, before: string, newest: { type: 'boolean' } } as const;
  const { stage = 'dev', before, newest = false } = readOptions(options, usage);
  if (newest && before !== undefined) throw new UsageError(usage);
  if (newest) return { stage, beforeMs: Number.POSITIVE_INFINITY };
  return { stage, beforeMs: before === undefined ? undefined : readTime('--before', before, usage) };
}

if (import.meta.main) await runCommand(() => rollBack(settings(), console.log), explainMistake);
