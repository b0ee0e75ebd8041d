/** What one request leaves in the logs: lines as they are rendered, with values of the usual lengths. */

import { createRenderer } from '../lib/log.ts';

const uuid = '6f1c1d3e-8f0a-4c55-9b7e-2f4f0f6d1a2b';
const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const time = '2026-01-31T12:00:00.000Z';

/**
 * The line of lib/log.ts: a project that is read.
 *
 * @param stage names the metrics in it; undefined for a stage without `monitoring`, whose lines have none
 */
export const requestLine = (stage: string | undefined): string =>
  createRenderer(stage)(
    {
      level: 'info',
      message: 'request',
      requestId: uuid,
      call: `evt_${ulid}`,
      endpoint: 'projects.get',
      organisation: `org_${ulid}`,
      mode: 'live',
      caller: `key_${ulid}`,
      status: 200,
      error: null,
      durationMs: 18.25,
      coldStart: false,
      replayed: false,
      roundTrips: 2,
      readUnits: 2,
      writeUnits: 0,
      databaseErrors: 0,
    },
    Date.parse(time),
  );

/** A worker's line. */
export const workLine = (stage: string | undefined): string =>
  createRenderer(stage)(
    {
      level: 'info',
      message: 'work',
      worker: 'knowledge-indexer',
      tenant: `org_${ulid}#live`,
      item: `job_${ulid}`,
      failed: false,
      durationMs: 18.25,
      roundTrips: 2,
      readUnits: 2,
      writeUnits: 0,
      databaseErrors: 0,
    },
    Date.parse(time),
  );

/** What Lambda puts before a line, and the three lines that it writes itself, where the log's format is text. */
const lambdaLines = [
  `${time}\t${uuid}\tINFO\t`,
  `START RequestId: ${uuid} Version: $LATEST\n`,
  `END RequestId: ${uuid}\n`,
  `REPORT RequestId: ${uuid}\tDuration: 18.25 ms\tBilled Duration: 19 ms\tMemory Size: 1024 MB\tMax Memory Used: 110 MB\t\n`,
];

/** What API Gateway puts into the access log for its variables. */
const gatewayValues: Readonly<Record<string, string>> = {
  '$context.requestId': uuid,
  '$context.extendedRequestId': 'JKJaXmPLvHcESHA=',
  '$context.requestTime': '31/Jan/2026:12:00:00 +0000',
  '$context.httpMethod': 'GET',
  '$context.path': `/api/v1/projects/proj_${ulid}`,
  '$context.status': '200',
  '$context.error.responseType': '-',
  '$context.responseLength': '412',
  '$context.responseLatency': '27',
  '$context.identity.sourceIp': '203.0.113.100',
  '$context.identity.userAgent': 'python-requests/2.32.3',
  '$context.tlsVersion': 'TLSv1.3',
  '$context.wafResponseCode': 'WAF_ALLOW',
  '$context.waf.error': '-',
};

/**
 * @param format of the access log, as the stage has it
 * @throws Error for a variable that has no usual value here
 */
export function accessLine(format: string): string {
  return format.replace(/\$context\.[\w.]+/g, (variable) => {
    const value = gatewayValues[variable];
    if (value === undefined) throw new Error(`bench/log-bytes.ts knows no value for ${variable}`);
    return value;
  });
}

/**
 * @param stage as `requestLine` takes it
 * @returns bytes a request, by who writes them
 */
export function logBytes(accessLogFormat: string, stage: string | undefined) {
  const bytes = (texts: readonly string[]) => Buffer.byteLength(texts.join(''));
  const parts = {
    request: bytes([requestLine(stage)]),
    lambda: bytes(lambdaLines),
    access: bytes([accessLine(accessLogFormat)]),
  };
  return { ...parts, total: parts.request + parts.lambda + parts.access };
}
