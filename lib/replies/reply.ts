/** The state of a reply. Pure. */

import { microUsdOf, usdOf } from '../base/money.ts';
import { secondMs, timestamp } from '../base/time.ts';
import type { ListedReply, Reply } from './schema/reply.ts';
import type { ReplyItem } from './store/replies.ts';

/** A worker owns a reply for this time, and renews it while it works. */
export const leaseMs = 30 * secondMs;
export const renewMs = 10 * secondMs;

export const isOpen = ({ status }: Pick<ReplyItem, 'status'>): boolean =>
  status === 'queued' || status === 'running';

export const lostWorker = {
  code: 'worker_lost',
  message:
    'The work on the reply stopped, and the model may have been asked. It is not asked again by itself, because it may have cost.',
};

/** @returns the reply as it is at this time: without its worker it is unknown, even if that is not stored yet */
export function replyAt<Reply extends ReplyItem>(reply: Reply, nowMs: number): Reply {
  const { status, leaseUntilMs = 0, reservedMicroUsd = 0 } = reply;
  if (status !== 'running' || leaseUntilMs > nowMs) return reply;
  return { ...reply, ...lostAt(leaseUntilMs), microUsd: reservedMicroUsd };
}

const lostAt = (ms: number) =>
  ({ status: 'unknown', failure: lostWorker, finishedAt: timestamp(ms) }) as const;

/** @returns the reply as the API shows it */
export function showReply({ maxMicroUsd, microUsd, dryRun, ...reply }: ReplyItem): ListedReply {
  return {
    ...reply,
    dryRun: dryRun ?? false,
    maxCostUsd: maxMicroUsd === null ? null : usdOf(maxMicroUsd),
    costUsd: microUsd === null ? null : usdOf(microUsd),
  };
}

/** @returns a reply as the response to its request shows it */
export const withoutText = (reply: ReplyItem): Reply => ({
  ...showReply(reply),
  text: '',
  nextAfter: 0,
  request: null,
});

type Begun = Pick<
  ReplyItem,
  | 'id'
  | 'conversationId'
  | 'inputMessageId'
  | 'inputSeq'
  | 'retryOf'
  | 'environment'
  | 'deploymentId'
  | 'draft'
  | 'avatarId'
  | 'avatarVersion'
  | 'createdBy'
>;

export const queuedReply = (
  begun: Begun,
  {
    maxCostUsd,
    dryRun,
    question,
  }: { maxCostUsd: number | undefined; dryRun: boolean; question: string | undefined },
  nowMs: number,
): ReplyItem => ({
  ...begun,
  // The question of a reply that is asked again is a message.
  ...(dryRun && { dryRun, ...(question !== undefined && { question }) }),
  status: 'queued',
  maxMicroUsd: maxCostUsd === undefined ? null : microUsdOf(maxCostUsd),
  indexVersion: null,
  messageId: null,
  citations: [],
  passages: [],
  removedMarkers: 0,
  leftOutMessages: 0,
  model: null,
  inputTokens: null,
  outputTokens: null,
  microUsd: null,
  finishReason: null,
  firstTextMs: null,
  totalMs: null,
  mode: null,
  failure: null,
  createdAt: timestamp(nowMs),
  startedAt: null,
  finishedAt: null,
});
