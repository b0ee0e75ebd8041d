/** The state that the runs of a job share. The declaration of its type names its parts, and says where each is stored. Pure. */

import { type Attribute, type Attributes, initial } from './attributes.ts';
import type { JobItem } from './job.ts';
import { type JobType, jobTypes } from './types.ts';

type Names<Type extends JobType> = (typeof jobTypes)[Type]['checkpoint'];
type Checkpoint<Type extends JobType> = {
  -readonly [Name in keyof Names<Type>]: Names<Type>[Name] extends Attribute
    ? Attributes[Names<Type>[Name]]
    : never;
};

type Shared = Omit<JobItem, 'type' | Attribute>;

/** A job as its worker knows it. */
export type JobOf<Type extends JobType> = Shared & { type: Type } & Checkpoint<Type>;

/** The changes of a job by a run. */
export type JobProgress<Type extends JobType> = Partial<Omit<Shared, 'id'>> & Partial<Checkpoint<Type>>;

const attributesOfType = (type: JobType): readonly (readonly [name: string, Attribute])[] =>
  Object.entries(jobTypes[type].checkpoint);

/** @returns the job as its worker knows it */
export function stateOf(job: JobItem): JobOf<JobType> {
  const parts = attributesOfType(job.type).map(([name, attribute]) => [
    name,
    job[attribute] ?? initial[attribute],
  ]);
  return { ...job, ...Object.fromEntries(parts) };
}

/** @returns the attributes of these changes in the table */
export function attributesOf<Type extends JobType>(
  type: Type,
  changes: JobProgress<Type>,
): Partial<Omit<JobItem, 'id' | 'type'>> {
  const names = new Map<string, string>(attributesOfType(type));
  const known = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [names.get(name) ?? name, value]));
}
