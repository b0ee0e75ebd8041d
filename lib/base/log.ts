/**
 * The log: one line of JSON per event. Lines contain only the fields that are listed here: never a header, query, body,
 * Idempotency-Key or credential.
 */

import { unknownCommit } from './commit.ts';

/** Every request writes such a line. */
export type RequestLine = {
  level: 'info';
  message: 'request';
  requestId: string;
  /** The `changedIn` of every item that the request changed. */
  call: string;
  endpoint: string;
  /** Null if the caller is unknown. */
  organisation: string | null;
  mode: string | null;
  caller: string | null;
  status: number;
  /** The error code of the response. */
  error: string | null;
  /** Without the time that the caller asked to wait. */
  durationMs: number;
  coldStart: boolean;
  replayed: boolean;
  /** The DynamoDB usage. */
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
  /** The id of the changed item: the first item, if there are several. */
  item: string;
  /** The number of notices. All are of the same tenant and project. */
  notices: number;
  failed: boolean;
  durationMs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  databaseErrors: number;
};

/** An error. The line of the request or of the work has the outcome. */
export type FaultLine = {
  level: 'error' | 'warn';
  message: string;
  /** Set for a request that passed because a limit could not be counted. */
  limiterFailures?: 1;
  /** Set for a webhook that was disabled, because its receiver does not respond as it should. */
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

/** The metric in the line of a limit that could not be counted. */
const limiterMetrics = [{ Name: 'limiterFailures', Unit: 'Count' }] as const;

/** The metric in the line of a webhook that was disabled. */
const webhookMetrics = [{ Name: 'webhooksDisabled', Unit: 'Count' }] as const;

export const metricNamespace = (stage: string): string => `PlatformApi/${stage}`;

/** An error with its stack and causes. DynamoDB's own messages contain no values. */
export function describe(fault: unknown): unknown {
  if (!(fault instanceof Error)) return typeof fault;
  const cause = fault.cause === undefined ? {} : { cause: describe(fault.cause) };
  return { name: fault.name, message: fault.message, stack: fault.stack, ...cause };
}

type Render = (line: LogLine, nowMs: number) => string;

/**
 * @param stage names the metrics' namespace; without a stage, lines have no metrics, and CloudWatch bills no metrics
 * @param commit of this process. Every line names it
 * @returns a function that renders a line. The metrics' definition is the same in every line, so it is built once
 */
export function createRenderer(stage: string | undefined, commit: string): Render {
  const ofRequest = embedded(stage, [['endpoint'], []], requestMetrics);
  const ofWork = embedded(stage, [['worker']], workMetrics);
  const ofLimiter = embedded(stage, [[]], limiterMetrics);
  const ofWebhook = embedded(stage, [[]], webhookMetrics);
  return (line, nowMs) => {
    if ('fault' in line) {
      const ofWarning = 'webhooksDisabled' in line ? ofWebhook : undefined;
      const metrics = 'limiterFailures' in line ? ofLimiter : ofWarning;
      return withMetrics({ ...line, commit, fault: describe(line.fault) }, metrics, nowMs);
    }
    if ('worker' in line) {
      return withMetrics({ ...line, commit, failures: line.failed ? 1 : 0 }, ofWork, nowMs);
    }
    const serverErrors = line.status >= 500 ? 1 : 0;
    const coldStarts = line.coldStart ? 1 : 0;
    return withMetrics({ ...line, commit, serverErrors, coldStarts }, ofRequest, nowMs);
  };
}

/** @returns the text of a line */
export const render = (line: LogLine, stage: string, nowMs: number): string =>
  createRenderer(stage, unknownCommit)(line, nowMs);

/**
 * CloudWatch extracts the metrics from the line, so they need no call ("Specification: Embedded metric format", Amazon
 * CloudWatch User Guide).
 */
const embedded = (
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
