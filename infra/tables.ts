import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import {
  outputName,
  partitionKey,
  sortKey,
  type TableName,
  tableNames,
  tables,
  ttlAttribute,
} from '../lib/dynamodb/tables.ts';
import type { StageConfig } from './config.ts';

/** The tables of lib/dynamodb/tables.ts, on demand. The stage decides what happens to their data. */
export class Tables extends Construct {
  private readonly made: Readonly<Record<TableName, TableV2>>;

  constructor(scope: Construct, id: string, config: StageConfig['tables']) {
    super(scope, id);
    const made = tableNames.map((table) => [table, this.make(table, config)] as const);
    this.made = Object.fromEntries(made) as Record<TableName, TableV2>;
    for (const table of tableNames) {
      const output = new CfnOutput(this, `${table}Name`, { value: this.made[table].tableName });
      output.overrideLogicalId(outputName(tables[table].variable));
    }
  }

  of(table: TableName): TableV2 {
    return this.made[table];
  }

  private make(table: TableName, config: StageConfig['tables']): TableV2 {
    return new TableV2(this, table, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey, type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: ttlAttribute,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: config.pointInTimeRecovery,
      },
      deletionProtection: config.deletionProtection,
      removalPolicy: config.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(tables[table].stream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    });
  }
}
