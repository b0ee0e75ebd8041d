/** A test conversation with one side. The first question creates it, and the following questions go on with it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { randomId } from '../../../../../clients/typescript/src/core/transport.ts';
import {
  ApiError,
  type Reply,
  type ReplyRequest,
  type ReplyTarget,
} from '../../../../../clients/typescript/src/index.ts';
import { forgetLists } from '../../../request/use-pages.ts';
import { platform } from '../../../session/session.ts';
import { type Exchange, isBusy, isOpen } from './exchange.ts';

export type Chat = {
  exchanges: readonly Exchange[];
  /** The id of the conversation; undefined before the first question. */
  conversation: string | undefined;
  isBusy: boolean;
  ask: (question: string) => void;
  /** Asks the last question again, after a reply without an answer. */
  retry: () => void;
  /** Sends the failed request again, or reads on. */
  repeat: () => void;
  /** @throws ApiError, ConnectionError */
  cancel: () => Promise<void>;
  /** Leaves the conversation. The next question creates another. */
  reset: () => void;
};

/** The service answers at once when there is more text, or when the reply has ended. */
const waitSeconds = 10;

/** @param target what answers; undefined if nothing can */
export function useChat(project: string, avatarId: string, target: ReplyTarget | undefined): Chat {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [conversation, setConversation] = useState<string | undefined>(undefined);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const last = exchanges.at(-1);

  /** Sends what was not sent yet, and reads the reply until it ends. */
  const perform = async (exchange: Exchange) => {
    const { signal } = controller.current;
    const { conversations, replies } = platform().projects(project);
    let current = exchange;
    const show = (changes: Partial<Exchange>) => {
      current = { ...current, ...changes };
      if (!signal.aborted) setExchanges((all) => [...all.slice(0, -1), current]);
    };
    show({ error: undefined });
    try {
      const conversationId =
        conversation ?? (await conversations.create({ avatarId, test: true }, { signal })).id;
      signal.throwIfAborted();
      if (!conversation) forgetLists();
      setConversation(conversationId);
      let reply: Reply =
        current.reply ??
        (await replies.create(conversationId, current.body, { signal, idempotencyKey: current.key }));
      show({ reply });
      while (isOpen(reply)) {
        const after = current.text.length;
        reply = await replies.get(conversationId, reply.id, { after, waitSeconds }, { signal });
        show({ reply, text: current.text + reply.text });
      }
    } catch (error) {
      show({ error });
    }
  };

  const begin = (question: string, body: ReplyRequest, before: readonly Exchange[]) => {
    const exchange = {
      ...{ question, body, key: randomId() },
      ...{ reply: undefined, text: '', error: undefined },
    };
    setExchanges([...before, exchange]);
    void perform(exchange);
  };
  // The deployment of a conversation does not change, even if the environment serves another one meanwhile.
  const isFixed = !target?.draft && exchanges.some(({ reply }) => reply !== undefined);
  const targeted = isFixed || !target ? {} : { target };

  return {
    exchanges,
    conversation,
    isBusy: last !== undefined && isBusy(last),
    ask: (text) => begin(text, { input: { text }, ...targeted }, exchanges),
    retry() {
      if (last?.reply) begin(last.question, { retryOf: last.reply.id, ...targeted }, exchanges.slice(0, -1));
    },
    repeat() {
      if (last) void perform(last);
    },
    async cancel() {
      const id = last?.reply?.id;
      if (!conversation || !id) return;
      const { signal } = controller.current;
      try {
        await platform().projects(project).replies.cancel(conversation, id, { signal });
      } catch (error) {
        // The reply that is read says how it has ended.
        if (!(error instanceof ApiError && error.code === 'reply_ended')) throw error;
      }
    },
    reset() {
      controller.current.abort();
      controller.current = new AbortController();
      setExchanges([]);
      setConversation(undefined);
    },
  };
}
