/** What the error of a job says that has not ended in time: what another job does is true for its type. */

import { describe, expect, test } from 'vitest';
import { jobAt, newJob } from '../../../lib/jobs/job.ts';
import { type JobType, jobTypeNames, jobTypes } from '../../../lib/jobs/types.ts';

const startMs = Date.parse('2026-03-01T09:30:00Z');

/** Whether another job of the type begins from the beginning, or does what is left. */
const another: Readonly<Record<JobType, 'begins again' | 'does the rest'>> = {
  'audit.export': 'begins again',
  'conversations.erase': 'does the rest',
  'conversations.evaluate': 'does the rest',
  'conversations.export': 'begins again',
  'conversations.import': 'does the rest',
  'conversations.reindex': 'begins again',
  'knowledge.expunge': 'does the rest',
  'knowledge.export': 'begins again',
  'knowledge.refresh': 'begins again',
  'knowledge.reindex': 'begins again',
  'knowledge.remove-source': 'does the rest',
};

describe.each(jobTypeNames)('%s', (type) => {
  const job = newJob('job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', type, 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', startMs);
  const shownAfter = (ms: number) => jobAt(job, startMs + ms, { suspensions: [] });

  test('has no error before its deadline', () => {
    expect(shownAfter(jobTypes[type].lifetimeMs - 1)).toMatchObject({ status: 'queued', error: null });
  });

  test(`says after its deadline that another job ${another[type]}`, () => {
    const { status, error } = shownAfter(jobTypes[type].lifetimeMs);
    expect([status, error?.code]).toEqual(['failed', 'deadline_exceeded']);
    const message = error?.message ?? '';
    expect(message).toMatch(/^The job did not end in time\. [A-Z].*\.$/);
    // No job continues another one.
    expect(message).not.toMatch(/continue/i);
    expect(/begins again/.test(message)).toBe(another[type] === 'begins again');
    expect(/\b(left|missing)\b/.test(message)).toBe(another[type] === 'does the rest');
  });
});
