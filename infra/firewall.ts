import { Fn, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { countedRules, refusedLabels } from './firewall-rules.ts';
import { newLogGroup } from './log-group.ts';

type Props = { stage: Stage; config: StageConfig; requestsPerAddress: number };

/**
 * AWS WAF in front of the stage. It refuses floods and known attackers by address, and headers and methods that only
 * attacks have. It never refuses a request because of its body, query or path, because these contain users' texts. For these
 * parts, rules only count.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, config, requestsPerAddress }: Props) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('Acl'),
      rules: [
        {
          name: 'PerAddress',
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
          visibilityConfig: visibility('PerAddress'),
        },
        {
          // Addresses that AWS has seen attacking. Its list of anonymous addresses is not used: it contains all hosting
          // providers, and this API's callers are servers.
          name: 'Reputation',
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
          },
          visibilityConfig: visibility('Reputation'),
        },
        countingGroup('KnownBadInputs', 2, 'AWSManagedRulesKnownBadInputsRuleSet'),
        countingGroup('Common', 3, 'AWSManagedRulesCommonRuleSet'),
        {
          name: 'Refused',
          priority: 4,
          action: { block: {} },
          statement: {
            orStatement: {
              statements: refusedLabels.map((key) => ({ labelMatchStatement: { scope: 'LABEL', key } })),
            },
          },
          visibilityConfig: visibility('Refused'),
        },
      ],
      // This also covers sampled requests, which the redaction of the log does not cover.
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

  /**
   * Logs only refused requests. All other requests have a line in the access log. Counted requests also have a metric and samples.
   */
  private log(acl: CfnWebACL, config: StageConfig): void {
    const stack = Stack.of(this);
    // AWS requires the prefix. The suffix is unique per stack, because the log of a deleted stack may still exist.
    const unique = Fn.select(4, Fn.split('-', Fn.select(2, Fn.split('/', stack.stackId))));
    const logGroupName = `aws-waf-logs-platform-api-${config.stage}-${unique}`;
    const group = newLogGroup(this, 'Log', config, logGroupName);
    const logging = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      // WAF does not accept the `:*` at the end of the group's ARN.
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
 * A group of AWS's rules that only counts and labels. Every known rule only counts, so that no rule stops the other rules. The
 * group as a whole counts, too, so that a rule that AWS adds refuses nobody.
 */
const countingGroup = (
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
  visibilityConfig: visibility(name),
});

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
  metricName,
});
