/**
 * List prices in US dollars, us-east-1, first tier, before free tiers and discounts; and the cost of a million
 * requests.
 */

import type { UnitRow } from './units.ts';

/** Per million. */
export const perMillionPrices = {
  /** REST API, up to 333 million a month: aws.amazon.com/api-gateway/pricing */
  gatewayRequests: 3.5,
  /** aws.amazon.com/lambda/pricing */
  functionRequests: 0.2,
  /** arm64, up to 7.5 billion GB-seconds a month: aws.amazon.com/lambda/pricing */
  functionGbSeconds: 13.3334,
  /** On demand, since November 2024: aws.amazon.com/dynamodb/pricing/on-demand */
  readUnits: 0.125,
  writeUnits: 0.625,
  /** aws.amazon.com/xray/pricing */
  traces: 5,
  /** aws.amazon.com/waf/pricing */
  firewallRequests: 0.6,
  /** aws.amazon.com/kms/pricing */
  decryptions: 3,
} as const;

/** Per GB written: aws.amazon.com/cloudwatch/pricing */
export const logGbPrice = 0.5;

/** Per GB sent to the internet, up to 10 TB a month: aws.amazon.com/ec2/pricing/on-demand */
export const transferGbPrice = 0.09;

/** Per month, for one or for a GB stored. */
export const monthlyPrices = {
  /** aws.amazon.com/cloudwatch/pricing */
  alarm: 0.1,
  dashboard: 3,
  metric: 0.3,
  logGb: 0.03,
  /** aws.amazon.com/waf/pricing */
  webAcl: 5,
  firewallRule: 1,
  /** aws.amazon.com/dynamodb/pricing/on-demand */
  tableGb: 0.25,
  restorableGb: 0.2,
  /** aws.amazon.com/kms/pricing */
  key: 1,
  /**
   * Five pollers† of Lambda ask each queue every 20 seconds ("Configuring scaling behavior for SQS event source mappings"),
   * at $0.40 a million requests (aws.amazon.com/sqs/pricing).
   */
  polledQueue: (5 * 30 * 24 * 3600 * 0.4) / 20 / 1e6,
} as const;

/** Assumed, not measured: the time of each sequential call in a warm function. */
export const msPerRoundTrip = 10;

/** The memory of a function in infra/endpoint-function.ts, in GB. */
export const functionGb = 1;

/** X-Ray's default rule: the first request per second, and this share of the others. */
export const tracedShare = 0.05;

export type Surroundings = {
  /** The log volume of one request. */
  logBytes: number;
  firewall: boolean;
  tracing: boolean;
};

/** @returns the billed time of a warm function. Lambda bills whole milliseconds */
export const billedMs = ({ roundTrips }: Pick<UnitRow, 'roundTrips'>): number =>
  Math.max(1, Math.ceil(roundTrips * msPerRoundTrip));

/** @returns the cost of a million such requests in dollars, by service */
export function costOfMillion(units: Omit<UnitRow, 'id' | 'variant'>, surroundings: Surroundings) {
  const price = perMillionPrices;
  const gigabytes = (surroundings.logBytes * 1e6) / 2 ** 30;
  const parts = {
    gateway: price.gatewayRequests,
    lambda: price.functionRequests + (billedMs(units) / 1000) * functionGb * price.functionGbSeconds,
    dynamodb: units.readUnits * price.readUnits + units.writeUnits * price.writeUnits,
    logs: gigabytes * logGbPrice,
    firewall: surroundings.firewall ? price.firewallRequests : 0,
    tracing: surroundings.tracing ? tracedShare * price.traces : 0,
  };
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}
