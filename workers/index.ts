/** Every worker: what runs behind the answers. */

import type { Worker } from '../lib/worker.ts';

export const workers: readonly Worker[] = [];
