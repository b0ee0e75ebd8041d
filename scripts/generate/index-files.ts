/** functions/index.ts and workers/index.ts: the lists of the files in their folders. */

import { endpointIndex, workerIndex } from '../new/index-file.ts';
import { endpointsInFiles, workersInFiles } from '../new/known.ts';
import type { Files } from './files.ts';

export const generate = async (): Promise<Files> => ({
  'functions/index.ts': endpointIndex(await endpointsInFiles()),
  'workers/index.ts': workerIndex(workersInFiles()),
});
