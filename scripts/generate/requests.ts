/**
 * What follows from the responses to the sample requests: the examples of the OpenAPI document, everything that is made from it, and
 * the costs of each endpoint in docs/storage.md. A thread sends the requests, so other parts can compute at the same time.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Files } from './files.ts';

export async function generate(): Promise<Files> {
  const thread = new Worker(new URL('./requests-thread.ts', import.meta.url));
  // Rejects if the thread fails.
  const [files] = await once(thread, 'message');
  return files;
}
