import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * CodeDeploy shifts the alias of each function: a tenth of the calls go to the new version, and the rest five minutes
 * later. If an alarm is on meanwhile, the alias goes back and the deployment fails ("Deploying serverless applications
 * gradually with AWS SAM", AWS SAM Developer Guide).
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, aliases: readonly Alias[], alarms: readonly IAlarm[]) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      description: 'Shifts the aliases of the functions to new versions',
    });
    for (const alias of aliases) {
      new LambdaDeploymentGroup(alias, 'Canary', {
        application,
        role,
        alias,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    }
  }
}
