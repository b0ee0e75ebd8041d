/** Downloads a file by a link that works for a while, and for anyone: without the key. */

import { limitedBy } from './attempt.ts';
import { delayMs } from './backoff.ts';
import { ConnectionError } from './errors.ts';
import type { Settings } from './resource.ts';
import { pause } from './timing.ts';

/** The statuses of a storage for a link whose time is over, or whose file is gone. */
const refusalStatuses = [403, 404];

/**
 * A lost connection is opened again, and continues after the last byte. The caller may take its time between two chunks.
 * @param linkFor returns a link: after each failure, a new link. It throws if the file is gone
 * @param bytes the size of the file
 */
export async function* download(
  linkFor: (isNew: boolean) => Promise<string>,
  bytes: number,
  settings: Settings,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { maxRetries, signal } = settings;
  let received = 0;
  // Both numbers count from the last byte.
  let failures = 0;
  let refusals = 0;
  while (received < bytes) {
    const link = await linkFor(failures > 0);
    try {
      for await (const chunk of read(link, received, settings)) {
        received += chunk.length;
        failures = 0;
        refusals = 0;
        yield chunk;
      }
      if (received < bytes) throw new ConnectionError('The file was cut off.');
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      failures += 1;
      // At the second refusal, the link was new.
      if (error instanceof RefusedError) refusals += 1;
      if (failures > maxRetries || refusals > 1) throw error;
      await pause(refusals > 0 ? 0 : delayMs(failures, undefined, Math.random()), signal);
    }
  }
}

class RefusedError extends ConnectionError {}

/** Sends one request. @param from the number of bytes to leave out */
async function* read(
  link: string,
  from: number,
  { fetch, timeoutMs, signal }: Settings,
): AsyncGenerator<Uint8Array, void, undefined> {
  const limit = limitedBy(signal);
  const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
    const timer = limit.abortAfter(timeoutMs, 'byte of the file');
    try {
      return await limit.race(work);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const headers: Record<string, string> = from > 0 ? { Range: `bytes=${from}-` } : {};
    const response = await inTime(fetch(link, { headers, signal: limit.signal }));
    const { ok, status, body } = response;
    if (!ok) {
      const Failure = refusalStatuses.includes(status) ? RefusedError : ConnectionError;
      throw new Failure(`The file cannot be downloaded: the response has status ${status}.`);
    }
    // Not every server knows ranges.
    let left = status === 206 ? 0 : from;
    const reader = body?.getReader();
    for (;;) {
      const { done, value } = reader ? await inTime(reader.read()) : { done: true };
      if (done || !value) return;
      const rest = value.subarray(Math.min(left, value.length));
      left -= value.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  } catch (error) {
    // The link gives access to the file, so the error must not show it.
    throw limit.failureFrom(error, (text) => text.replaceAll(link, '…'), link);
  } finally {
    limit.stop();
    limit.abort();
  }
}
