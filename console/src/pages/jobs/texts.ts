/** Texts about jobs. */

import type { Job } from '../../../../clients/typescript/src/index.ts';
import { type JobType, jobTypeNames, jobTypes } from '../../../../lib/jobs/types.ts';

const isKnown = (type: string): type is JobType => jobTypeNames.some((one) => one === type);

export const titleOf = (type: string): string => (isKnown(type) ? jobTypes[type].title : type);

/** @returns the declaration of the type; undefined for a type that is newer than this console */
export const declarationOf = ({ type }: Pick<Job, 'type'>) => (isKnown(type) ? jobTypes[type] : undefined);

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** @returns how much of the work is done, from 0 to 1; undefined until the amount of work is known */
export const shareOf = ({ progress: { total, done } }: Pick<Job, 'progress'>): number | undefined =>
  total > 0 ? done / total : undefined;

export const counts = ({ progress: { total, done, failed } }: Pick<Job, 'progress'>): string =>
  `${total > 0 ? `${done.toLocaleString('en')} of ${total.toLocaleString('en')}` : done.toLocaleString('en')} done` +
  (failed > 0 ? `, ${failed.toLocaleString('en')} failed` : '');

/** @returns whether an import has read its file, and has stored no conversation of it */
export const hasImportedNothing = ({ result }: Pick<Job, 'result'>): boolean =>
  result !== null && 'errors' in result && result.failed > 0 && result.created + result.unchanged === 0;

/** @returns the state of a job as a word with its tone: work may have failed in a job that has succeeded */
export function stateOf(job: Pick<Job, 'status' | 'result' | 'progress'>): {
  value: string;
  tone?: 'bad' | 'busy';
} {
  if (job.status !== 'succeeded' || job.progress.failed === 0) return { value: job.status };
  return hasImportedNothing(job)
    ? { value: 'imported nothing', tone: 'bad' }
    : { value: 'succeeded in part', tone: 'busy' };
}

/** @returns the seconds from the start of a job to its end, or until now */
export const secondsOf = ({ startedAt, finishedAt }: Pick<Job, 'startedAt' | 'finishedAt'>, nowMs: number) =>
  startedAt
    ? Math.max(0, ((finishedAt ? Date.parse(finishedAt) : nowMs) - Date.parse(startedAt)) / 1000)
    : undefined;
