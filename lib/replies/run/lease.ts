/** The lease of a worker on a reply. It is renewed while the model answers, and ends the call if it is lost. */

import { isWorkEnded } from '../../api-keys/store/credentials.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { leaseMs, renewMs as usualRenewMs } from '../reply.ts';
import {
  changeOwnReply,
  type ProjectStore,
  requireOpen,
  type StoredReply,
  skewMs,
} from '../store/replies.ts';
import { ReplyLost } from './text.ts';

/** The credential of the reply was revoked, with everything that it has started. */
export class CredentialRevoked extends Error {}

type Input = Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs'>;

export type Lease = {
  /** Aborts when the lease is lost (ReplyLost), or when the credential has ended (CredentialRevoked). */
  signal: AbortSignal;
  /** @returns whether it is held, as this worker knows */
  isHeld(): boolean;
  close(): void;
};

/**
 * @param reply with its lease
 * @param renewMs how often it is renewed: milliseconds
 */
export function keepLease(
  store: ProjectStore,
  reply: StoredReply,
  input: Input,
  renewMs = usualRenewMs,
): Lease {
  const controller = new AbortController();
  let heldUntilMs = reply.leaseUntilMs ?? 0;
  const renew = async () => {
    if (await isWorkEnded(store, reply.createdBy)) return controller.abort(new CredentialRevoked());
    const nowMs = input.nowMs();
    const leaseUntilMs = nowMs + leaseMs;
    const refusal = await commitPatiently(input, [
      changeOwnReply(store, reply, { leaseUntilMs }, nowMs),
      // The conversation does not name dry runs.
      ...(reply.dryRun ? [] : [requireOpen(store, reply)]),
    ]);
    if (refusal) return controller.abort(new ReplyLost());
    heldUntilMs = leaseUntilMs;
  };
  let timer = setTimeout(function again() {
    renew()
      // The next renewal may succeed. Without one, the lease is over.
      .catch(() => {})
      .finally(() => {
        if (controller.signal.aborted) return;
        if (input.nowMs() + skewMs >= heldUntilMs) controller.abort(new ReplyLost());
        else timer = setTimeout(again, renewMs).unref();
      });
  }, renewMs).unref();
  return {
    signal: controller.signal,
    isHeld: () => !controller.signal.aborted && input.nowMs() + skewMs < heldUntilMs,
    close: () => {
      clearTimeout(timer);
      controller.abort(new ReplyLost());
    },
  };
}
