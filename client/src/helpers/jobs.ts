/** Waits for jobs. */

import { named, PlatformError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions } from '../core/options.ts';
import { url } from '../core/resource.ts';
import { elapsedMs, pause } from '../core/timing.ts';
import { JobsMethods } from '../generated/methods.ts';
import type {
  ConversationsReindexResult,
  EraseResult,
  ExportResult,
  ExpungeResult,
  ImportResult,
  Job,
  ReindexResult,
} from '../generated/types.ts';
import { longPoll } from './long-poll.ts';

type JobResults = {
  'knowledge.reindex': ReindexResult;
  'knowledge.expunge': ExpungeResult;
  'conversations.erase': EraseResult;
  'conversations.reindex': ConversationsReindexResult;
  'conversations.export': ExportResult;
  'conversations.import': ImportResult;
  'knowledge.export': ExportResult;
  'audit.export': ExportResult;
};

type Base = Omit<Job, 'type' | 'status' | 'result' | 'error' | 'finishedAt'> & { finishedAt: string };

/** What the job did. `type` says which fields the result has. */
export type SucceededJob = {
  [Type in keyof JobResults]: Base & {
    type: Type;
    status: 'succeeded';
    result: JobResults[Type];
    error: null;
  };
}[keyof JobResults];

export type FailedJob = Base & {
  type: Job['type'];
  status: 'failed';
  result: null;
  error: NonNullable<Job['error']>;
};

export type CancelledJob = Base & { type: Job['type']; status: 'cancelled'; result: null; error: null };

/** A job that will not change any more. `status` says which it is. */
export type EndedJob = SucceededJob | FailedJob | CancelledJob;

export type WaitOptions = Omit<RequestOptions, 'deadlineMs'> & {
  /** The time limit of the whole wait. The job goes on. Default: none, because every job has a deadline of its own. */
  deadlineMs?: number | undefined;
  /** Is called after each look at the job. */
  onProgress?: ((job: Job) => void) | undefined;
};

/** A job, its id, or the promise of one: what `knowledge.reindex()` returns. */
export type JobReference = string | { id: string } | PromiseLike<string | { id: string }>;

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

export class Jobs extends JobsMethods {
  /**
   * Waits until a job has ended, also through failures of the connection. A failed job is a result, not an error:
   * `waitForSuccess` makes it one.
   * @throws `TimeoutError` at the deadline
   */
  async wait(job: JobReference, options: WaitOptions = {}): Promise<EndedJob> {
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
        throw error instanceof TimeoutError && elapsedMs() >= endsMs ? timeout : error;
      });
      onProgress?.(data);
      if (data.finishedAt !== null) return data as EndedJob;
      await pause(Math.min(pauseMs, Math.max(0, endsMs - elapsedMs())), options.signal);
    }
  }

  /**
   * Waits until a job has succeeded.
   * @throws `JobFailedError` if it has failed or was cancelled, `TimeoutError` at the deadline
   */
  async waitForSuccess(job: JobReference, options?: WaitOptions): Promise<SucceededJob> {
    const ended = await this.wait(job, options);
    if (ended.status !== 'succeeded') throw new JobFailedError(ended);
    return ended;
  }
}
