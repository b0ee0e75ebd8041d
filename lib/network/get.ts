/** A request for a URL of a caller. Its body is read up to a size, which is that of the decoded body. */

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { assertComplete, checkedAddress, exchange, Failed, rejectionOf } from './connect.ts';
import { type Network, requestTimeoutMs, type SendError } from './network.ts';

/** What a response has before its body. */
export type Head = {
  status: number;
  headers: {
    etag?: string;
    lastModified?: string;
    contentType?: string;
    location?: string;
    retryAfter?: string;
    /** The values of `X-Robots-Tag`. */
    robotsTags?: readonly string[];
  };
};

export type Fetched<T = Uint8Array> = Head & { body: T };

/**
 * Reads a decoded body. It may stop before the end.
 * @param extend gives the rest of the body so many times the time limit of a request
 * @throws TooLarge
 */
export type ReadBody<T> = (
  body: AsyncIterable<Uint8Array>,
  head: Head,
  extend: (times: number) => void,
) => Promise<T>;

export class TooLarge extends Error {}

/** `too_slow` is a body that has come until the end of an extended time. */
export type GetError = Exclude<SendError, 'redirect'> | 'too_large' | 'too_slow';

const encodings = ['gzip', 'deflate', 'br'];

/** @returns the response, or why there is no response. It never throws, and the request is not under way any more */
export async function get<T>(
  url: URL,
  headers: Readonly<Record<string, string>>,
  network: Network,
  read: ReadBody<T>,
): Promise<Fetched<T> | { error: GetError }> {
  const controller = new AbortController();
  const { signal } = controller;
  const limitMs = network.timeoutMs ?? requestTimeoutMs;
  let isExtended = false;
  let timer = setTimeout(() => controller.abort(), limitMs);
  const extend = (times: number) => {
    clearTimeout(timer);
    isExtended = true;
    timer = setTimeout(() => controller.abort(), times * limitMs);
  };
  try {
    const address = await checkedAddress(url, network, signal);
    const allHeaders = { 'accept-encoding': encodings.join(', '), ...headers };
    const response = await exchange(url, address, { headers: allHeaders, network, signal });
    const head = describe(response);
    const body = await Promise.race([read(chunksOf(response, signal), head, extend), rejectionOf(signal)]);
    return { ...head, body };
  } catch (fault) {
    if (signal.aborted) return { error: isExtended ? 'too_slow' : 'timeout' };
    if (fault instanceof TooLarge) return { error: 'too_large' };
    const error = fault instanceof Failed && fault.error !== 'redirect' ? fault.error : 'invalid_response';
    return { error };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** @returns a reader of bodies that have at most so many bytes */
export const wholeBody =
  (maxBytes: number): ReadBody<Uint8Array> =>
  async (body) => {
    const chunks = await firstChunks(body, maxBytes);
    const bytes = Buffer.concat(chunks);
    if (bytes.length > maxBytes) throw new TooLarge(`the body has more than ${maxBytes} bytes`);
    return bytes;
  };

/** @returns a reader of the first bytes of a body */
export const startOfBody =
  (maxBytes: number): ReadBody<Uint8Array> =>
  async (body) =>
    Buffer.concat(await firstChunks(body, maxBytes)).subarray(0, maxBytes);

async function firstChunks(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) break;
  }
  return chunks;
}

function describe({ statusCode = 0, headers: responseHeaders, headersDistinct }: IncomingMessage): Head {
  const names = {
    etag: responseHeaders.etag,
    lastModified: responseHeaders['last-modified'],
    contentType: responseHeaders['content-type'],
    location: responseHeaders.location,
    retryAfter: responseHeaders['retry-after'],
    robotsTags: headersDistinct['x-robots-tag'],
  };
  const headers = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
  return { status: statusCode, headers };
}

/** @throws Error if the body ends early, or does not have the declared encoding */
async function* chunksOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* (await decode(response)) as AsyncIterable<Uint8Array>;
    assertComplete(response, signal);
  } finally {
    response.destroy();
  }
}

async function decode(response: IncomingMessage): Promise<Readable> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const decoders: Record<string, () => ReturnType<typeof createGunzip | typeof createBrotliDecompress>> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new Failed('invalid_response');
  response.on('error', (fault) => decoder.destroy(fault));
  // A connection that ends early does not end the decoder.
  response.on('aborted', () => decoder.destroy(new Failed('invalid_response')));
  return response.pipe(decoder);
}
