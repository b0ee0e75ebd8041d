/** The size of a response as Lambda counts it. A function's response is at most 6 MB ("Lambda quotas"). */

/** The maximum data of a response. The rest of the 6 MB is for the envelope and headers. */
export const maxResponseBytes = 4 * 1024 * 1024;

/**
 * @returns the size of the value in a function's response. That response is JSON whose `body` is JSON again, as text: a
 *   quotation mark in the value takes four bytes, a control character seven.
 */
export const responseBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
