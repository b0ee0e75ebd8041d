import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { stackName } from './names.ts';

type Props = {
  stage: string;
  backup: NonNullable<StageConfig['backup']>;
  /** The tables that are worth a backup. */
  tableArns: readonly string[];
};

/** The backups run in the quiet hours of Europe. AWS Backup needs time to begin and to finish. */
const daily = Schedule.cron({ hour: '3', minute: '0' });

/**
 * Daily backups of the tables in a vault of the stage, each copied to a vault of another account, which a leaked credential of
 * this account cannot empty. The vault and its key outlive the stack.
 */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { stage, backup, tableArns }: Props) {
    super(scope, id);
    const name = stackName(stage);
    // AWS Backup cannot copy a backup to another account if it is encrypted with a key that AWS manages ("Encryption for
    // backups in AWS Backup", AWS Backup Developer Guide).
    const encryptionKey = new Key(this, 'Key', {
      description: `Backups of ${name}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const backupVault = new BackupVault(this, 'Vault', {
      backupVaultName: name,
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { copyToVaultArn } = backup;
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: name, backupVault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: daily,
        deleteAfter: Duration.days(backup.keepDays),
        ...(copyToVaultArn && {
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copyToVaultArn),
              deleteAfter: Duration.days(backup.copyKeepDays),
            },
          ],
        }),
      }),
    );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      description: `Makes backups of the tables of ${name}`,
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(`service-role/${policyName}`)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policyName}]`,
      reason: 'AWS Backup makes backups with this policy, as AWS documents it.',
    });
    new BackupSelection(this, 'Tables', {
      backupPlan: plan,
      role,
      disableDefaultBackupPolicy: true,
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
    });
  }
}

const policyName = 'AWSBackupServiceRolePolicyForBackup';
