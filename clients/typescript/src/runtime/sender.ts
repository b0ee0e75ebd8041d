/**
 * Sends the turns of a session to its conversation, in order and once. While the service is away, the turns are buffered, and sent
 * again from time to time.
 */

import { isRetryable } from '../core/backoff.ts';
import { ApiError, PlatformError } from '../core/errors.ts';
import { elapsedMs, pause, setTimer } from '../core/timing.ts';
import type { Conversation, Me, MessageInput, UpsertedConversation } from '../generated/types.ts';
import type { Conversations } from '../resources.ts';
import {
  erasedError,
  isAboutAssignment,
  isDenied,
  isMissing,
  isOver,
  isRefusal,
  SessionError,
  sessionErrorOf,
} from './errors.ts';
import type { Journal, JournalHead } from './journal.ts';
import { type BufferLimits, Outbox, type Turn } from './outbox.ts';
import { withIds } from './turn.ts';

const firstPauseMs = 500;
const maxPauseMs = 5_000;

export type SenderOptions = {
  conversations: Conversations;
  /** The credential that calls. */
  me: (limits: Limits) => PromiseLike<Me>;
  head: JournalHead;
  journal: Journal | undefined;
  limits: BufferLimits;
  /** How long a call waits for a service that is away. */
  patienceMs: number;
  warn: (sentence: string) => void;
  /** The service has returned the conversation. Returns the highest number of its messages that is known. */
  onConversation: (conversation: Conversation, patienceMs: number) => Promise<number>;
  /** The service has taken these messages. */
  onStored: (messages: readonly MessageInput[]) => void;
  /** The service has refused the key. */
  onDenied: () => Promise<void>;
};

type Limits = { timeoutMs: number; deadlineMs: number };

export class Sender {
  readonly #options: SenderOptions;
  readonly outbox: Outbox;
  head: JournalHead;
  failure: SessionError | undefined;
  isClosed = false;
  /** Why the service was away at the last attempt. */
  awayBecause: unknown;
  #hasEntered = false;
  /** Whether the session has entered a second time since it has sent something. */
  #hasReturned = false;
  /** The credential that has started the conversation. Undefined until the session has entered. */
  #createdBy: string | undefined;
  #isOver = false;
  #draining: Promise<void> | undefined;
  /** The calls of `add`, one after the other. */
  #adding: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.head = options.head;
    this.outbox = new Outbox(options.limits, options.journal?.kept);
  }

  /** @throws SessionError if the session has failed, was ended or was closed */
  assertOpen(): void {
    if (this.failure) throw this.failure;
    if (this.isClosed) throw new SessionError('session_closed', 'The session was ended or closed.');
  }

  /**
   * Sends what is left, and waits no longer than a call may.
   * @throws SessionError if the service refuses something. Any other error than that of a connection
   */
  async start(): Promise<void> {
    const { journal } = this.#options;
    await journal?.keep(this.head, () => this.outbox.turns);
    await this.#drainUnlessAway();
    const { awayBecause } = this;
    if (awayBecause === undefined || isConnection(awayBecause)) return;
    await this.#stop(this.#isEmpty);
    throw awayBecause;
  }

  add(messages: readonly MessageInput[]): Promise<'stored' | 'buffered'> {
    const added = this.#adding.then(() => this.#add(messages));
    this.#adding = added.catch(() => {});
    return added;
  }

  async #add(messages: readonly MessageInput[]): Promise<'stored' | 'buffered'> {
    this.assertOpen();
    const turn = this.outbox.add(messages);
    let journalError: unknown;
    try {
      await this.#options.journal?.add(turn);
    } catch (error) {
      journalError = error;
    }
    // While the service is away, the timer tries again: a call does not wait each time.
    if (!this.awayBecause || journalError) await this.#drainUnlessAway(turn);
    if (!this.outbox.turns.includes(turn)) {
      if (journalError instanceof Error) this.#options.warn(journalError.message);
      return 'stored';
    }
    if (!journalError) return 'buffered';
    this.outbox.takeBack(turn);
    throw journalError;
  }

  /**
   * Sends everything.
   * @throws SessionError unavailable if this takes longer; everything stays
   */
  async flush(deadlineMs: number): Promise<void> {
    await this.#adding;
    const endMs = elapsedMs() + deadlineMs;
    for (;;) {
      this.assertOpen();
      const leftMs = endMs - elapsedMs();
      await this.#drainUnlessAway(undefined, Math.max(1, Math.min(leftMs, this.#options.patienceMs)));
      // The background may have failed meanwhile, and emptied the outbox.
      if (this.failure) throw this.failure;
      if (this.#hasEntered && this.outbox.turns.length === 0) return;
      const pauseMs = this.#nextPauseMs();
      if (elapsedMs() + pauseMs >= endMs) throw this.unavailable();
      await pause(pauseMs, undefined);
    }
  }

  /** Ends the conversation when everything is stored. @throws SessionError unavailable; the journal says that it has ended */
  async end(reason: string, deadlineMs: number): Promise<void> {
    this.head = { ...this.head, endReason: reason };
    await this.#adding;
    await this.#keep();
    const endMs = elapsedMs() + deadlineMs;
    const leftMs = () => Math.max(1, endMs - elapsedMs());
    do {
      await this.flush(leftMs());
      try {
        const limits = { deadlineMs: leftMs(), timeoutMs: Math.min(leftMs(), this.#options.patienceMs) };
        await this.#options.conversations.end(this.head.conversationId ?? '', { reason }, limits);
      } catch (error) {
        if (isAway(error)) throw this.unavailable(error);
        if (!this.#returns(error)) throw await this.fail(error);
      }
    } while (!this.#hasEntered);
    await this.#stop(true);
  }

  /** Sends what can be sent, and leaves the rest in the journal. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    await this.#adding;
    if (!this.failure && this.outbox.turns.length > 0) await this.#drainUnlessAway().catch(() => {});
    if (this.failure) return;
    await this.leave();
    if (this.outbox.turns.length > 0 && !this.#options.journal) throw this.unavailable();
  }

  /** Leaves the rest in the journal, and sends nothing. */
  async leave(): Promise<void> {
    if (!this.isClosed) await this.#stop(this.#isEmpty);
  }

  /** @throws SessionError unavailable if something was not sent at the last attempt */
  assertSent(): void {
    if (this.awayBecause !== undefined) throw this.unavailable();
  }

  /** Whether nothing is left to do for another process. */
  get #isEmpty(): boolean {
    return this.outbox.turns.length === 0 && (this.head.endReason === null || this.#isOver);
  }

  async #stop(isDone: boolean): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.#timer);
    const { journal, warn } = this.#options;
    if (isDone) await journal?.remove().catch((error: Error) => warn(error.message));
    await journal?.release().catch((error: Error) => warn(error.message));
  }

  /**
   * Sends until nothing is left or the service is away.
   * @param latest a turn that the service may refuse alone: it is taken back then
   * @throws the refusal of that turn, or SessionError
   */
  async #drainUnlessAway(latest?: Turn, patienceMs = this.#options.patienceMs): Promise<void> {
    // Another drain may have begun before the latest turn.
    while (this.#draining) await this.#draining.catch(() => {});
    this.#draining = this.#drain(latest, { timeoutMs: patienceMs, deadlineMs: patienceMs });
    try {
      await this.#draining;
      this.awayBecause = undefined;
      this.#failures = 0;
    } catch (error) {
      if (!isAway(error)) throw error;
      this.awayBecause = error;
      this.#failures += 1;
      this.#tryLater();
    } finally {
      this.#draining = undefined;
    }
  }

  async #drain(latest: Turn | undefined, limits: Limits): Promise<void> {
    while (!this.#hasEntered || this.outbox.turns.length > 0) {
      if (this.failure) throw this.failure;
      const batch = this.outbox.batch();
      try {
        if (!this.#hasEntered) await this.#enter(limits);
        else await this.#send(batch, limits);
      } catch (error) {
        if (isAway(error)) throw error;
        if (this.#returns(error)) continue;
        const sent = this.#hasEntered ? batch.flatMap(({ messages }) => messages) : [];
        if (latest && batch.length === 1 && batch[0] === latest && isRefusal(error, sent)) {
          this.outbox.takeBack(latest);
          await this.#keep();
          throw error;
        }
        throw await this.fail(error, sent);
      }
    }
  }

  async #send(batch: readonly Turn[], limits: Limits): Promise<void> {
    const messages = batch.flatMap(({ first = 0, messages }) => withIds(messages, first));
    const { conversations, onStored } = this.#options;
    const sent = await conversations.append(this.head.conversationId ?? '', { messages }, limits);
    this.#hasReturned = false;
    this.outbox.stored(batch, Math.max(0, ...sent.messages.map(({ seq }) => seq)));
    onStored(messages);
    await this.#keep();
  }

  async #enter(limits: Limits): Promise<void> {
    const { onConversation, journal } = this.#options;
    const { conversation } = await this.#put(limits).catch(async (error: unknown) => {
      throw (await this.#isErased(error, limits)) ? erasedError(this.outbox.messages) : error;
    });
    this.#createdBy = conversation.createdBy;
    const lastNumber = await onConversation(conversation, limits.deadlineMs);
    this.outbox.enter(conversation.messageCount, lastNumber);
    this.head = {
      ...this.head,
      conversationId: conversation.id,
      deploymentId: conversation.deploymentId ?? this.head.deploymentId,
    };
    // Before anything is sent: a process that continues must send these turns with these numbers.
    await journal?.keep(this.head, () => this.outbox.turns);
    this.#hasEntered = true;
  }

  /** A conversation is worth more than a comparison: if the service does not have the rollout any more, it begins without. */
  async #put(limits: Limits): Promise<UpsertedConversation> {
    const { conversations, warn } = this.#options;
    const { externalId, start } = this.head;
    try {
      return await conversations.put(externalId, { ...start, resume: true }, limits);
    } catch (error) {
      const { assignment, ...others } = start;
      if (assignment === undefined || !isAboutAssignment(error)) throw error;
      warn(`The conversation begins without its assignment, so it is not compared: ${error.message}`);
      this.head = { ...this.head, start: others };
      return conversations.put(externalId, { ...others, resume: true }, limits);
    }
  }

  /**
   * A conversation is not there any more if it was erased, if its project was deleted, or if the key may not see it. Its external id tells
   * why. If a restore has lost it, it begins again, with the turns that are left.
   * @returns whether the session enters again
   */
  #returns(error: unknown): boolean {
    if (!isMissing(error) || !this.#hasEntered || this.#hasReturned) return false;
    this.#hasEntered = false;
    this.#hasReturned = true;
    return true;
  }

  /**
   * What is left of an erased conversation does not name an access token that has started it. So the service says only that the external
   * id is taken, also to this token.
   */
  async #isErased(error: unknown, limits: Limits): Promise<boolean> {
    if (!(error instanceof ApiError) || error.code !== 'external_id_taken' || !this.#createdBy) return false;
    const { id, environments } = await this.#options.me(limits);
    return id === this.#createdBy && (environments?.includes(this.head.environment) ?? true);
  }

  async #keep(): Promise<void> {
    const { journal, warn } = this.#options;
    await journal?.keep(this.head, () => this.outbox.turns).catch((error: Error) => warn(error.message));
  }

  /** The session is over. If the turns that are left can never be stored, nothing of them stays on the disk. */
  async fail(error: unknown, sent: readonly MessageInput[] = []): Promise<SessionError> {
    const { messages } = this.outbox;
    const failure = error instanceof SessionError ? error : sessionErrorOf(error as ApiError, messages, sent);
    this.failure = failure;
    if (isDenied(error)) await this.#options.onDenied();
    const latest = messages.at(-1)?.at ?? this.head.start.startedAt ?? 0;
    this.#isOver = isOver(failure, Date.now() - new Date(latest).getTime());
    if (this.#isOver) this.outbox.clear();
    await this.#stop(this.#isEmpty);
    return failure;
  }

  unavailable(reason: unknown = this.awayBecause): SessionError {
    const unsent = this.outbox.messages;
    const where = this.#options.journal ? 'The journal keeps them.' : 'They are in memory only.';
    return new SessionError(
      'unavailable',
      `The service is away. It has not taken ${unsent.length} messages. ${unsent.length > 0 ? where : ''}`.trim(),
      { unsent, reason: reason instanceof PlatformError ? reason : undefined },
    );
  }

  /** Half of it is random, so that sessions that failed together do not come back together. */
  #nextPauseMs(): number {
    const ms = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures, 10));
    const asked = this.awayBecause instanceof ApiError ? (this.awayBecause.retryAfterSeconds ?? 0) : 0;
    return Math.max(ms / 2 + (ms / 2) * Math.random(), asked * 1000);
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    if (this.isClosed) return;
    this.#timer = setTimer(() => void this.#drainUnlessAway().catch(() => {}), this.#nextPauseMs());
    this.#timer.unref?.();
  }
}

const isConnection = (error: unknown) => error instanceof PlatformError && isRetryable(error);

/**
 * Whether another attempt may succeed. A function that should return a token may fail for a while, too, and so may the disk of the
 * journal.
 */
const isAway = (error: unknown) =>
  error instanceof SessionError
    ? error.code === 'journal_failed'
    : isConnection(error) || !(error instanceof ApiError);
