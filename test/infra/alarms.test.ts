/** The alarms watch metrics that the lines of the log have. */

import { beforeAll, expect, test } from 'vitest';
import { type LogLine, metricNamespace, render } from '../../lib/base/log.ts';
import { type Synthesised, stacksOf } from '../../measures/stacks.ts';

const stage = 'prod';
let prod: Synthesised;

beforeAll(() => {
  prod = stacksOf(stage);
});

const cost = { durationMs: 1, roundTrips: 1, readUnits: 1, writeUnits: 1, databaseErrors: 1 };
const request: LogLine = {
  ...cost,
  level: 'info',
  message: 'request',
  requestId: 'r',
  call: 'c',
  endpoint: 'projects.get',
  organisation: null,
  mode: null,
  caller: null,
  status: 500,
  error: 'internal_error',
  coldStart: true,
  replayed: false,
};
const work = { worker: 'webhook-sender', tenant: 't', item: 'i' };
const lines: readonly LogLine[] = [
  request,
  { ...cost, ...work, level: 'info', message: 'work', notices: 1, failed: true },
  { level: 'warn', message: 'm', limiterFailures: 1, fault: new Error('f'), requestId: 'r', endpoint: 'e' },
  { level: 'warn', message: 'm', webhooksDisabled: 1, fault: new Error('f'), ...work },
];

type Embedded = {
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
};

/** @returns `<metric> by <dimensions>` of each metric that CloudWatch extracts from a line, if the line has its value */
function metricsIn(line: LogLine): string[] {
  const written = JSON.parse(render(line, stage, 0)) as Record<string, unknown> & { _aws: Embedded };
  return written._aws.CloudWatchMetrics.filter(({ Namespace }) => Namespace === metricNamespace(stage))
    .flatMap(({ Dimensions, Metrics }) =>
      Metrics.flatMap(({ Name }) => Dimensions.map((names) => [Name, names] as const)),
    )
    .filter(([name, dimensions]) => [name, ...dimensions].every((each) => written[each] !== undefined))
    .map(([name, dimensions]) => `${name} by ${dimensions.join()}`);
}

type Metric = { Namespace: string; MetricName: string; Dimensions?: { Name: string }[] };

/** @returns the service's own metrics that are anywhere in the properties of an alarm */
function ownMetricsIn(value: unknown): Metric[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Namespace, MetricName } = value as Partial<Metric>;
  if (Namespace === metricNamespace(stage) && MetricName !== undefined) return [value as Metric];
  return Object.values(value).flatMap(ownMetricsIn);
}

test('every alarm on a metric of the service has one that the log has', () => {
  const watched = prod
    .ofType('AWS::CloudWatch::Alarm')
    .flatMap(({ Properties }) => ownMetricsIn(Properties))
    .map(
      ({ MetricName, Dimensions = [] }) => `${MetricName} by ${Dimensions.map(({ Name }) => Name).join()}`,
    );
  expect(watched).toEqual(expect.arrayContaining(['webhooksDisabled by ', 'limiterFailures by ']));
  const logged = lines.flatMap(metricsIn);
  expect(watched.filter((metric) => !logged.includes(metric))).toEqual([]);
});

test('one disabled webhook raises its alarm at once', () => {
  const alarms = prod
    .ofType('AWS::CloudWatch::Alarm')
    .filter(({ Properties }) =>
      ownMetricsIn(Properties).some(({ MetricName }) => MetricName === 'webhooksDisabled'),
    );
  expect(alarms.map(({ Properties }) => Properties)).toEqual([
    expect.objectContaining({
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      DatapointsToAlarm: 1,
      Statistic: 'Sum',
    }),
  ]);
});
