import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from './acknowledgements.ts';
import { Backups } from './backups.ts';
import type { StageConfig } from './config.ts';
import { DataEvents } from './data-events.ts';
import { DownloadsBucket } from './downloads.ts';
import { FilesBucket } from './files.ts';
import { newSecretsKey } from './secrets-key.ts';
import { Tables } from './tables.ts';

type Props = StackProps & { config: StageConfig };

/** Everything that holds data: the tables, their keys, the buckets of files and downloads, and the trail of who read and wrote them. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: Props) {
    super(scope, id, props);
    const { arns: tableArns, arnsWithBackups, key } = new Tables(this, 'Tables', config);
    new FilesBucket(this, 'Files', config, key);
    new DownloadsBucket(this, 'Downloads', config.stage);
    newSecretsKey(this, config);
    if (config.tables.dataEvents) new DataEvents(this, 'DataEvents', { config, tableArns });
    const { stage, backup } = config;
    if (backup) new Backups(this, 'Backups', { stage, backup, tableArns: arnsWithBackups });
    acknowledgeFindings(this, config);
  }
}
