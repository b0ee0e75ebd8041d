/** The cost of a million requests to each endpoint, and of an idle stack. */

import { endpoints } from '../functions/index.ts';
import { configOf } from '../infra/config.ts';
import { table } from '../scripts/shared/markdown.ts';
import { workers } from '../workers/index.ts';
import { logBytes, requestLine, workLine } from './log-bytes.ts';
import { exampleMonth } from './month.ts';
import { costOfMillion, monthlyPrices, msPerRoundTrip, perMillionPrices } from './prices.ts';
import { type Resource, stacksOf } from './stacks.ts';
import { readUnitRows } from './units.ts';

/** The billed metrics of a method: 4XXError, 5XXError, Count, IntegrationLatency, Latency. */
const gatewayMetricsPerMethod = 5;

/** Needs the functions' bundles. @returns the tables of docs/costs.md */
export function costTables(): string {
  const dev = stacksOf('dev').resources;
  const prod = stacksOf('prod').resources;
  const bytesOf = (stage: string, resources: readonly Resource[]) =>
    logBytes(accessLogFormat(resources), configOf(stage).monitoring ? stage : undefined);
  const [inDev, inProd] = [bytesOf('dev', dev), bytesOf('prod', prod)];
  const surroundings = (stage: string, { total }: { total: number }) => {
    const { waf, tracing } = configOf(stage);
    return { logBytes: total, firewall: Boolean(waf), tracing };
  };
  const costIn = {
    dev: (row: Units) => costOfMillion(row, surroundings('dev', inDev)),
    prod: (row: Units) => costOfMillion(row, surroundings('prod', inProd)),
  };
  const rows = readUnitRows().map((row) => {
    const cost = costIn.dev(row);
    const money = [cost.lambda, cost.dynamodb, cost.total, costIn.prod(row).total].map(dollars);
    return [`\`${row.id}\``, row.variant, ...money];
  });
  const none = { roundTrips: 0, readUnits: 0, writeUnits: 0 };
  const logsOf = (stage: 'dev' | 'prod', bytes: ReturnType<typeof logBytes>) =>
    `${dollars(costIn[stage](none).logs)} for ${bytes.total} bytes of log in \`${stage}\` ` +
    `(${bytes.request} for the function's line, ${bytes.lambda} for Lambda's own lines, ${bytes.access} for the access log)`;
  return [
    table(
      ['a million requests to', 'Idempotency-Key', 'Lambda', 'DynamoDB', 'total, `dev`', 'total, `prod`'],
      rows,
    ),
    '',
    `Every total includes ${dollars(costIn.dev(none).gateway)} for API Gateway, and ${logsOf('dev', inDev)} or ` +
      `${logsOf('prod', inProd)}. Lambda is computed with ${msPerRoundTrip} ms per round trip, which is assumed, not measured.`,
    '',
    `At 10 000 requests per second, \`prod\` logs ${((inProd.total * 1e4) / 1e6).toFixed(1)} MB per second, ` +
      `which costs $${Math.round(((costIn.prod(none).logs * 1e4) / 1e6) * 86_400)} a day.`,
    '',
    'After the response to `conversations.append`, a worker indexes each message for search: one write unit per different ' +
      `word, and one more. A million messages of ${indexedWords.map(wordsAndPrice).join(', of ')}.`,
    '',
    `Each change of a resource is an event of the [audit log](audit.md): ${eventUnits} write units. A million cost ` +
      `${dollars(eventUnits * perMillionPrices.writeUnits)}. ` +
      `It is also an [event](events.md): ${platformEventUnits} write units. A million cost ` +
      `${dollars(platformEventUnits * perMillionPrices.writeUnits)}. A million that are each delivered to one healthy [webhook](webhooks.md) ` +
      `at the first attempt cost ${dollars(deliveryUnits * perMillionPrices.writeUnits)} for ${deliveryUnits} write units each, and ` +
      `${dollars(perMillionPrices.decryptions)} for the decryption of the secret.`,
    '',
    table(['per month', '`dev`', '`prod`'], monthlyRows(dev, prod)),
    '',
    exampleMonth(
      readUnitRows(),
      (row) => costIn.prod(row).total,
      { audit: eventUnits, event: platformEventUnits, delivery: deliveryUnits },
      idleCost(monthlyCost(prod)),
    ),
  ].join('\n');
}

type Units = Parameters<typeof costOfMillion>[0];

/** Different words of a short and a longer message. test/promises/worker-capacity.test.ts checks the units. */
const indexedWords = [15, 30];

/** Of an event in a project, by a request. test/promises/worker-capacity.test.ts checks the units. */
export const eventUnits = 6;

/** Of an event, and of its delivery to one healthy webhook at the first attempt. The same test checks both. */
export const platformEventUnits = 4;
export const deliveryUnits = 4;

const wordsAndPrice = (words: number) =>
  `${words} different words cost ${dollars((words + 1) * perMillionPrices.writeUnits)}`;

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

const ofType = (resources: readonly Resource[], type: string) =>
  resources.filter((resource) => resource.Type === type);

function accessLogFormat(resources: readonly Resource[]): string {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const setting = stage?.Properties.AccessLogSetting as { Format: string } | undefined;
  if (!setting) throw new Error('the stage has no access log');
  return setting.Format;
}

/** Monthly costs. Metrics are billed only for the hours in which they are sent. */
function monthlyRows(...stacks: (readonly Resource[])[]): string[][] {
  const rows = stacks.map(monthlyCost);
  const [first] = rows;
  const names = Object.keys(first ?? {}) as (keyof MonthlyCost)[];
  const atMost = (cost: MonthlyCost) =>
    Object.values(cost).reduce((sum, { count, each }) => sum + count * each, 0);
  return [
    ...names.map((name) => [
      `${name}, ${dollars(first?.[name].each ?? 0)} each`,
      ...rows.map((cost) => String(cost[name].count)),
    ]),
    ['**total, idle**', ...rows.map((cost) => `**${dollars(idleCost(cost))}**`)],
    ['**total, at most**', ...rows.map((cost) => `**${dollars(atMost(cost))}**`)],
  ];
}

/** @returns what is billed in a month while the stage is idle, in dollars */
const idleCost = (cost: MonthlyCost): number =>
  Object.values(cost)
    .filter(({ idle }) => idle)
    .reduce((sum, { count, each }) => sum + count * each, 0);

type Item = {
  count: number;
  /** Dollars per month. */
  each: number;
  /** Whether it is billed while the stage is idle. */
  idle: boolean;
};
export type MonthlyCost = ReturnType<typeof monthlyCost>;

/** @param resources of a stack @returns its monthly costs, by name */
export function monthlyCost(resources: readonly Resource[]) {
  const price = monthlyPrices;
  const acls = ofType(resources, 'AWS::WAFv2::WebACL');
  return {
    alarms: {
      count: sumOf(ofType(resources, 'AWS::CloudWatch::Alarm'), metricsOf),
      each: price.alarm,
      idle: true,
    },
    dashboards: {
      count: ofType(resources, 'AWS::CloudWatch::Dashboard').length,
      each: price.dashboard,
      idle: true,
    },
    'web ACLs': { count: acls.length, each: price.webAcl, idle: true },
    'rules in them': {
      count: sumOf(acls, ({ Properties }) => ((Properties.Rules ?? []) as unknown[]).length),
      each: price.firewallRule,
      idle: true,
    },
    'KMS keys': {
      count: ofType(resources, 'AWS::KMS::Key').length,
      each: price.key,
      idle: true,
    },
    'queues that Lambda polls': {
      count: ofType(resources, 'AWS::Lambda::EventSourceMapping').filter(({ Properties }) =>
        /Queue|:sqs:/.test(JSON.stringify(Properties.EventSourceArn)),
      ).length,
      each: price.polledQueue,
      idle: true,
    },
    'metrics of the log lines': { count: logMetrics(resources), each: price.metric, idle: false },
    'metrics of the methods': { count: methodMetrics(resources), each: price.metric, idle: false },
  } satisfies Record<string, Item>;
}

const sumOf = (resources: readonly Resource[], count: (resource: Resource) => number) =>
  resources.reduce((sum, resource) => sum + count(resource), 0);

/** An alarm on an expression is billed for each metric in it. */
const metricsOf = ({ Properties }: Resource): number => {
  const queries = Properties.Metrics as { MetricStat?: object }[] | undefined;
  return queries?.filter(({ MetricStat }) => MetricStat).length ?? 1;
};

function methodMetrics(resources: readonly Resource[]): number {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const settings = stage?.Properties.MethodSettings as { MetricsEnabled?: boolean }[] | undefined;
  const measured = settings?.some(({ MetricsEnabled }) => MetricsEnabled);
  return measured ? gatewayMetricsPerMethod * ofType(resources, 'AWS::ApiGateway::Method').length : 0;
}

/** The metrics in the log lines of functions that know their stage. */
function logMetrics(resources: readonly Resource[]): number {
  const measured = ofType(resources, 'AWS::Lambda::Function').some(({ Properties }) => {
    const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
    return Variables?.STAGE !== undefined;
  });
  if (!measured) return 0;
  return (
    seriesIn(requestLine('any'), { endpoint: endpoints.length }) +
    seriesIn(workLine('any'), { worker: workers.length })
  );
}

/** @param values the number of values of each dimension @returns the number of metrics in a log line */
function seriesIn(line: string, values: Readonly<Record<string, number>>): number {
  const [directive] = JSON.parse(line)._aws.CloudWatchMetrics as {
    Dimensions: string[][];
    Metrics: unknown[];
  }[];
  const series =
    directive?.Dimensions.map((set) => set.reduce((count, name) => count * (values[name] ?? 1), 1)) ?? [];
  return (directive?.Metrics.length ?? 0) * series.reduce((sum, count) => sum + count, 0);
}
