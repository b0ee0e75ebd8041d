import { Fn, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { countedRules, refusedLabels } from './firewall-rules.ts';
import { newLogGroup } from './log-group.ts';

type Props = { stage: Stage; config: StageConfig; requestsPerAddress: number };

/**
 * AWS WAF in front of the stage. It refuses what no caller of this API sends: floods and known attackers, by address, and
 * headers and methods that only attacks have. It never refuses because of a body, a query or a path: those carry the
 * texts of the API's users. There AWS's rules count what they find.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, config, requestsPerAddress }: Props) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('Acl'),
      rules: [
        {
          name: 'PerAddress',
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
          visibilityConfig: visible('PerAddress'),
        },
        {
          // Addresses that AWS sees attack others. Not its list of anonymous addresses: that has all hosting providers
          // in it, and this API's callers are servers.
          name: 'Reputation',
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
          },
          visibilityConfig: visible('Reputation'),
        },
        counted('KnownBadInputs', 2, 'AWSManagedRulesKnownBadInputsRuleSet'),
        counted('Common', 3, 'AWSManagedRulesCommonRuleSet'),
        {
          name: 'Refused',
          priority: 4,
          action: { block: {} },
          statement: {
            orStatement: {
              statements: refusedLabels.map((key) => ({ labelMatchStatement: { scope: 'LABEL', key } })),
            },
          },
          visibilityConfig: visible('Refused'),
        },
      ],
      // Also for the requests that WAF samples, which the log's own redaction leaves as they are.
      dataProtectionConfig: {
        dataProtections: [
          { field: { fieldType: 'SINGLE_HEADER', fieldKeys: [...secretHeaders] }, action: 'SUBSTITUTION' },
          { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
          { field: { fieldType: 'BODY' }, action: 'SUBSTITUTION' },
        ],
      },
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
    this.log(acl, config);
  }

  /** The refused requests alone: the others have a line in the access log, and counted ones a metric and samples. */
  private log(acl: CfnWebACL, config: StageConfig): void {
    const stack = Stack.of(this);
    // The prefix is AWS's rule. The end differs for each stack of this name: the log of a deleted one may still be there.
    const unique = Fn.select(4, Fn.split('-', Fn.select(2, Fn.split('/', stack.stackId))));
    const logGroupName = `aws-waf-logs-platform-api-${config.stage}-${unique}`;
    const group = newLogGroup(this, 'Log', config, logGroupName);
    const logging = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      // Without the `:*` that the group's own ARN ends with: WAF takes none.
      logDestinationConfigs: [stack.formatArn({ service: 'logs', resource: `log-group:${logGroupName}` })],
      redactedFields: [
        ...secretHeaders.map((name) => ({ singleHeader: { Name: name } })),
        { queryString: {} },
      ],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
    logging.node.addDependency(group);
  }
}

const secretHeaders = ['authorization', 'idempotency-key', 'cookie'] as const;

/**
 * A group of AWS's rules that only counts and labels: each rule that we know, so that all of them have their say, and the
 * group as a whole, so that a rule which AWS adds refuses nobody either.
 */
const counted = (
  name: string,
  priority: number,
  group: keyof typeof countedRules,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { count: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name: group,
      ruleActionOverrides: countedRules[group].map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visible(name),
});

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
  metricName,
});
