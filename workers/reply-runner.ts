import { secondMs } from '../lib/base/time.ts';
import { memoryMbToEncode } from '../lib/indexing/search/meanings.ts';
import { answerReply, type Times } from '../lib/replies/run/answer.ts';
import { replies } from '../lib/replies/store/replies.ts';
import { Suspended } from '../lib/workers/suspension.ts';
import { defineWorker, type Worker } from '../lib/workers/worker.ts';

/** The most that one organisation has at the same time, unless its stage says another number. */
const repliesAtOnce = 20;
const callMs = 120 * secondMs;

/** Answers all replies of a batch at the same time. */
export function answersWithin(times: Times): Worker['handle'] {
  return async (notices, input) => {
    const ends = await Promise.allSettled(
      notices.map((notice) =>
        answerReply(input.store.inProject(`${notice.partition[0]}`), notice, input, times),
      ),
    );
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    // The notices of replies that have ended do nothing when they come again.
    const suspended = failures.find((failure) => failure instanceof Suspended);
    if (suspended) throw suspended;
    if (failures.length > 0) throw failures[0];
  };
}

export default defineWorker({
  id: 'reply-runner',
  summary: 'Asks models for the answers of avatars, and stores these',
  sources: ['messages'],
  wants: ({ kind, partition, after }) =>
    kind === 'INSERT' &&
    partition[2] === 'replies' &&
    after !== undefined &&
    replies.read(after).status === 'queued',
  access: {
    apiKeys: ['GetItem'],
    avatars: ['BatchGetItem'],
    conversations: ['GetItem', 'BatchGetItem', 'UpdateItem', 'ConditionCheckItem'],
    deployments: ['GetItem'],
    knowledgeIndexes: ['GetItem', 'BatchGetItem', 'ConditionCheckItem'],
    limits: ['BatchGetItem', 'UpdateItem'],
    messages: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    projects: ['GetItem'],
  },
  models: true,
  streams: true,
  memoryMb: memoryMbToEncode,
  ends: 'whole',
  longPiece: { maxSeconds: 160, from: 'takePlace' },
  placesOf: ({ replies = repliesAtOnce }) => replies,
  batchSize: 10,
  maxConcurrency: 10 * repliesAtOnce,
  atOnce: true,
  acrossProjects: true,
  whileSuspended: 'waits',
  impact: 'Avatars do not answer. Replies stay queued, or become unknown.',
  remedy: 'Users ask again: a reply that has waited for a minute does not block another question.',
  handle: answersWithin({ callMs }),
});
