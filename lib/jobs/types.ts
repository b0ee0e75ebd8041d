/**
 * The types of jobs. Who may see and cancel a job, how long it may take and whether it can be cancelled follows from the
 * declaration of its type, and so do the descriptions of the endpoints. A new type needs a line here, the schema of its
 * result, and a worker.
 */

import { holds, type Scope } from '../base/scopes.ts';
import { dayMs, hourMs } from '../base/time.ts';

type Declared = {
  /** The scope that seeing the job requires. */
  read: Scope;
  /** The scope that cancelling the job requires. */
  write: Scope;
  /** The job must end this long after its request. */
  lifetimeMs: number;
  /** What the next job does after a job that has not ended in time. A part of the error message of the latter. */
  afterDeadline: string;
} & (
  | {
      removesData: false;
      cancellable: boolean;
      /**
       * Whether it ends when the key or identity that requested it is revoked with its children: it sends something, costs
       * money, or copies data out. Its runs ask for this before each such act (lib/jobs/run.ts).
       */
      endsWithCredential: boolean;
    }
  /** Its request promised that the data goes away, so nobody can take it back. */
  | { removesData: true; cancellable: false; endsWithCredential: false }
);

/** Files that a job reads or writes live for a day, so it must not take that long. */
const fileJobMs = 6 * hourMs;

/** Computing the vectors of the largest index takes hours. */
const indexMs = 6 * hourMs;

/** A slow site may want pauses between requests. */
const crawlMs = 6 * hourMs;

const rebuild = { removesData: false, cancellable: true, endsWithCredential: false } as const;
const outward = { ...rebuild, endsWithCredential: true } as const;
const removal = { removesData: true, cancellable: false, endsWithCredential: false } as const;
/** A caller that may read the content may export it. */
const exportOf = (read: Scope) => ({
  ...outward,
  read,
  write: read,
  lifetimeMs: fileJobMs,
  afterDeadline: 'Start another export: it begins again. Filters make an export smaller.',
});

const knowledge = { read: 'knowledge:read', write: 'knowledge:write' } as const;
const conversations = { read: 'conversations:read', write: 'conversations:write' } as const;

export const jobTypes = {
  'knowledge.reindex': {
    ...knowledge,
    ...rebuild,
    lifetimeMs: indexMs,
    afterDeadline: 'Start another job: it begins again, and uses the vectors that are computed.',
  },
  'knowledge.refresh': {
    ...knowledge,
    ...outward,
    lifetimeMs: crawlMs,
    afterDeadline:
      'The documents that it has changed stay. Refresh the source again: the refresh begins again.',
  },
  'knowledge.remove-source': {
    ...knowledge,
    ...removal,
    lifetimeMs: dayMs,
    afterDeadline: 'The documents that are left can be deleted.',
  },
  'knowledge.expunge': {
    ...knowledge,
    ...removal,
    lifetimeMs: dayMs,
    afterDeadline: 'Expunge the document again: the next job also removes what is left.',
  },
  'conversations.erase': {
    ...conversations,
    ...removal,
    lifetimeMs: dayMs,
    afterDeadline: 'Erase the user again: the next job erases the conversations that are left.',
  },
  'conversations.reindex': {
    ...conversations,
    ...rebuild,
    lifetimeMs: dayMs,
    afterDeadline: 'Start another job: it begins again.',
  },
  'conversations.evaluate': {
    ...conversations,
    ...outward,
    lifetimeMs: dayMs,
    afterDeadline: 'The scores that it has stored stay. Start another run: it gives the missing scores.',
  },
  'conversations.export': exportOf('conversations:read'),
  'conversations.import': {
    ...conversations,
    ...rebuild,
    lifetimeMs: fileJobMs,
    afterDeadline:
      'The conversations so far stay. Upload the file again and start another import: it stores those that are missing.',
  },
  'knowledge.export': exportOf('knowledge:read'),
  'audit.export': exportOf('audit:read'),
} as const satisfies Readonly<Record<string, Declared>>;

export type JobType = keyof typeof jobTypes;
export const jobTypeNames = Object.keys(jobTypes) as [JobType, ...JobType[]];

type Permission = 'read' | 'write';

/** @returns the scope that a caller needs to read or cancel the job */
export const scopeOf = ({ type }: { type: JobType }, permission: Permission): Scope =>
  jobTypes[type][permission];

/** @returns the scopes of all types: a caller without any of them may read or cancel no job */
export const scopesOfJobs = (permission: Permission): Scope[] => [
  ...new Set(jobTypeNames.map((type) => jobTypes[type][permission])),
];

/** @returns whether a caller with these scopes may read jobs of the type */
export const maySee = (scopes: readonly Scope[], type: JobType): boolean =>
  holds(scopes, jobTypes[type].read);

/** @returns Markdown: the scope, and for which types it is required */
export const describeScopes = (permission: Permission): string =>
  scopesOfJobs(permission)
    .map((scope) => {
      const types = jobTypeNames.filter((type) => jobTypes[type][permission] === scope);
      return `* \`${scope}\`: ${listed(types)}`;
    })
    .join('\n');

/** @returns Markdown: the types of jobs that end with the credential that requested them */
export const describeEndingWithCredential = (): string =>
  listed(jobTypeNames.filter((type) => jobTypes[type].endsWithCredential));

/** @returns Markdown: the types of jobs that cannot be cancelled */
export const describeUncancellable = (): string =>
  listed(jobTypeNames.filter((type) => !jobTypes[type].cancellable));

const listed = (types: readonly JobType[]): string => types.map((type) => `\`${type}\``).join(', ');
