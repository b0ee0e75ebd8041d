/**
 * The log has one line of JSON per event. Lines contain only the fields that are listed here: never a header, query, body,
 * Idempotency-Key or credential.
 */

import { unknownCommit } from './version.ts';

/** Every request writes such a line. */
export type RequestLine = {
  level: 'info';
  message: 'request';
  requestId: string;
  /** Every item that the request changed has this `changedIn`. */
  call: string;
  endpoint: string;
  /** Organisation, mode and caller are null if the caller is unknown. */
  organisation: string | null;
  mode: string | null;
  caller: string | null;
  status: number;
  error: string | null;
  /** The time that the caller asked to wait is not included. */
  durationMs: number;
  coldStart: boolean;
  replayed: boolean;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  databaseErrors: number;
};

/** Every attempt of a worker to handle notices writes such a line. */
type WorkLine = {
  level: 'info';
  message: 'work';
  worker: string;
  tenant: string;
  /** The id of the changed item, or of the first item if there are several. */
  item: string;
  /** The number of notices, which are all of the same tenant and project. */
  notices: number;
  failed: boolean;
  durationMs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  databaseErrors: number;
};

/** The line of an error. The line of the request or of the work has the outcome. */
export type FaultLine = {
  level: 'error' | 'warn';
  message: string;
  /** The request passed because a limit could not be counted. */
  limiterFailures?: 1;
  /** A webhook was disabled, because its receiver does not respond as it should. */
  webhooksDisabled?: 1;
  fault: unknown;
} & ({ requestId: string; endpoint: string } | { worker: string; tenant: string; item: string });

export type LogLine = RequestLine | WorkLine | FaultLine;

/** The metrics in a request's line, with and without the endpoint. */
const requestMetrics = [
  { Name: 'durationMs', Unit: 'Milliseconds' },
  { Name: 'serverErrors', Unit: 'Count' },
  { Name: 'databaseErrors', Unit: 'Count' },
  { Name: 'coldStarts', Unit: 'Count' },
] as const;

/** The metrics in a worker's line, by worker. */
const workMetrics = [
  { Name: 'durationMs', Unit: 'Milliseconds' },
  { Name: 'failures', Unit: 'Count' },
] as const;

const limiterMetrics = [{ Name: 'limiterFailures', Unit: 'Count' }] as const;

const webhookMetrics = [{ Name: 'webhooksDisabled', Unit: 'Count' }] as const;

export const metricNamespace = (stage: string): string => `PlatformApi/${stage}`;

/** @returns an error with its stack and causes. The messages of DynamoDB contain no values */
export function describe(fault: unknown): unknown {
  if (!(fault instanceof Error)) return typeof fault;
  const cause = fault.cause === undefined ? {} : { cause: describe(fault.cause) };
  return { name: fault.name, message: fault.message, stack: fault.stack, ...cause };
}

type Render = (line: LogLine, nowMs: number) => string;

/**
 * @param stage is a part of the namespace of the metrics; without a stage, lines have no metrics, and CloudWatch bills no
 *   metrics
 * @param commit is in every line
 * @returns a function that renders a line. The definition of the metrics is the same in every line, so it is built once
 */
export function createRenderer(stage: string | undefined, commit: string): Render {
  const requestDefinition = metricsDefinition(stage, [['endpoint'], []], requestMetrics);
  const workDefinition = metricsDefinition(stage, [['worker']], workMetrics);
  const limiterDefinition = metricsDefinition(stage, [[]], limiterMetrics);
  const webhookDefinition = metricsDefinition(stage, [[]], webhookMetrics);
  return (line, nowMs) => {
    if ('fault' in line) {
      const warningDefinition = 'webhooksDisabled' in line ? webhookDefinition : undefined;
      const metrics = 'limiterFailures' in line ? limiterDefinition : warningDefinition;
      return withMetrics({ ...line, commit, fault: describe(line.fault) }, metrics, nowMs);
    }
    if ('worker' in line) {
      return withMetrics({ ...line, commit, failures: line.failed ? 1 : 0 }, workDefinition, nowMs);
    }
    const serverErrors = line.status >= 500 ? 1 : 0;
    const coldStarts = line.coldStart ? 1 : 0;
    return withMetrics({ ...line, commit, serverErrors, coldStarts }, requestDefinition, nowMs);
  };
}

export const render = (line: LogLine, stage: string, nowMs: number): string =>
  createRenderer(stage, unknownCommit)(line, nowMs);

/** CloudWatch extracts the metrics from the line ("Specification: Embedded metric format", Amazon CloudWatch User Guide). */
const metricsDefinition = (
  stage: string | undefined,
  dimensions: readonly string[][],
  metrics: readonly { Name: string; Unit: string }[],
): string | undefined =>
  stage === undefined
    ? undefined
    : JSON.stringify([{ Namespace: metricNamespace(stage), Dimensions: dimensions, Metrics: metrics }]);

const withMetrics = (members: object, metrics: string | undefined, nowMs: number): string =>
  metrics === undefined
    ? JSON.stringify(members)
    : `${JSON.stringify(members).slice(0, -1)},"_aws":{"Timestamp":${nowMs},"CloudWatchMetrics":${metrics}}}`;
