/** The same request may succeed after these failures of DynamoDB or of the connection. */

/** A batch keeps omitting items, as when DynamoDB throttles. */
export class Unprocessed extends Error {
  override readonly name = 'ThrottlingException';
}

const transientNames = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'AbortError',
]);

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * @returns whether the same request may succeed later: after throttling, a fault of DynamoDB, or a lost connection
 *   (names from "Error handling with DynamoDB", Amazon DynamoDB Developer Guide)
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, $metadata, CancellationReasons } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
    CancellationReasons?: { Code?: string }[];
  };
  if (transientNames.has(name) || (code !== undefined && transientCodes.has(code))) return true;
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return (CancellationReasons ?? []).some(({ Code }) =>
    ['ProvisionedThroughputExceeded', 'ThrottlingError'].includes(Code ?? ''),
  );
}
