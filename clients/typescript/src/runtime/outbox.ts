/**
 * The turns that the service has not taken, in order, with the numbers of their messages. Nothing here waits.
 *
 * A message has the number that it would have in the conversation if nobody else added messages. So a process that resumes the
 * conversation, with a journal or without, gives the next message a number that no stored message has, and two processes that
 * go on at the same time use the same numbers: the service refuses the second one.
 */

import type { MessageInput } from '../generated/types.ts';
import { SessionError } from './errors.ts';
import { bytesOf, maxTurnBytes, withIds } from './turn.ts';

export type Turn = {
  /** The number of its first message. Undefined until the conversation is known. */
  first: number | undefined;
  messages: readonly MessageInput[];
  bytes: number;
};

export type BufferLimits = { turns: number; bytes: number };

const maxMessagesAtOnce = 25;

export class Outbox {
  readonly #limits: BufferLimits;
  #turns: Turn[];
  /** Of the next message. Undefined until the conversation is known. */
  #next: number | undefined;

  /** @param kept the turns of a journal */
  constructor(limits: BufferLimits, kept: readonly Pick<Turn, 'first' | 'messages'>[] = []) {
    this.#limits = limits;
    this.#turns = kept.map((turn) => ({ ...turn, bytes: bytesOf(turn.messages) }));
    const last = this.#turns.at(-1);
    if (last?.first !== undefined) this.#next = last.first + last.messages.length;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** The messages of all turns. */
  get messages(): MessageInput[] {
    return this.#turns.flatMap(({ first, messages }) =>
      first === undefined ? messages : withIds(messages, first),
    );
  }

  /** @throws SessionError buffer_full; the turn is not taken then, and all others stay */
  add(messages: readonly MessageInput[]): Turn {
    const bytes = bytesOf(messages);
    const all = this.#turns.reduce((sum, turn) => sum + turn.bytes, bytes);
    const { turns, bytes: maxBytes } = this.#limits;
    if (this.#turns.length >= turns || all > maxBytes)
      throw new SessionError(
        'buffer_full',
        `The service is away, and the buffer is full: it has ${this.#turns.length} turns of at most ${turns}, and would have ${all} ` +
          `bytes of at most ${maxBytes}. This turn was not taken. The others wait for the service.`,
      );
    const turn: Turn = { first: this.#next, messages, bytes };
    if (this.#next !== undefined) this.#next += messages.length;
    this.#turns.push(turn);
    return turn;
  }

  /** Takes back the latest turn, which was not stored. Its numbers are free again. */
  takeBack(turn: Turn): void {
    if (this.#turns.at(-1) !== turn) return;
    this.#turns.pop();
    this.#next = turn.first;
  }

  /**
   * The conversation is known.
   * @param messageCount the number of its messages
   * @param lastNumber the highest number of them. It is higher than their count if a restore has lost earlier messages
   */
  enter(messageCount: number, lastNumber: number): void {
    let next = Math.max(this.#next ?? 0, messageCount + 1, lastNumber + 1);
    if (this.#next === undefined)
      for (const turn of this.#turns) {
        turn.first = next;
        next += turn.messages.length;
      }
    this.#next = next;
  }

  /** @returns the first turns that fit into a request */
  batch(): Turn[] {
    let messages = 0;
    let bytes = 0;
    const end = this.#turns.findIndex((turn) => {
      messages += turn.messages.length;
      bytes += turn.bytes;
      return messages > maxMessagesAtOnce || bytes > maxTurnBytes;
    });
    return end < 0 ? [...this.#turns] : this.#turns.slice(0, Math.max(1, end));
  }

  /**
   * The service has taken a batch.
   * @param lastSeq the number of its last message in the conversation, which is higher if others add messages, too
   */
  stored(batch: readonly Turn[], lastSeq: number): void {
    this.#turns = this.#turns.slice(batch.length);
    if (this.#turns.length === 0) this.#next = Math.max(this.#next ?? 0, lastSeq + 1);
  }

  clear(): void {
    this.#turns = [];
  }
}
