/**
 * Answers one reply. A model has no idempotency key, so it is asked once: the reply is claimed by a conditional write, the highest cost
 * is reserved before the call, and one transaction stores the answer with its cost. A run that is killed in between leaves the reply
 * unknown, and its reservation counted.
 */

import { isWorkEnded } from '../../api-keys/store/credentials.ts';
import { ApiError } from '../../base/errors.ts';
import { costOf } from '../../base/money.ts';
import { again, retry } from '../../base/retry.ts';
import { secondMs, timestamp } from '../../base/time.ts';
import { conversations, findMany } from '../../conversations/store/conversations.ts';
import { requireKept } from '../../indexing/store/expunged.ts';
import type { StreamEnd } from '../../models/models.ts';
import { getProject, type StoredProject } from '../../projects/store.ts';
import type { Notice } from '../../workers/notice.ts';
import { Suspended } from '../../workers/suspension.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { publicRequest } from '../dry-run.ts';
import { isOpen, leaseMs, replyAt } from '../reply.ts';
import { writeEnd } from '../start.ts';
import {
  addPart,
  addRequest,
  changeOwnReply,
  changeReply,
  closeReply,
  endDrops,
  getReply,
  type ProjectStore,
  requireOpen,
  type StoredConversation,
  type StoredReply,
} from '../store/replies.ts';
import {
  conversationEnded,
  endWithAnswer,
  endWithout,
  type Failure,
  NoAnswer,
  projectArchived,
  queueAgain,
} from './end.ts';
import { CredentialRevoked, keepLease, type Lease } from './lease.ts';
import { gatherMaterial, type Material, usedOf } from './material.ts';
import { reserve } from './reserve.ts';
import { openText, ReplyLost, type ReplyText, TextFull } from './text.ts';

/** A clear refusal before any text is tried again for this time. */
const retryMs = 30 * secondMs;
const firstPauseMs = secondMs;
const maxPauseMs = 2 * secondMs;
/** The time for the search before a call, and for the end after it. */
const aroundCallMs = 40 * secondMs;

/** Times in milliseconds. */
export type Times = {
  /** The limit of a call. */
  callMs: number;
  /** The lease is renewed so often. Default: `renewMs` */
  renewMs?: number;
};

/** @throws Suspended, or an Error after which the notice comes again */
export async function answerReply(
  store: ProjectStore,
  notice: Notice,
  input: WorkerInput,
  times: Times,
): Promise<void> {
  const [, conversationId = ''] = notice.partition;
  const stored = await getReply(store, conversationId, notice.id);
  if (!stored || !isOpen(stored)) return;
  const nowMs = input.nowMs();
  const current = replyAt(stored, nowMs);
  if (!isOpen(current)) return endLost(store, stored, current, input);
  if (stored.status === 'running') {
    // Another run may answer it. If that run has stopped, this notice writes it.
    const seconds = Math.ceil(((stored.leaseUntilMs ?? nowMs) - nowMs) / secondMs) + 1;
    if (!input.later(notice, seconds)) throw new Error('another run answers the reply');
    return;
  }
  await input.goOn();
  // A run that has failed for another notice may have little time left.
  if (input.remainingMs() < times.callMs + aroundCallMs) {
    if (!input.later(notice, 0)) throw new Error('too little time is left');
    return;
  }
  if (!(await input.takePlace(notice))) return;
  try {
    const reply = await claim(store, stored, input);
    if (reply) await answerClaimed(store, reply, input, times);
  } finally {
    await input.leavePlace(notice);
  }
}

async function endLost(store: ProjectStore, stored: StoredReply, lost: StoredReply, input: WorkerInput) {
  const isNamed = (await conversations.at(store).get(stored.conversationId))?.replyId === stored.id;
  await commitPatiently(input, [
    ...writeEnd(store, stored, lost),
    ...(isNamed ? [closeReply(store, lost, lost.microUsd ?? 0)] : []),
  ]);
}

/** @returns undefined if somebody else has it, or has ended it */
async function claim(
  store: ProjectStore,
  stored: StoredReply,
  input: WorkerInput,
): Promise<StoredReply | undefined> {
  const nowMs = input.nowMs();
  const changes = {
    status: 'running' as const,
    startedAt: timestamp(nowMs),
    leaseUntilMs: nowMs + leaseMs,
  };
  const refusal = await commitPatiently(input, [changeReply(store, stored, changes)]);
  return refusal ? undefined : { ...stored, ...changes };
}

async function answerClaimed(
  store: ProjectStore,
  reply: StoredReply,
  input: WorkerInput,
  { callMs, renewMs }: Times,
): Promise<void> {
  const lease = keepLease(store, reply, input, renewMs);
  let mayHaveReserved = false;
  try {
    const { conversation, project } = await requireUsable(store, reply, input);
    const gather = () => materialFor(store, reply, conversation, project, input);
    if (reply.dryRun) return await endDryRun(store, reply, gather, input);
    const material = await gather();
    mayHaveReserved = true;
    const day = await reserve(store, reply, material, { conversation, project }, input);
    const { maxAnswerSeconds = callMs / secondMs } = material.model;
    const limitMs = Math.min(callMs, maxAnswerSeconds * secondMs);
    await ask(store, reply, material, { lease, day, callMs: limitMs }, input);
  } catch (error) {
    if (error instanceof ReplyLost) return;
    if (!(error instanceof NoAnswer)) {
      // No model was asked, so the notice can begin again.
      if (!mayHaveReserved) await queueAgain(store, reply, undefined, input);
      throw error;
    }
    const { failure } = error;
    const status = failure.code === credentialRevoked.code ? 'cancelled' : 'failed';
    await endWithout(store, reply, { status, failure, microUsd: 0 }, input);
  } finally {
    lease.close();
  }
}

const messageOf = ({ code }: ApiError): string => publicMessages[code] ?? code;

const publicMessages: Partial<Record<ApiError['code'], string>> = {
  no_model: 'The avatar has no model.',
  avatar_archived: 'The avatar is archived.',
  index_retired: 'The index version of the deployment is not stored any more. Deploy again.',
};

const credentialRevoked = {
  code: 'credential_revoked',
  message: 'The credential that requested the reply was revoked, with everything that it has started.',
};

async function requireUsable(
  store: ProjectStore,
  { conversationId, createdBy }: StoredReply,
  input: WorkerInput,
): Promise<{ conversation: StoredConversation; project: StoredProject }> {
  const [project, isEnded] = await Promise.all([
    getProject(store, store.projectId),
    isWorkEnded(store, createdBy),
  ]);
  if (isEnded) throw new NoAnswer(credentialRevoked.code, credentialRevoked.message);
  if (project?.status !== 'active') throw new NoAnswer(projectArchived.code, projectArchived.message);
  const found = await findMany(store, [conversationId], { project, nowMs: input.nowMs() });
  const conversation = found.get(conversationId)?.conversation;
  // It was erased, or has expired: the reply goes with it.
  if (!conversation) throw new ReplyLost();
  if (conversation.status === 'ended') throw new NoAnswer(conversationEnded.code, conversationEnded.message);
  return { conversation, project };
}

async function materialFor(
  store: ProjectStore,
  reply: StoredReply,
  conversation: StoredConversation,
  project: StoredProject,
  input: WorkerInput,
): Promise<Material> {
  const { tenant } = store.key('');
  const models = input.models.listed;
  const nowMs = input.nowMs();
  const given = { tenant, models, nowMs };
  const material = await gatherMaterial(store, reply, conversation, project, given).catch(
    (error: unknown): never => {
      if (!(error instanceof ApiError)) throw error;
      throw new NoAnswer(error.code, error.publicMessage ?? messageOf(error));
    },
  );
  if (!material)
    throw new NoAnswer('request_too_long', 'The persona and the question are too long for the model.');
  return material;
}

/** Stores the request of a dry run, unless one of its documents was expunged since the search: then it searches again. */
async function endDryRun(
  store: ProjectStore,
  reply: StoredReply,
  gather: () => Promise<Material>,
  input: WorkerInput,
): Promise<void> {
  const attempt = async () => {
    const material = await gather();
    const documentIds = [...new Set(material.passages.map(({ documentId }) => documentId))];
    const kept = documentIds.map((id) => requireKept(store, id));
    const refusal = await commitPatiently(input, [
      ...dryRunWrites(store, reply, material, documentIds, input),
      ...kept,
    ]);
    return refusal?.failed.some((write) => kept.includes(write as (typeof kept)[number])) ? again : undefined;
  };
  await retry<void>(attempt, { failure: () => new Error('the documents are being expunged') });
}

function dryRunWrites(
  store: ProjectStore,
  reply: StoredReply,
  material: Material,
  documentIds: readonly string[],
  input: WorkerInput,
): Write<never>[] {
  const nowMs = input.nowMs();
  const changes = {
    status: 'done' as const,
    ...usedOf(material, new Set()),
    finishedAt: timestamp(nowMs),
    microUsd: 0,
    totalMs: nowMs - Date.parse(reply.createdAt),
  };
  return [
    changeOwnReply(store, reply, changes, nowMs, endDrops),
    addRequest(store, reply, publicRequest(material), documentIds, nowMs),
    conversations.at(store).check(reply.conversationId, { condition: { kind: 'present' } }),
  ];
}

type Asking = { lease: Lease; day: string; callMs: number };

/** Asks the model, and stores how it ends. */
async function ask(
  store: ProjectStore,
  reply: StoredReply,
  material: Material,
  { lease, day, callMs }: Asking,
  input: WorkerInput,
): Promise<void> {
  const { most, model, request, passages } = material;
  const storePart = async (part: { offset: number; text: string }) => {
    if (!lease.isHeld()) throw new ReplyLost();
    const writes = [addPart(store, reply, part, input.nowMs()), requireOpen(store, reply)];
    if (await commitPatiently(input, writes)) throw new ReplyLost();
  };
  const text = openText(passages.length, storePart, input.elapsedMs);
  const ended = await converse(text, request, { lease, callMs }, input);
  // Whoever has sent text has worked, whatever is said afterwards.
  const end = ended.kind === 'retry' && text.firstMs !== undefined ? { ...ended, mayCost: true } : ended;
  const cost = { reservedMicroUsd: most.costMicroUsd, day };
  const times = { firstTextMs: text.firstMs === undefined ? null : sinceRequest(reply, input, text.firstMs) };
  if (end.kind === 'lost') return;
  if (end.kind === 'suspended') {
    await queueAgain(store, reply, cost, input);
    throw new Suspended();
  }
  if (end.kind !== 'answer') {
    await text.end().catch(() => {});
    const { status, failure, mayCost } = failureOf(end);
    const microUsd = mayCost || text.firstMs !== undefined ? most.costMicroUsd : 0;
    return endWithout(
      store,
      reply,
      { status, failure, microUsd, cost, material, ...times, removedMarkers: text.markers.removed },
      input,
    );
  }
  const whole = await text.end();
  const tokens = credible(end, most);
  const microUsd = tokens ? costOf(tokens, model) : most.costMicroUsd;
  const used = { ...times, ...(tokens ?? {}), removedMarkers: text.markers.removed };
  if (whole === '') {
    const isRefusal = end.stop === 'refused';
    const failure = isRefusal
      ? { code: 'model_refused', message: 'The model refuses to answer.' }
      : { code: 'empty_answer', message: 'The model has answered nothing.' };
    return endWithout(store, reply, { status: 'failed', failure, microUsd, cost, material, ...used }, input);
  }
  const finishReason = end.stop === 'length' ? ('length' as const) : ('stop' as const);
  await endWithAnswer(
    store,
    reply,
    { text: whole, material, markers: text.markers, finishReason, microUsd, cost, ...used },
    input,
  );
}

const sinceRequest = ({ createdAt }: StoredReply, { nowMs, elapsedMs }: WorkerInput, atMs: number): number =>
  Math.max(0, Math.round(nowMs() - Date.parse(createdAt) - (elapsedMs() - atMs)));

type Conversed =
  | StreamEnd
  | { kind: 'lost' }
  | { kind: 'suspended' }
  | { kind: 'revoked'; mayCost: boolean }
  | { kind: 'stopped' };

/** @param mayCost whether a request may have been sent */
const endedLease = ({ signal }: Lease, mayCost: boolean): Conversed =>
  signal.reason instanceof CredentialRevoked ? { kind: 'revoked', mayCost } : { kind: 'lost' };

/** Makes attempts until one of them may have cost, or has text. */
async function converse(
  text: ReplyText,
  request: Material['request'],
  { lease, callMs }: Pick<Asking, 'lease' | 'callMs'>,
  input: WorkerInput,
): Promise<Conversed> {
  const begunMs = input.elapsedMs();
  const timeout = AbortSignal.timeout(callMs);
  const signal = AbortSignal.any([lease.signal, timeout]);
  let pausedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = maxPauseMs) {
    const end = await attempt(text, request, { lease, timeout, signal }, input);
    const isRefusal = end.kind === 'retry' && !end.mayCost && text.firstMs === undefined;
    const passedMs = Math.max(pausedMs, input.elapsedMs() - begunMs);
    if (!isRefusal || passedMs + pauseMs > retryMs) return end;
    pausedMs += pauseMs;
    await input.sleep(pauseMs);
    if (timeout.aborted) return end;
    if (lease.signal.aborted) return endedLease(lease, false);
  }
}

async function attempt(
  text: ReplyText,
  request: Material['request'],
  { lease, timeout, signal }: { lease: Lease; timeout: AbortSignal; signal: AbortSignal },
  input: WorkerInput,
): Promise<Conversed> {
  try {
    const { models } = await input.outside();
    return await models.stream(request, (more) => text.push(more), signal);
  } catch (error) {
    // This attempt was not sent, and those before were refused.
    if (error instanceof Suspended) return { kind: 'suspended' };
    if (error instanceof TextFull)
      return { kind: 'answer', stop: 'length', inputTokens: undefined, outputTokens: undefined };
    if (error instanceof ReplyLost) return { kind: 'lost' };
    if (lease.signal.aborted) return endedLease(lease, true);
    if (timeout.aborted) return { kind: 'stopped' };
    return { kind: 'retry', reason: 'network', mayCost: true, message: (error as Error).message };
  }
}

const timedOut = { code: 'timeout', message: 'The model did not end its answer in time.' };

function failureOf(end: Exclude<Conversed, { kind: 'answer' | 'lost' | 'suspended' }>): {
  status: 'failed' | 'cancelled' | 'unknown';
  failure: Failure;
  mayCost: boolean;
} {
  switch (end.kind) {
    case 'revoked':
      return { status: 'cancelled', failure: credentialRevoked, mayCost: end.mayCost };
    case 'stopped':
      return { status: 'unknown', failure: timedOut, mayCost: true };
    case 'retry':
      if (!end.mayCost) {
        const message =
          'The model has refused the request several times, because it is busy or cannot be reached.';
        return { status: 'failed', failure: { code: 'model_busy', message }, mayCost: false };
      }
      return {
        status: 'unknown',
        failure: {
          code: 'answer_lost',
          message: 'The answer of the model was lost, and the model may have worked.',
        },
        mayCost: true,
      };
    case 'too_long':
      return {
        status: 'failed',
        failure: { code: 'request_too_long', message: 'The request is too long for the model.' },
        mayCost: false,
      };
    case 'invalid':
      return {
        status: 'failed',
        failure: { code: 'model_refused', message: 'The model refuses the request.' },
        mayCost: false,
      };
    case 'unavailable':
      return {
        status: 'failed',
        failure: { code: 'model_unavailable', message: 'The model is not available.' },
        mayCost: false,
      };
  }
}

/** @returns the tokens that the model says, if they are within what was reserved */
function credible(
  { inputTokens, outputTokens }: { inputTokens: number | undefined; outputTokens: number | undefined },
  most: Material['most'],
): { inputTokens: number; outputTokens: number } | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return inputTokens <= most.inputTokens && outputTokens <= most.outputTokens
    ? { inputTokens, outputTokens }
    : undefined;
}
