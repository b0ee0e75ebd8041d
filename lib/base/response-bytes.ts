/** The response of a function is at most 6 MB, as Lambda counts it ("Lambda quotas"). */

/** The maximum data of a response. The rest of the 6 MB is for the envelope and headers. */
export const maxResponseBytes = 4 * 1024 * 1024;

/**
 * @returns the size of the value in the response of a function. The `body` of that response is JSON as text in JSON: a
 *   quotation mark in the value takes four bytes, a control character seven
 */
export const responseBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
