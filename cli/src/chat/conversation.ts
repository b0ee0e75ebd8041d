/** A conversation with an avatar: asks, and prints each answer while it is written. */

import {
  ApiError,
  type ListedReply,
  type Reply,
  type ReplyRequest,
  type ReplyTarget,
} from '../../../clients/typescript/src/index.ts';
import { CliError } from '../errors.ts';
import { safeText } from '../output/text.ts';
import type { Session } from '../session.ts';
import { costLines, costOf, passageLines, sourceLines, withoutPassages } from './show.ts';

export class ChatConversation {
  /** It exists since the first question. */
  id: string | undefined;
  readonly #session: Session;
  readonly #avatarId: string;
  readonly #target: ReplyTarget;
  #last: Reply | undefined;

  constructor(session: Session, avatarId: string, target: ReplyTarget) {
    this.#session = session;
    this.#avatarId = avatarId;
    this.#target = target;
  }

  /**
   * Asks, and prints the answer.
   * @param signal cancels the reply
   * @param leave ends the cancellation
   * @throws CliError if the reply has no answer, the reason of the signal
   */
  async ask(text: string, signal: AbortSignal, leave?: AbortSignal): Promise<void> {
    this.id ??= await this.#open();
    await this.#request(this.id, { input: { text } }, signal, leave);
  }

  /** Asks the last question again. @throws as `ask` */
  async retry(signal: AbortSignal, leave?: AbortSignal): Promise<void> {
    const { id, last } = this.#asked();
    await this.#request(id, { retryOf: last.id }, signal, leave);
  }

  /** Prints the passages that the model got for the last answer. */
  async showPassages(): Promise<void> {
    const { out } = this.#session;
    const { last } = this.#asked();
    if (out.json) {
      for (const passage of last.passages) await out.jsonLine(passage);
      return;
    }
    const lines = passageLines(last.passages);
    if (lines.length === 0) out.note(withoutPassages(last));
    for (const line of lines) await out.line(line);
  }

  /** Prints what the last reply and the conversation have cost. */
  async showCost(): Promise<void> {
    const { out, project } = this.#session;
    const { id, last } = this.#asked();
    const replies: ListedReply[] = [];
    for await (const reply of project.replies.list(id, { limit: 100 })) replies.push(reply);
    const cost = costOf(replies);
    if (out.json) return out.jsonLine(cost);
    for (const line of costLines(cost, last)) await out.line(line);
  }

  /** Ends the conversation. */
  async end(): Promise<void> {
    if (this.id === undefined) return;
    // It also ends by itself, after the timeout of the project.
    await this.#session.project.conversations.end(this.id, { reason: 'completed' }).catch(() => {});
  }

  async #open(): Promise<string> {
    const { project } = this.#session;
    const { id } = await project.conversations.create({
      avatarId: this.#avatarId,
      channel: 'cli',
      ...(this.#target.draft && { test: true }),
    });
    return id;
  }

  #asked(): { id: string; last: Reply } {
    if (this.id !== undefined && this.#last) return { id: this.id, last: this.#last };
    throw new CliError('usage', 'Nothing has been asked yet.');
  }

  async #request(
    id: string,
    body: ReplyRequest,
    signal: AbortSignal,
    leave: AbortSignal | undefined,
  ): Promise<void> {
    signal.throwIfAborted();
    const { project, out } = this.#session;
    // Without the signal: an aborted request may have been stored, and nothing could cancel its reply.
    // After the first reply, the conversation has its deployment, also if the environment serves another one by now.
    const target = this.#last === undefined || 'draft' in this.#target ? { target: this.#target } : {};
    const requested = await project.replies.create(id, { ...body, ...target });
    let last = requested;
    this.#last = last;
    let text = '';
    const endLine = async () => {
      if (text !== '' && !out.json) await out.line('');
    };
    try {
      for await (const part of project.replies.follow(id, requested.id, { signal })) {
        text += part.text;
        last = { ...part, text };
        this.#last = last;
        if (!out.json) await out.write(safeText(part.text));
      }
    } catch (error) {
      await endLine();
      if (signal.aborted) await this.#cancel(id, last, leave);
      throw error;
    }
    await endLine();
    await this.#finish(last);
  }

  async #finish(reply: Reply): Promise<void> {
    const { out } = this.#session;
    if (out.json) await out.jsonLine(reply);
    else for (const line of sourceLines(reply.citations)) await out.line(out.paint('dim', line));
    const failure = failureOf(reply);
    if (failure) throw failure;
    if (out.json) return;
    if (reply.finishReason === 'length') out.note('The answer was cut off at its limit (--max-tokens).');
    if (reply.mode === null) out.note(withoutPassages(reply));
  }

  async #cancel(id: string, last: Reply, leave: AbortSignal | undefined): Promise<void> {
    const { out, project } = this.#session;
    try {
      this.#last = { ...last, ...(await project.replies.cancel(id, last.id, { signal: leave })) };
      out.note('The reply is cancelled.');
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'reply_ended')) throw error;
      out.note('The reply had ended already.');
    }
  }
}

/** @returns the error of a reply without an answer; undefined if it has one */
export function failureOf({
  id,
  status,
  failure,
}: Pick<Reply, 'id' | 'status' | 'failure'>): CliError | undefined {
  if (status === 'done') return undefined;
  const verb = { failed: 'has failed', cancelled: 'was cancelled', unknown: 'is unknown' } as const;
  const state = Object.hasOwn(verb, status) ? verb[status as keyof typeof verb] : `is ${status}`;
  const why = failure === null ? '.' : `: ${failure.message} (${failure.code})`;
  return new CliError(
    'jobFailed',
    `The reply ${id} ${state}${why}`,
    'To ask again: /retry, or the same command.',
  );
}
