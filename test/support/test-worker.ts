/** A worker of the tests. */

import type { Notice } from '../../lib/workers/notice.ts';
import { defineWorker, type Worker } from '../../lib/workers/worker.ts';

/** @returns a worker that wants all changes of projects */
export const testWorker = (handle: Worker['handle'], changes: Partial<Worker> = {}): Worker => ({
  ...defineWorker({
    id: 'test-worker',
    summary: 'A worker of the tests',
    sources: ['projects'],
    wants: () => true,
    access: { projects: ['GetItem', 'UpdateItem'] },
    ends: 'short',
    batchSize: 10,
    whileSuspended: 'continues',
    impact: 'Nothing.',
    handle,
  }),
  ...changes,
});

/** @returns a notice of a project */
export const projectNotice = (id: string, changes: Partial<Notice> = {}): Notice => ({
  table: 'projects',
  kind: 'INSERT',
  tenant: 'org_1#live',
  partition: [],
  id,
  atMs: 0,
  sequence: '1',
  ...changes,
});
