/**
 * The kinds of jobs, each declared once. Everything else follows: who may see and cancel a job, its deadline, what happens to it
 * while its organisation is suspended, its result, what its runs share in the table, the descriptions of the
 * endpoints, the types of the clients, and the title in the console. The console has this file, so it imports no schemas.
 */

import type { Caller } from '../base/caller.ts';
import { holds, type Scope } from '../base/scopes.ts';
import { dayMs, hourMs } from '../base/time.ts';
import type { WhileSuspended } from '../workers/worker.ts';
import type { EvaluationState } from './evaluation.ts';
import type { RefreshState } from './refresh.ts';
import type { ExpungeResult, results } from './results.ts';

type Declared = {
  /** What it does, in the console. */
  title: string;
  /** The scope that seeing the job requires. */
  read: Scope;
  /** The scope that cancelling the job requires. */
  write: Scope;
  /** The job must end this long after its request. */
  lifetimeMs: number;
  /** What the next job does after a job that has not ended in time. The error message of that job says this. */
  afterDeadline: string;
  result: keyof typeof results;
  /** What its runs share, and the attribute of the table that stores each. */
  checkpoint: Readonly<Record<string, Attribute>>;
  whileSuspended: WhileSuspended;
  /**
   * `none`: it belongs to no environment. `kept`: a job of a credential that is bound to environments has them, and leaves out what
   * others have. `all`: it reaches all environments, so it does not exist for such a credential.
   */
  environments: 'none' | 'kept' | 'all';
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

const rebuild = {
  removesData: false,
  cancellable: true,
  endsWithCredential: false,
  whileSuspended: 'waits',
} as const;
const outward = { ...rebuild, endsWithCredential: true } as const;
const removal = {
  removesData: true,
  cancellable: false,
  endsWithCredential: false,
  whileSuspended: 'continues',
} as const;
/** A caller that may read the content may export it. */
const exportOf = (read: Scope, environments: Declared['environments']) =>
  ({
    ...outward,
    read,
    write: read,
    environments,
    lifetimeMs: fileJobMs,
    afterDeadline: 'Start another export: it begins again. Filters make an export smaller.',
    result: 'ExportResult',
    // The last record in a file, the number of complete files, and their size.
    checkpoint: { exportedUpTo: 'position', parts: 'blocks', exportedBytes: 'exportedBytes' },
  }) as const;

const knowledge = { read: 'knowledge:read', write: 'knowledge:write', environments: 'none' } as const;
const conversations = { read: 'conversations:read', write: 'conversations:write' } as const;

export const jobTypes = {
  'knowledge.reindex': {
    ...knowledge,
    ...rebuild,
    title: 'Re-index the knowledge',
    lifetimeMs: indexMs,
    afterDeadline: 'Start another job: it begins again, and uses the vectors that are computed.',
    result: 'ReindexResult',
    // `expired` is the last part that has got its TTL, with its build.
    checkpoint: { blocks: 'blocks', stopped: 'stopped', encoding: 'encoding', expired: 'position' },
  },
  'knowledge.refresh': {
    ...knowledge,
    ...outward,
    title: 'Refresh a source',
    lifetimeMs: crawlMs,
    afterDeadline:
      'The documents that it has changed stay. Refresh the source again: the refresh begins again.',
    result: 'RefreshResult',
    checkpoint: { refresh: 'refresh' },
  },
  'knowledge.remove-source': {
    ...knowledge,
    ...removal,
    title: 'Remove a source',
    lifetimeMs: dayMs,
    afterDeadline: 'The documents that are left can be deleted.',
    result: 'RemoveSourceResult',
    // The number of documents that stay.
    checkpoint: { released: 'blocks' },
  },
  'knowledge.expunge': {
    ...knowledge,
    ...removal,
    title: 'Expunge documents',
    lifetimeMs: dayMs,
    afterDeadline: 'Expunge the document again: the next job also removes what is left.',
    result: 'ExpungeResult',
    // The position in its phases (lib/erasure/expunge-documents.ts).
    checkpoint: { upTo: 'position', tally: 'tally' },
  },
  'conversations.erase': {
    ...conversations,
    ...removal,
    environments: 'all',
    title: 'Erase conversations',
    lifetimeMs: dayMs,
    afterDeadline: 'Erase the user again: the next job erases the conversations that are left.',
    result: 'EraseResult',
    // The last conversation that is counted, and later the begin of the wait (lib/erasure/erase-user.ts).
    checkpoint: { erasing: 'erasing', upTo: 'position' },
  },
  'conversations.reindex': {
    ...conversations,
    ...rebuild,
    environments: 'none',
    title: 'Re-index conversations',
    lifetimeMs: dayMs,
    afterDeadline: 'Start another job: it begins again.',
    result: 'ConversationsReindexResult',
    // The place of the build (lib/conversations/reindex.ts). After the new index is published, the last one that was removed from the old index.
    checkpoint: { upTo: 'position' },
  },
  'conversations.evaluate': {
    ...conversations,
    ...outward,
    environments: 'kept',
    title: 'Evaluate conversations',
    lifetimeMs: dayMs,
    afterDeadline: 'The scores that it has stored stay. Start another run: it gives the missing scores.',
    result: 'EvaluateResult',
    checkpoint: { evaluation: 'evaluation' },
  },
  'conversations.export': { ...exportOf('conversations:read', 'kept'), title: 'Export conversations' },
  'conversations.import': {
    ...conversations,
    ...rebuild,
    environments: 'kept',
    title: 'Import conversations',
    lifetimeMs: fileJobMs,
    afterDeadline:
      'The conversations so far stay. Upload the file again and start another import: it stores those that are missing.',
    result: 'ImportResult',
    // The last line that is done, as JSON (lib/bulk/imports/import.ts).
    checkpoint: { importedUpTo: 'position', imported: 'imported' },
  },
  'knowledge.export': { ...exportOf('knowledge:read', 'none'), title: 'Export documents' },
  'audit.export': { ...exportOf('audit:read', 'all'), title: 'Export the audit log' },
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

type Bound = Pick<Caller, 'environments'>;
type Reaching = { type: JobType; environments?: readonly string[] | undefined };

/** @returns whether the job exists for the caller: whether it reaches only environments that the caller has */
export function isInEnvironments({ environments: bound }: Bound, { type, environments }: Reaching): boolean {
  const reach = jobTypes[type].environments;
  if (reach === 'none' || bound === null) return true;
  return reach === 'kept' && (environments?.every((name) => bound.includes(name)) ?? false);
}

/** @returns whether the caller may read the job */
export const maySee = (caller: Bound & Pick<Caller, 'scopes'>, job: Reaching): boolean =>
  holds(caller.scopes, jobTypes[job.type].read) && isInEnvironments(caller, job);

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

/** The attributes of a stored job in which its runs keep their checkpoints. Several types of jobs use the same ones. */
export type Attributes = {
  /** A number of blocks, files or documents: where the next run continues. */
  blocks: number;
  /** The last item that is done. Empty before the first. */
  position: string;
  /** The number of documents whose reading was stopped. */
  stopped: number;
  /** The number of steps that still compute vectors. Undefined before there are such steps. */
  encoding: number | undefined;
  /** The conversations that are erased, and may not be purged yet. A limited number. */
  erasing: readonly string[];
  tally: ExpungeResult | undefined;
  /** The size of the complete files. */
  exportedBytes: number;
  imported: { created: number; unchanged: number };
  refresh: RefreshState | undefined;
  evaluation: EvaluationState | undefined;
};

export type Attribute = keyof Attributes;

/** The attributes of a new job. */
export const initial: Attributes = {
  blocks: 0,
  position: '',
  stopped: 0,
  encoding: undefined,
  erasing: [],
  tally: undefined,
  exportedBytes: 0,
  imported: { created: 0, unchanged: 0 },
  refresh: undefined,
  evaluation: undefined,
};
