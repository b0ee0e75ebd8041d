/** What the attributes of a stored job mean for each type of job. */

import { expect, test } from 'vitest';
import { attributesOf, newJob, stateOf } from '../../../lib/jobs/job.ts';
import type { JobType } from '../../../lib/jobs/types.ts';

const id = 'job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const newItem = (type: JobType) => newJob(id, type, 'key_test', 0);
const tally = { expunged: 2, replacedVersions: 1, environments: ['production'] };

test.each([
  ['knowledge.reindex', { blocks: 3 }, { blocks: 3 }],
  ['knowledge.expunge', { position: 'v1', tally }, { upTo: 'v1', tally }],
  ['conversations.erase', { erasing: ['conv_1'], position: '~1' }, { erasing: ['conv_1'], upTo: '~1' }],
  ['knowledge.remove-source', {}, { released: 0 }],
  ['conversations.reindex', { position: 'conv_1' }, { upTo: 'conv_1' }],
  [
    'audit.export',
    { position: 'evt_1', blocks: 2, exportedBytes: 10 },
    { exportedUpTo: 'evt_1', parts: 2, exportedBytes: 10 },
  ],
  [
    'conversations.import',
    { position: '{"line":1}', imported: { created: 1, unchanged: 2 } },
    { importedUpTo: '{"line":1}', imported: { created: 1, unchanged: 2 } },
  ],
] as const)('a run of %s continues with %j as %j', (type, stored, known) => {
  expect(stateOf({ ...newItem(type), ...stored })).toMatchObject(known);
});

test.each([
  ['knowledge.reindex', { blocks: 3 }, { blocks: 3 }],
  ['knowledge.expunge', { upTo: 'v1', tally }, { position: 'v1', tally }],
  ['conversations.reindex', { upTo: '' }, { position: '' }],
  [
    'audit.export',
    { exportedUpTo: 'evt_1', parts: 2, exportedBytes: 10 },
    { position: 'evt_1', blocks: 2, exportedBytes: 10 },
  ],
  ['conversations.import', { importedUpTo: '', attempt: '' }, { position: '', attempt: '' }],
  ['conversations.erase', { erasing: [], status: 'succeeded' }, { erasing: [], status: 'succeeded' }],
] as const)('of %s, %j is stored as %j', (type, changes, stored) => {
  expect(attributesOf(type, changes)).toEqual(stored);
});
