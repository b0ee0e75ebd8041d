/** One side of a comparison: what answers, and the test conversation with it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { draftReaders } from '../../../../../lib/replies/scopes.ts';
import { useAction } from '../../../request/use-action.ts';
import { href } from '../../../router.ts';
import { can } from '../../../session/session.ts';
import { Problem } from '../../../shared/problem.tsx';
import { ExchangeView } from './answer.tsx';
import { canRetry, historyOf } from './exchange.ts';
import { RequestDialog } from './request.tsx';
import type { Chat } from './use-chat.ts';

type Props = {
  project: string;
  avatar: string;
  title: string;
  chat: Chat;
  /** Whether it is the first side of the page. */
  isFirst: boolean;
  /** What answers. */
  children: ComponentChildren;
};

export function Side({ project, avatar, title, chat, isFirst, children }: Props) {
  const id = useId();
  const [shownId, setShownId] = useState<string | undefined>(undefined);
  const cancel = useAction(() => chat.cancel());
  const { exchanges, conversation, isBusy } = chat;
  const last = exchanges.at(-1);
  const log = useRef<HTMLDivElement>(null);
  // A new question goes to the top, and its answer grows below it. One side moves the page: both have the same questions.
  useEffect(() => {
    if (isFirst && exchanges.length > 1) log.current?.lastElementChild?.scrollIntoView();
  }, [exchanges.length]);
  const shownAt = exchanges.findIndex(({ reply }) => reply !== undefined && reply.id === shownId);
  const shown = exchanges[shownAt];
  return (
    <section class="try-side" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <div ref={log} role="log" aria-labelledby={id} aria-busy={isBusy}>
        {exchanges.map((exchange) => (
          <div key={exchange.key} class="try-exchange">
            <ExchangeView project={project} avatar={avatar} exchange={exchange} onRepeat={chat.repeat} />
            {exchange.reply && can(draftReaders) && (
              <button
                type="button"
                class="link try-request"
                onClick={() => setShownId(exchange.reply?.id)}
                aria-label={`Show the request of ${title}: ${exchange.question.slice(0, 80)}`}
              >
                Show the request
              </button>
            )}
          </div>
        ))}
      </div>
      <Problem error={cancel.error} onRepeat={cancel.repeat} />
      <p class="row">
        {isBusy && last?.reply && (
          <button
            type="button"
            class="small"
            disabled={cancel.isPending}
            onClick={() => cancel.run(undefined)}
          >
            Stop the answer
          </button>
        )}
        {last && canRetry(last) && (
          <button type="button" class="small" onClick={chat.retry}>
            Try again
          </button>
        )}
        {conversation && (
          <a href={href(`/projects/${project}/conversations/${conversation}`)}>The conversation</a>
        )}
      </p>
      {shown?.reply && (
        <RequestDialog
          project={project}
          reply={shown.reply}
          question={shown.question}
          history={historyOf(exchanges.slice(0, shownAt))}
          onClose={() => setShownId(undefined)}
        />
      )}
    </section>
  );
}
