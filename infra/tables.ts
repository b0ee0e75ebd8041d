import { CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import {
  outputName,
  partitionKey,
  sortKey,
  streamOutput,
  type TableDefinition,
  type TableName,
  tableNameIn,
  tableNames,
  tables,
  ttlAttribute,
} from '../lib/dynamodb/tables.ts';
import { acknowledgeNoBackups } from './acknowledgements.ts';
import type { StageConfig } from './config.ts';
import { dataStackName, stackName } from './names.ts';
import { tableKey } from './table-key.ts';

/**
 * The tables of lib/dynamodb/tables.ts, on demand. The stage decides what happens to their data.
 *
 * Their names are fixed. So the other stack needs no reference to them, a table that is replaced keeps its name, and
 * `cdk deploy --import-existing-resources` finds a table that outlived its stack ("Import AWS resources into a
 * CloudFormation stack automatically", CloudFormation User Guide).
 */
export class Tables extends Construct {
  readonly arns: string[] = [];
  /** The ARNs of the tables that are worth a backup. */
  readonly arnsWithBackups: string[] = [];
  /** The key of your own, if the stage has one. */
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.key = tableKey(this, config);
    for (const name of tableNames) {
      const table = this.make(name, config, this.key);
      if (!hasBackups(name)) acknowledgeNoBackups(table);
      this.arns.push(table.tableArn);
      if (hasBackups(name)) this.arnsWithBackups.push(table.tableArn);
      this.output(outputName(tables[name].variable), table.tableName);
      if (table.tableStreamArn) this.output(streamOutput(name), table.tableStreamArn);
    }
  }

  private make(table: TableName, { stage, tables: config }: StageConfig, key: IKey | undefined): Table {
    return new Table(this, table, {
      tableName: tableNameIn(stackName(stage), table),
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: ttlAttribute,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: config.pointInTimeRecovery && hasBackups(table),
      },
      deletionProtection: config.deletionProtection,
      removalPolicy: config.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(key && { encryptionKey: key }),
      ...(tables[table].stream && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    });
  }

  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value }).overrideLogicalId(name);
  }
}

/** Counters of requests are not worth a backup. */
const hasBackups = (table: TableName) => (tables[table] as TableDefinition).backups !== false;

/** The same tables for the stack of the functions, which does not contain them. */
export class StageTables {
  private readonly scope: Construct;
  private readonly config: StageConfig;
  private readonly references = new Map<TableName, ITable>();

  /** @param scope the stack of the functions */
  constructor(scope: Construct, config: StageConfig) {
    this.scope = new Construct(scope, 'Tables');
    this.config = config;
  }

  /**
   * A stream's ARN has the time at which the stream was made, so it is read from the outputs of the other stack.
   * `Fn::GetStackOutput` is a weak reference: a release may remove a table from its stack while this stack still names its
   * stream, which an export would prevent ("Fn::GetStackOutput", CloudFormation Template Reference). The output is out of date
   * when a restored table has replaced a table: then the setting has the ARN.
   */
  of(table: TableName): ITable {
    const reference = this.references.get(table) ?? this.reference(table);
    this.references.set(table, reference);
    return reference;
  }

  private reference(table: TableName): ITable {
    const { stage, tables: settings } = this.config;
    const tableArn = Stack.of(this.scope).formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: tableNameIn(stackName(stage), table),
    });
    return Table.fromTableAttributes(this.scope, table, {
      tableArn,
      ...(tables[table].stream && {
        tableStreamArn:
          settings.streams[table] ?? Fn.getStackOutput(dataStackName(stage), streamOutput(table)),
      }),
    });
  }
}
