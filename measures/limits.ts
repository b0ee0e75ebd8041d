/** How close the stacks are to AWS's limits: counted in the templates, for the table in docs/capacity.md. */

import { endpoints } from '../functions/index.ts';
import { table } from '../scripts/shared/markdown.ts';
import { type Resource, type Synthesised, stacksOf } from './stacks.ts';

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

/**
 * @param endpoints how many, if not those that there are
 * @returns the limits of a stage's stacks, and of an account that contains only this stage
 */
export function limitsOf(stage: string, endpoints?: number): Limit[] {
  const stacks = stacksOf(stage, endpoints);
  const { resources, templates } = stacks;
  const ofType = (type: string) => stacks.ofType(type);
  const count = (type: string) => ofType(type).length;
  const largest = (type: string, property: string) =>
    Math.max(0, ...ofType(type).map(({ Properties }) => JSON.stringify(Properties[property] ?? '').length));
  const inStack = (part: 'Resources' | 'Outputs' | 'Parameters') =>
    Math.max(...[...templates.values()].map((template) => Object.keys(template[part] ?? {}).length));
  const bytes = [...templates.values()].map((template) => JSON.stringify(template).length);
  const split = 'divide the family of endpoints (infra/family-stack.ts)';
  const rows: Omit<Limit, 'enforced'>[] = [
    { what: 'resources in the largest stack', is: inStack('Resources'), atMost: 500, advice: split },
    { what: 'outputs of one stack', is: inStack('Outputs'), atMost: 200, advice: split },
    { what: 'parameters of one stack', is: inStack('Parameters'), atMost: 200, advice: split },
    { what: 'largest template', is: kilobytes(Math.max(...bytes)), atMost: 1000, unit: ' KB', advice: split },
    {
      what: 'resources (path parts) in the API',
      is: count('AWS::ApiGateway::Resource'),
      atMost: 300,
      advice: 'ask AWS to raise the quota "Resources per API"',
    },
    { what: 'stacks in the account', is: templates.size, atMost: 2000, advice: 'ask AWS' },
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
      is: count('AWS::DynamoDB::Table'),
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
      is: mostReaders(stacks),
      atMost: 2,
      enforced: false,
      advice: 'give the dispatcher more work instead of another reader',
    },
  ];
}

/** A size that the API may reach. */
export const many = 200;

/** Needs the functions' bundles. @returns the table of docs/capacity.md */
export function limitTable(): string {
  const grown = limitsOf('prod', many);
  return table(
    ['what', `${endpoints.length} endpoints`, `${many} endpoints`, 'AWS allows', 'before you reach it'],
    limitsOf('prod').map(({ what, is, atMost, unit = '', enforced, advice }, index) => [
      what,
      `${is}${unit}`,
      `${grown[index]?.is}${unit}`,
      `${atMost}${unit}${enforced ? '' : ' (recommended)'}`,
      advice,
    ]),
  );
}

const kilobytes = (bytes: number) => Math.round(bytes / 1000);

/** The number of event sources of the stream that has the most. */
function mostReaders(stacks: Synthesised): number {
  const sources = stacks
    .ofType('AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => JSON.stringify(Properties.EventSourceArn))
    .filter((source) => source.includes('Stream"'));
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
    throw new Error('unknown firewall rule: add its capacity units to measures/limits.ts');
  return units;
}

const webAclUnits = (resources: readonly Resource[]): number =>
  resources
    .filter(({ Type }) => Type === 'AWS::WAFv2::WebACL')
    .flatMap(({ Properties }) => (Properties.Rules ?? []) as { Statement: Statement }[])
    .reduce((sum, rule) => sum + unitsOf(rule.Statement), 0);

/** Needs the functions' bundles. @returns the resources and the sizes of the stacks, by number of endpoints */
export function stackTable(): string {
  const sizes = [endpoints.length, many].map((count) => {
    const { templates } = stacksOf('prod', count);
    return new Map(
      [...templates].map(([name, template]) => [
        name,
        [Object.keys(template.Resources ?? {}).length, Math.ceil(JSON.stringify(template).length / 1000)],
      ]),
    );
  });
  const [now, grown] = sizes;
  const shown = (size: number[] | undefined) => (size ? `${size[0]}, ${size[1]} KB` : '');
  const others = [...(grown?.keys() ?? [])].filter((name) => !now?.has(name));
  const rows = [...(now ?? [])].map(([name, size]) => [`\`${name}\``, shown(size), shown(grown?.get(name))]);
  const largest = others
    .map((name) => grown?.get(name))
    .sort((a = [], b = []) => (b[0] ?? 0) - (a[0] ?? 0))[0];
  return table(
    ['stack', `${endpoints.length} endpoints`, `${many} endpoints`],
    [...rows, [`${others.length} others, the largest`, '', shown(largest)]],
  );
}
