/** The size of a response as Lambda counts it. A function's response is at most 6 MB ("Lambda quotas"). */

/** A response holds at most so much. The rest up to 6 MB is for the envelope and the headers. */
export const maxResponseBytes = 4 * 1024 * 1024;

/**
 * @returns how many bytes the value takes in a function's response. That response is JSON whose `body` is JSON again, as
 *   text: a quotation mark in the value takes four bytes there, a control character seven.
 */
export const responseBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
