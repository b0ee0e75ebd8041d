import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

type Groups = Readonly<Record<'access' | 'endpoints' | 'workers', ILogGroup>>;

type SavedQuery = {
  /** The name, which CloudWatch shows as `platform-api/prod/A request by its id`. */
  name: string;
  groups: readonly (keyof Groups)[];
  /** The query in the language of CloudWatch Logs Insights. Values in capitals are to be replaced. */
  query: readonly string[];
};

export const savedQueries: readonly SavedQuery[] = [
  {
    name: 'A request by its id',
    groups: ['access', 'endpoints'],
    query: [
      'fields @timestamp, endpoint, method, path, status, error, durationMs, latencyMs, integrationError, fault.message',
      "filter requestId = 'REQUEST_ID'",
      'sort @timestamp',
    ],
  },
  {
    name: 'A call by its id',
    groups: ['endpoints', 'workers'],
    // Workers and faults name the call in different fields.
    query: [
      'fields @timestamp, endpoint, worker, item, status, failed, fault.message, @message',
      'filter @message like /CALL_ID/',
      'sort @timestamp',
    ],
  },
  {
    name: 'Errors of the last hour',
    groups: ['access', 'endpoints', 'workers'],
    query: [
      'fields @timestamp, endpoint, worker, status, error, requestId, item, integrationError, fault.name, fault.message',
      "filter ispresent(fault.message) or status >= 500 or record.status in ['error', 'failure', 'timeout']",
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    name: 'Slowest endpoints',
    groups: ['endpoints'],
    query: [
      "filter message = 'request'",
      'stats count() as requests, pct(durationMs, 50) as p50, pct(durationMs, 99) as p99, max(durationMs) as slowest, ' +
        'sum(coldStart) as coldStarts by endpoint',
      'sort p99 desc',
    ],
  },
  {
    name: "One tenant's traffic",
    groups: ['endpoints'],
    query: [
      "filter organisation = 'ORGANISATION_ID'",
      'stats count() as requests, sum(readUnits) as reads, sum(writeUnits) as writes by bin(5m), endpoint, caller, status',
      'sort requests desc',
    ],
  },
];

/** Saved queries of CloudWatch Logs Insights. They cost nothing until they run. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { stage }: StageConfig, groups: Groups) {
    super(scope, id);
    for (const { name, groups: groupNames, query } of savedQueries) {
      new CfnQueryDefinition(this, name, {
        name: `platform-api/${stage}/${name}`,
        logGroupNames: groupNames.map((group) => groups[group].logGroupName),
        queryString: query.join('\n| '),
      });
    }
  }
}
