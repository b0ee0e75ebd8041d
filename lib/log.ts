/**
 * The log: one line of JSON each. Never a header, a query, a body, an Idempotency-Key or a credential: what may stand in
 * a line is listed here.
 */

/** Every request leaves one. */
export type RequestLine = {
  level: 'info';
  message: 'request';
  requestId: string;
  /** What stands in `changedIn` of every item that the request changed. */
  call: string;
  endpoint: string;
  /** Null before the caller is known. */
  organisation: string | null;
  mode: string | null;
  caller: string | null;
  status: number;
  /** The code of an answer that is an error. */
  error: string | null;
  /** Without what the caller asked to wait. */
  durationMs: number;
  coldStart: boolean;
  replayed: boolean;
  /** What was asked of DynamoDB. */
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  databaseErrors: number;
};

/** Every change that a worker has taken up leaves one, each time. */
export type WorkLine = {
  level: 'info';
  message: 'work';
  worker: string;
  tenant: string;
  /** The id of the item that changed. */
  item: string;
  failed: boolean;
  durationMs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  databaseErrors: number;
};

/** Something went wrong; the line of the request or of the work says how it ended. */
export type FaultLine = {
  level: 'error' | 'warn';
  message: string;
  fault: unknown;
} & ({ requestId: string; endpoint: string } | { worker: string; tenant: string; item: string });

export type LogLine = RequestLine | WorkLine | FaultLine;

/** The metrics that CloudWatch takes from a request's line, with and without the endpoint. */
const requestMetrics = [
  { Name: 'durationMs', Unit: 'Milliseconds' },
  { Name: 'serverErrors', Unit: 'Count' },
  { Name: 'databaseErrors', Unit: 'Count' },
  { Name: 'coldStarts', Unit: 'Count' },
] as const;

/** And from a worker's, by worker. */
const workMetrics = [
  { Name: 'durationMs', Unit: 'Milliseconds' },
  { Name: 'failures', Unit: 'Count' },
] as const;

export const metricNamespace = (stage: string): string => `PlatformApi/${stage}`;

/** An error in a form that shows where it came from. DynamoDB's own messages name no values. */
export function describe(fault: unknown): unknown {
  if (!(fault instanceof Error)) return typeof fault;
  const cause = fault.cause === undefined ? {} : { cause: describe(fault.cause) };
  return { name: fault.name, message: fault.message, stack: fault.stack, ...cause };
}

export type Render = (line: LogLine, nowMs: number) => string;

/**
 * @param stage names the metrics' namespace; without it the lines have no metrics, and CloudWatch bills none
 * @returns what makes the text of a line. Its metrics are the same in every line, and most of it: they are made once
 */
export function createRenderer(stage: string | undefined): Render {
  const ofRequest = embedded(stage, [['endpoint'], []], requestMetrics);
  const ofWork = embedded(stage, [['worker']], workMetrics);
  return (line, nowMs) => {
    if ('fault' in line) return JSON.stringify({ ...line, fault: describe(line.fault) });
    if ('worker' in line) return withMetrics({ ...line, failures: line.failed ? 1 : 0 }, ofWork, nowMs);
    const serverErrors = line.status >= 500 ? 1 : 0;
    return withMetrics({ ...line, serverErrors, coldStarts: line.coldStart ? 1 : 0 }, ofRequest, nowMs);
  };
}

/** @returns the text of one line */
export const render = (line: LogLine, stage: string, nowMs: number): string =>
  createRenderer(stage)(line, nowMs);

/**
 * CloudWatch reads the metrics from the line, so they cost no call ("Specification: Embedded metric format", Amazon
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
