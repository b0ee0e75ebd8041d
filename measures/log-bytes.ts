/** The log lines of one request, with values of typical lengths. */

import { createRenderer } from '../lib/base/log.ts';

const uuid = '6f1c1d3e-8f0a-4c55-9b7e-2f4f0f6d1a2b';
const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const time = '2026-01-31T12:00:00.000Z';

/**
 * The line of lib/base/log.ts for reading a project.
 * @param stage names the namespace of the metrics; undefined for a stage without `monitoring`, which has none
 */
export const requestLine = (stage: string | undefined): string =>
  createRenderer(stage, '0123456789ab')(
    {
      level: 'info',
      message: 'request',
      requestId: uuid,
      call: `call_${ulid}`,
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
  createRenderer(stage, '0123456789ab')(
    {
      level: 'info',
      message: 'work',
      worker: 'knowledge-indexer',
      tenant: `org_${ulid}#live`,
      item: `job_${ulid}`,
      notices: 1,
      failed: false,
      durationMs: 18.25,
      roundTrips: 2,
      readUnits: 2,
      writeUnits: 0,
      databaseErrors: 0,
    },
    Date.parse(time),
  );

/** Lambda's prefix of a line, and the three lines that Lambda writes itself in text format. */
const lambdaLines = [
  `${time}\t${uuid}\tINFO\t`,
  `START RequestId: ${uuid} Version: $LATEST\n`,
  `END RequestId: ${uuid}\n`,
  `REPORT RequestId: ${uuid}\tDuration: 18.25 ms\tBilled Duration: 19 ms\tMemory Size: 1024 MB\tMax Memory Used: 110 MB\t\n`,
];

/** The values that API Gateway writes into the access log. */
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
  '$context.integration.status': '200',
  '$context.integration.latency': '24',
  '$context.integration.error': '-',
  '$context.identity.sourceIp': '203.0.113.100',
  '$context.identity.userAgent': 'python-requests/2.32.3',
  '$context.tlsVersion': 'TLSv1.3',
  '$context.wafResponseCode': 'WAF_ALLOW',
  '$context.waf.error': '-',
};

/**
 * @param format of the stage's access log
 * @throws Error for an unknown variable
 */
export function accessLine(format: string): string {
  return format.replace(/\$context\.[\w.]+/g, (variable) => {
    const value = gatewayValues[variable];
    if (value === undefined) throw new Error(`measures/log-bytes.ts knows no value for ${variable}`);
    return value;
  });
}

/**
 * @param stage as in `requestLine`
 * @returns bytes per request, by writer
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
