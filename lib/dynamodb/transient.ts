/** Which failures of DynamoDB, or of the way to it, pass by themselves. */

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
 * @returns whether the same request may well succeed later: throttling, a fault on the other side, a lost
 *   connection (names as in "Error handling with DynamoDB", Amazon DynamoDB Developer Guide)
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
