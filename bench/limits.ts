/** How close the stacks are to AWS's limits: counted in the templates, for the table in docs/capacity.md. */

import { bundle } from '../scripts/bundle/bundle.ts';
import { workers } from '../workers/index.ts';
import { type Resource, stackOf } from './stack.ts';
import { table } from './statistics.ts';

/** How close a stack is to one of AWS's limits. */
export type Limit = {
  what: string;
  is: number;
  atMost: number;
  /** Written after the figures, such as KB. */
  unit?: string;
  /** Whether AWS enforces it. DynamoDB only recommends a number of readers per shard. */
  enforced: boolean;
  /** What to do before it is reached. */
  advice: string;
};

/** @returns the limits of a stage's stack, and of an account that contains only this stack */
export function limitsOf(stage: string): Limit[] {
  const { resources, templateBytes } = stackOf(stage);
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const count = (type: string) => ofType(type).length;
  const largest = (type: string, property: string) =>
    Math.max(0, ...ofType(type).map(({ Properties }) => JSON.stringify(Properties?.[property] ?? '').length));
  const split = 'split the stack: the API and its functions in one, tables and workers in another';
  const rows: Omit<Limit, 'enforced'>[] = [
    { what: 'resources in the stack', is: resources.length, atMost: 500, advice: split },
    { what: 'template', is: kilobytes(templateBytes), atMost: 1000, unit: ' KB', advice: split },
    {
      what: 'resources (path parts) in the API',
      is: count('AWS::ApiGateway::Resource'),
      atMost: 300,
      advice: 'ask AWS to raise the quota "Resources per API"',
    },
    {
      what: 'roles in the account†',
      is: count('AWS::IAM::Role'),
      atMost: 1000,
      advice: 'ask AWS, or use another account for the stage',
    },
    {
      what: 'policies of one role, in characters†',
      is: largest('AWS::IAM::Role', 'Policies'),
      atMost: 10_240,
      advice: 'use fewer tables in the function',
    },
    {
      what: 'environment of one function, in bytes',
      is: largest('AWS::Lambda::Function', 'Environment'),
      atMost: 4096,
      advice: 'use fewer tables in the function',
    },
    {
      what: 'tables in the account',
      is: count('AWS::DynamoDB::GlobalTable'),
      atMost: 2500,
      advice: 'ask AWS',
    },
    { what: 'alarms in the account†', is: count('AWS::CloudWatch::Alarm'), atMost: 5000, advice: 'ask AWS' },
    {
      what: 'capacity units (WCU) of the web ACL†',
      is: webAclUnits(resources),
      atMost: 1500,
      advice: 'each request costs more above it; 5000 at most',
    },
  ];
  return [
    ...rows.map((row) => ({ ...row, enforced: true })),
    {
      what: 'readers of one stream',
      is: mostReaders(),
      atMost: 2,
      enforced: false,
      advice:
        'let one function read the stream for several workers. More than two readers are throttled, so workers are late; nothing is lost',
    },
  ];
}

export async function limits(): Promise<string> {
  await bundle();
  return limitTable();
}

/** Needs the functions' bundles. @returns the table of docs/capacity.md */
export const limitTable = (): string =>
  table(
    ['what', '`prod`', 'AWS allows', 'before you reach it'],
    limitsOf('prod').map(({ what, is, atMost, unit = '', enforced, advice }) => [
      what,
      `${is}${unit}`,
      `${atMost}${unit}${enforced ? '' : ' (recommended)'}`,
      advice,
    ]),
  );

const kilobytes = (bytes: number) => Math.round(bytes / 1000);

/** The number of workers on the stream that has the most. */
function mostReaders(): number {
  const sources = workers.map(({ source }) => source);
  return Math.max(...sources.map((source) => sources.filter((each) => each === source).length));
}

/** "AWS WAF web ACL capacity units", and the descriptions of AWS's rule groups. */
const groupUnits: Readonly<Record<string, number>> = {
  AWSManagedRulesAmazonIpReputationList: 25,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
  AWSManagedRulesCommonRuleSet: 700,
};

type Statement = {
  RateBasedStatement?: object;
  ManagedRuleGroupStatement?: { Name: string };
  LabelMatchStatement?: object;
  OrStatement?: { Statements: Statement[] };
};

/** @throws Error for an unknown kind of rule */
function unitsOf({
  RateBasedStatement,
  ManagedRuleGroupStatement,
  LabelMatchStatement,
  OrStatement,
}: Statement): number {
  if (RateBasedStatement) return 2;
  if (LabelMatchStatement) return 1;
  if (OrStatement) return OrStatement.Statements.reduce((sum, each) => sum + unitsOf(each), 0);
  const units = groupUnits[ManagedRuleGroupStatement?.Name ?? ''];
  if (units === undefined)
    throw new Error('unknown firewall rule: add its capacity units to bench/limits.ts');
  return units;
}

const webAclUnits = (resources: readonly Resource[]): number =>
  resources
    .filter(({ Type }) => Type === 'AWS::WAFv2::WebACL')
    .flatMap(({ Properties }) => (Properties?.Rules ?? []) as { Statement: Statement }[])
    .reduce((sum, rule) => sum + unitsOf(rule.Statement), 0);
