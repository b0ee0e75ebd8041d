/** Reserves the highest cost of a call before it is sent: in the quota of the day, and within the limits of reply and conversation. */

import { microUsdOf } from '../../base/money.ts';
import { again, retry } from '../../base/retry.ts';
import {
  getModelCost,
  modelCostDay,
  quotaMicroUsd,
  reserveModelCost,
} from '../../limits/store/model-cost.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import {
  changeOwnReply,
  type ProjectStore,
  requireOpen,
  type StoredConversation,
  type StoredReply,
} from '../store/replies.ts';
import { NoAnswer } from './end.ts';
import type { Material } from './material.ts';
import { ReplyLost } from './text.ts';

type Within = { conversation: StoredConversation; project: StoredProject };

/**
 * @returns the day (UTC) in whose sum the reservation is
 * @throws NoAnswer if a limit is too low, ReplyLost
 */
export async function reserve(
  store: ProjectStore,
  reply: StoredReply,
  { most, avatarVersion, indexVersion, mode, model }: Material,
  { conversation, project }: Within,
  input: WorkerInput,
): Promise<string> {
  const microUsd = most.costMicroUsd;
  if (microUsd > (reply.maxMicroUsd ?? Number.POSITIVE_INFINITY))
    throw new NoAnswer('max_cost_usd', 'The answer could cost more than the maxCostUsd of the request.');
  const { maxConversationCostUsd = null } = project.settings;
  const leftMicroUsd =
    maxConversationCostUsd === null
      ? Number.POSITIVE_INFINITY
      : microUsdOf(maxConversationCostUsd) - (conversation.replyMicroUsd ?? 0);
  if (microUsd > leftMicroUsd) {
    const message = 'The answer could cost more than the maxConversationCostUsd of the project leaves.';
    throw new NoAnswer('max_conversation_cost_usd', message);
  }
  const used = { avatarVersion, indexVersion, mode, model: model.id };
  const quota = quotaMicroUsd(input.quotas);
  const attempt = async () => {
    const nowMs = input.nowMs();
    const day = modelCostDay(nowMs);
    if (microUsd === 0) {
      // A model without a price needs no quota.
      const own = changeOwnReply(store, reply, { ...used, reservedMicroUsd: 0 }, nowMs);
      if (await commitPatiently(input, [own, requireOpen(store, reply)])) throw new ReplyLost();
      return day;
    }
    const costWrites = await reserveModelCost(store, quota, microUsd, nowMs);
    if (!costWrites) throw tooLittleLeft();
    const own = changeOwnReply(store, reply, { ...used, reservedMicroUsd: microUsd }, nowMs);
    const open = requireOpen(store, reply);
    const refusal = await commitPatiently(input, [own, open, ...costWrites]);
    if (!refusal) return day;
    if (refusal.failed.includes(own) || refusal.failed.includes(open)) throw new ReplyLost();
    // The sum of another day, or of the project, was written in the meantime; or the quota is used up.
    if ((await getModelCost(store, nowMs)) + microUsd > quota) throw tooLittleLeft();
    return again;
  };
  return retry<string>(attempt, { failure: () => new Error('lost too many races for a reservation') });
}

const tooLittleLeft = () =>
  new NoAnswer(
    'model_cost_quota',
    'The answer could cost more than the quota modelCostUsd of the day leaves.',
  );
