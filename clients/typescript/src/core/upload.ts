/** Uploads a file to a link that works for a while, and for anyone: without the key. */

import { limitedBy } from './attempt.ts';
import { delayMs } from './backoff.ts';
import { ConnectionError } from './errors.ts';
import type { Settings } from './resource.ts';
import { pause } from './timing.ts';

/** A Blob. In Node, an object with the size and the stream of a file is enough. */
export type FileSource = Pick<Blob, 'size' | 'stream'>;

/** A slower upload is given up. */
const leastBytesPerMs = 20;

/**
 * Sends the file as often as necessary.
 * @param create returns a place for the file. If the link is refused, it is called again, because the time of the link may be over
 * @returns the id of the place that has the file
 */
export async function upload(
  create: () => Promise<{ id: string; url: string }>,
  source: FileSource,
  settings: Settings,
): Promise<string> {
  let place = await create();
  let refusals = 0;
  for (let failures = 1; ; failures += 1) {
    try {
      const status = await send(place.url, source, settings);
      if (status < 300) return place.id;
      if (status === 403) refusals += 1;
      throw new ConnectionError(`The file cannot be uploaded: the response has status ${status}.`);
    } catch (error) {
      const isOver = failures > settings.maxRetries || refusals > 1;
      if (!(error instanceof ConnectionError) || isOver) throw error;
    }
    await pause(delayMs(failures, undefined, Math.random()), settings.signal);
    if (refusals > 0) place = await create();
  }
}

/** @returns the status */
async function send(link: string, source: FileSource, settings: Settings): Promise<number> {
  const { fetch, timeoutMs, signal } = settings;
  const limit = limitedBy(signal);
  const timer = limit.abortAfter(timeoutMs + source.size / leastBytesPerMs, 'response to the file');
  try {
    const init: RequestInit & { duplex?: 'half' } = { method: 'PUT', signal: limit.signal };
    if (source instanceof Blob) init.body = source;
    // Without the size, a stream would be sent in chunks, which storages refuse.
    else
      Object.assign(init, {
        body: source.stream(),
        duplex: 'half',
        headers: { 'Content-Length': `${source.size}` },
      });
    const response = await limit.race(fetch(link, init));
    await limit.race(response.arrayBuffer());
    return response.status;
  } catch (error) {
    throw limit.failureFrom(error, (text) => text.replaceAll(link, '…'), link);
  } finally {
    clearTimeout(timer);
    limit.stop();
    limit.abort();
  }
}
