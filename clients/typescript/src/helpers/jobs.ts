/** Waits for jobs. */

import { named, PlatformError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import { url } from '../core/resource.ts';
import { elapsedMs, pause } from '../core/timing.ts';
import { JobsMethods } from '../generated/methods.ts';
import type {
  ConversationsReindexResult,
  EraseResult,
  EvaluateResult,
  ExportResult,
  ExpungeResult,
  ImportResult,
  Job,
  RefreshResult,
  ReindexResult,
  RemoveSourceResult,
} from '../generated/types.ts';
import { longPoll } from './long-poll.ts';

/** The result of a job of each type. */
type JobResults = {
  'knowledge.reindex': ReindexResult;
  'knowledge.expunge': ExpungeResult;
  'knowledge.refresh': RefreshResult;
  'knowledge.remove-source': RemoveSourceResult;
  'conversations.erase': EraseResult;
  'conversations.evaluate': EvaluateResult;
  'conversations.reindex': ConversationsReindexResult;
  'conversations.export': ExportResult;
  'conversations.import': ImportResult;
  'knowledge.export': ExportResult;
  'audit.export': ExportResult;
};

/** The known types, without types that a later API may add. Each has a result above, or this file does not compile. */
export type JobType = Known<Job['type']>;

type Known<Type> = Type extends string
  ? Record<never, never> extends Record<Type, true>
    ? never
    : Type
  : never;

/** A job whose type is known, such as the job that `knowledge.reindex()` starts. */
export type JobOf<Type extends JobType> = Omit<Job, 'type'> & { type: Type };

type Base = Omit<Job, 'type' | 'status' | 'result' | 'error' | 'finishedAt'> & { finishedAt: string };

/** A job with its result. `type` says which fields the result has. */
export type SucceededJob<Type extends JobType = JobType> = {
  [Name in Type]: Base & { type: Name; status: 'succeeded'; result: JobResults[Name]; error: null };
}[Type];

export type FailedJob<Type extends JobType = JobType> = Base & {
  type: Type;
  status: 'failed';
  result: null;
  error: NonNullable<Job['error']>;
};

export type CancelledJob<Type extends JobType = JobType> = Base & {
  type: Type;
  status: 'cancelled';
  result: null;
  error: null;
};

/** A job that will not change any more. `status` says how it has ended. */
export type EndedJob<Type extends JobType = JobType> =
  | SucceededJob<Type>
  | FailedJob<Type>
  | CancelledJob<Type>;

export type WaitOptions = Omit<RequestOptions, 'deadlineMs'> & {
  /** The time limit of the whole wait. The job goes on. Default: none, because every job has a deadline of its own. */
  deadlineMs?: number | undefined;
  /** Is called after each look at the job. */
  onProgress?: ((job: Job) => void) | undefined;
};

/** A job, its id, or the promise of either, such as `knowledge.reindex()` returns. */
export type JobReference = string | { id: string } | PromiseLike<string | { id: string }>;

/** The type of the job in a reference, or every type if the reference does not say it. */
type TypeOf<Reference> = Awaited<Reference> extends { type: infer Type extends JobType } ? Type : JobType;

export class JobFailedError extends PlatformError {
  static {
    named(JobFailedError, 'JobFailedError');
  }

  readonly job: FailedJob | CancelledJob;

  constructor(job: FailedJob | CancelledJob) {
    super(
      job.status === 'failed'
        ? `The job ${job.id} (${job.type}) failed: ${job.error.message} (${job.error.code})`
        : `The job ${job.id} (${job.type}) was cancelled.`,
    );
    this.job = job;
  }
}

/** Timers count whole milliseconds, so a timer may fire just before its time. */
const earlyMs = 2;

export class Jobs extends JobsMethods {
  /**
   * Waits until a job has ended, also through failures of the connection. A failed job is a result, not an error. For
   * `waitForSuccess`, it is an error.
   * @returns the job. If its type is known, its result has a type: that of `knowledge.reindex()` is a `ReindexResult`
   * @throws `TimeoutError` at the deadline
   */
  async wait<Reference extends JobReference>(
    job: Reference,
    options: WaitOptions = {},
  ): Promise<EndedJob<TypeOf<Reference>>> {
    const { deadlineMs = Number.POSITIVE_INFINITY, onProgress, ...rest } = options;
    const endsMs = elapsedMs() + deadlineMs;
    const reference = await job;
    const id = typeof reference === 'string' ? reference : reference.id;
    for (;;) {
      const leftMs = endsMs - elapsedMs();
      const timeout = new TimeoutError(`The job ${id} has not ended within ${deadlineMs} ms.`);
      if (leftMs <= 0) throw timeout;
      const { data, pauseMs } = await longPoll<Job>(
        (request) => this.send<Job>({ method: 'GET', path: url`/jobs/${id}`, ...request }),
        {},
        { ...rest, leftMs },
      ).catch((error) => {
        throw error instanceof TimeoutError && elapsedMs() >= endsMs - earlyMs ? timeout : error;
      });
      onProgress?.(data);
      if (data.finishedAt !== null) return data as EndedJob<TypeOf<Reference>>;
      await pause(Math.min(pauseMs, Math.max(0, endsMs - elapsedMs())), options.signal);
    }
  }

  /**
   * Waits until a job has succeeded.
   * @throws `JobFailedError` if it has failed or was cancelled, `TimeoutError` at the deadline
   */
  async waitForSuccess<Reference extends JobReference>(
    job: Reference,
    options?: WaitOptions,
  ): Promise<SucceededJob<TypeOf<Reference>>> {
    const endedJob = await this.wait(job, options);
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
    return endedJob;
  }
}
