/** Follows a reply while it is written. */

import type { RequestOptions } from '../core/options.ts';
import { url } from '../core/resource.ts';
import { pause } from '../core/timing.ts';
import { RepliesMethods } from '../generated/methods.ts';
import type { Reply } from '../generated/types.ts';
import { longPoll } from './long-poll.ts';

export type FollowReplyOptions = RequestOptions & {
  /** Begins after this part of the text: the `nextAfter` of the reply that you have. Default: 0. */
  after?: number | undefined;
};

const isOpen = ({ status }: Reply) => status === 'queued' || status === 'running';

export class Replies extends RepliesMethods {
  /**
   * Yields the reply each time that it has more text, and at its end. `text` is only the text that follows the text before. A lost
   * connection is opened again, and continues after the last text. Stop with `break`, or with `signal`, which rejects with its
   * reason: the reply goes on, unless you cancel it.
   */
  async *follow(
    conversationId: string,
    replyId: string,
    options: FollowReplyOptions = {},
  ): AsyncGenerator<Reply, void, undefined> {
    let { after = 0, ...rest } = options;
    for (;;) {
      const { data, pauseMs } = await longPoll<Reply>(
        (request) =>
          this.send({
            method: 'GET',
            path: url`/conversations/${conversationId}/replies/${replyId}`,
            ...request,
          }),
        { after },
        rest,
      );
      const goesOn = isOpen(data);
      if (data.text !== '' || !goesOn) yield data;
      if (!goesOn) return;
      after = data.nextAfter;
      if (data.text === '') await pause(pauseMs, rest.signal);
    }
  }
}
