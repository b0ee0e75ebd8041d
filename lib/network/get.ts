/** A URL of a caller is read completely, up to a size. The size is that of the decoded body. */

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { assertComplete, checkedAddress, exchange, Failed, rejectionOf } from './connect.ts';
import { type Network, requestTimeoutMs, type SendError } from './network.ts';

export type Fetched = {
  status: number;
  headers: {
    etag?: string;
    lastModified?: string;
    contentType?: string;
    location?: string;
    retryAfter?: string;
  };
  body: Uint8Array;
};

export type GetError = Exclude<SendError, 'redirect'> | 'too_large';

const encodings = ['gzip', 'deflate', 'br'];

/**
 * @param isCut whether a longer body is cut, instead of being an error
 * @returns the response, or why there is no response. It never throws, and the request is not under way any more
 */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  network: Network,
  maxBytes: number,
  isCut = false,
): Promise<Fetched | { error: GetError }> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), network.timeoutMs ?? requestTimeoutMs);
  try {
    const address = await checkedAddress(url, network, signal);
    const allHeaders = { 'accept-encoding': encodings.join(', '), ...headers };
    const response = await exchange(url, address, { headers: allHeaders, network, signal });
    const body = await Promise.race([readBody(response, maxBytes, isCut, signal), rejectionOf(signal)]);
    return body === 'too_large' ? { error: body } : { ...describe(response), body };
  } catch (fault) {
    if (signal.aborted) return { error: 'timeout' };
    const error = fault instanceof Failed && fault.error !== 'redirect' ? fault.error : 'invalid_response';
    return { error };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function describe({ statusCode = 0, headers: responseHeaders }: IncomingMessage): Omit<Fetched, 'body'> {
  const names = {
    etag: responseHeaders.etag,
    lastModified: responseHeaders['last-modified'],
    contentType: responseHeaders['content-type'],
    location: responseHeaders.location,
    retryAfter: responseHeaders['retry-after'],
  };
  const headers = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
  return { status: statusCode, headers };
}

/** @throws Error if the body is cut, or does not have the declared encoding */
async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  isCut: boolean,
  signal: AbortSignal,
): Promise<Uint8Array | 'too_large'> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (await decode(response)) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) continue;
    response.destroy();
    return isCut ? Buffer.concat(chunks).subarray(0, maxBytes) : 'too_large';
  }
  assertComplete(response, signal);
  return Buffer.concat(chunks);
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
