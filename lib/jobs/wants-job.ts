import type { Change } from '../workers/change.ts';
import type { Job } from './schema.ts';
import { jobs } from './store.ts';

/** @returns whether a change of the jobs table is a new job of one of these types */
export const wantsJob =
  (...types: readonly Job['type'][]) =>
  ({ kind, partition, id, after }: Change): boolean =>
    kind === 'INSERT' &&
    partition.length === 1 &&
    id.startsWith('job_') &&
    after !== undefined &&
    types.includes(jobs.read(after).type);
