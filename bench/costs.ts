/** What a million requests of each endpoint cost, and what a stack costs when nobody calls it. */

import { endpoints } from '../functions/index.ts';
import { configOf } from '../infra/config.ts';
import { bundle } from '../scripts/bundle.ts';
import { logBytes, requestLine } from './log-bytes.ts';
import { costOfMillion, monthlyPrices, msPerRoundTrip } from './prices.ts';
import { type Resource, stackOf } from './stack.ts';
import { table } from './statistics.ts';
import { readUnitRows } from './units.ts';

/** Those of a method that are billed: 4XXError, 5XXError, Count, IntegrationLatency, Latency. */
const gatewayMetricsPerMethod = 5;

export async function costs(): Promise<string> {
  await bundle();
  const dev = stackOf('dev').resources;
  const prod = stackOf('prod').resources;
  const bytes = logBytes(accessLogFormat(dev));
  const surroundings = (stage: string) => {
    const { waf, tracing } = configOf(stage);
    return { logBytes: bytes.total, firewall: Boolean(waf), tracing };
  };
  const rows = readUnitRows().map((row) => {
    const cost = costOfMillion(row, surroundings('dev'));
    const inProd = costOfMillion(row, surroundings('prod'));
    const money = [cost.lambda, cost.dynamodb, cost.total, inProd.total].map(dollars);
    return [`\`${row.id}\``, row.variant, ...money];
  });
  const { gateway, logs } = costOfMillion(
    { roundTrips: 0, readUnits: 0, writeUnits: 0 },
    surroundings('dev'),
  );
  return [
    table(['a million of', 'Idempotency-Key', 'Lambda', 'DynamoDB', 'all, `dev`', 'all, `prod`'], rows),
    '',
    `In every row: API Gateway ${dollars(gateway)}, and ${dollars(logs)} for ${bytes.total} bytes of log a request ` +
      `(${bytes.request} the function's line, ${bytes.lambda} Lambda's own around it, ${bytes.access} the access log). ` +
      `Lambda is reckoned with ${msPerRoundTrip} ms for each round trip, which is assumed and not measured.`,
    '',
    table(['a month, at most', '`dev`', '`prod`'], monthlyRows(dev, prod)),
  ].join('\n');
}

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

const ofType = (resources: readonly Resource[], type: string) =>
  resources.filter((resource) => resource.Type === type);

function accessLogFormat(resources: readonly Resource[]): string {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const setting = stage?.Properties?.AccessLogSetting as { Format: string } | undefined;
  if (!setting) throw new Error('the stage has no access log');
  return setting.Format;
}

function monthlyRows(...stacks: readonly Resource[][]): string[][] {
  const price = monthlyPrices;
  const items: [string, (resources: readonly Resource[]) => number, number][] = [
    ['alarms', (resources) => ofType(resources, 'AWS::CloudWatch::Alarm').length, price.alarm],
    ['dashboards', (resources) => ofType(resources, 'AWS::CloudWatch::Dashboard').length, price.dashboard],
    ['metrics of the log lines', ownMetrics, price.metric],
    [
      'metrics of the methods',
      (resources) => gatewayMetricsPerMethod * ofType(resources, 'AWS::ApiGateway::Method').length,
      price.metric,
    ],
    ['web ACLs', (resources) => ofType(resources, 'AWS::WAFv2::WebACL').length, price.webAcl],
    [
      'rules in them',
      (resources) =>
        ofType(resources, 'AWS::WAFv2::WebACL').flatMap(({ Properties }) => Properties?.Rules as unknown[])
          .length,
      price.firewallRule,
    ],
  ];
  const totals = stacks.map((resources) =>
    items.reduce((sum, [, count, each]) => sum + count(resources) * each, 0),
  );
  return [
    ...items.map(([name, count, each]) => [
      `${name}, ${dollars(each)} each`,
      ...stacks.map((resources) => `${count(resources)}`),
    ]),
    ['**all**', ...totals.map((total) => `**${dollars(total)}**`)],
  ];
}

/** Each metric once with the endpoint and once without, as a line of the log says it. */
function ownMetrics(): number {
  const [directive] = JSON.parse(requestLine())._aws.CloudWatchMetrics as {
    Dimensions: string[][];
    Metrics: unknown[];
  }[];
  const series = directive?.Dimensions.map((set) => (set.includes('endpoint') ? endpoints.length : 1)) ?? [];
  return (directive?.Metrics.length ?? 0) * series.reduce((sum, count) => sum + count, 0);
}
