import { NestedStack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

type Props = {
  aliases: readonly Alias[];
  background: readonly (Construct & { live: Alias })[];
  /** Each of them stops a deployment. */
  alarms: readonly IAlarm[];
};

/**
 * CodeDeploy shifts the alias of each function: a tenth of the calls go to the new version, and the rest five minutes
 * later. If an alarm is on meanwhile, the alias goes back and the deployment fails ("Deploying serverless applications
 * gradually with AWS SAM", AWS SAM Developer Guide).
 */
export class Canary extends Construct {
  /**
   * @param aliases those of endpoints: each deployment group is beside its alias, in the stack of its family
   * @param background the other functions. Their deployment groups have a stack of their own, because a stack has at most 500
   *   resources
   */
  constructor(scope: Construct, id: string, { aliases, background, alarms }: Props) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      description: 'Shifts the aliases of the functions to new versions',
    });
    const addGroup = (parent: Construct, groupId: string, alias: Alias) =>
      new LambdaDeploymentGroup(parent, groupId, {
        application,
        role,
        alias,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    for (const alias of aliases) addGroup(alias, 'Canary', alias);
    const groups = new NestedStack(this, 'Background', {
      description: 'Deployment groups of the workers, the dispatcher and the scheduler',
    });
    for (const { node, live } of background) addGroup(groups, node.id, live);
  }
}
