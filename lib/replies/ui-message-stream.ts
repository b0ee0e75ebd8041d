/**
 * A reply as server-sent events, in the UI message stream of the AI SDK ("Stream Protocols", ai-sdk.dev). Each response is complete
 * in itself: also a resumed one begins with `start` and `text-start`, and has the text from the offset on. The id of each event is the
 * offset after it, so `Last-Event-ID` resumes the text. `[DONE]` is sent only when the reply has ended.
 */

import { secondMs } from '../base/time.ts';

/** The reply, with its text from the offset of the last view on. */
export type ReplyView = {
  id: string;
  status: string;
  text: string;
  /** The offset of the end of the text, in UTF-16 code units. */
  nextAfter: number;
  messageId: string | null;
  citations: readonly CitationView[];
  failure: { message: string } | null;
};

type CitationView = {
  documentId: string;
  title: string | null;
  snippet: string | null;
  page: number | null;
};

/** The headers of the protocol. Proxies such as nginx would hold the events back. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'x-vercel-ai-ui-message-stream': 'v1',
  'X-Accel-Buffering': 'no',
} as const;

/** Proxies and API Gateway end a connection on which nothing is sent for some time. */
const keepAliveMs = 10 * secondMs;
const keepAlive = ': keep-alive\n\n';

const textId = 'text';

export const hasEnded = ({ status }: Pick<ReplyView, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

export const isNew = (view: Pick<ReplyView, 'status' | 'text'>): boolean =>
  view.text !== '' || hasEnded(view);

/**
 * @param views each has the text after the one before
 * @param elapsedMs a clock, for the comments that keep the connection open
 * @returns the chunks of the response: one or more events each
 */
export async function* uiMessageStream(
  views: AsyncIterable<ReplyView>,
  elapsedMs: () => number,
): AsyncGenerator<string, void, void> {
  let isBegun = false;
  let sentMs = elapsedMs();
  for await (const view of views) {
    const chunk = [isBegun ? '' : beginning(view), deltaOf(view), hasEnded(view) ? endOf(view) : ''].join('');
    isBegun = true;
    if (chunk === '' && elapsedMs() - sentMs < keepAliveMs) continue;
    sentMs = elapsedMs();
    yield chunk || keepAlive;
  }
}

/** @returns the events of an error that ends the response, but not the reply */
export const failedStream = ({ message }: { message: string }): string =>
  `data: ${JSON.stringify({ type: 'error', errorText: message })}\n\n`;

const eventAt =
  (offset: number) =>
  (part: object): string =>
    `id: ${offset}\ndata: ${JSON.stringify(part)}\n\n`;

function beginning({ id, text, nextAfter }: ReplyView): string {
  const event = eventAt(nextAfter - text.length);
  return event({ type: 'start', messageId: id }) + event({ type: 'text-start', id: textId });
}

const deltaOf = ({ text, nextAfter }: ReplyView): string =>
  text === '' ? '' : eventAt(nextAfter)({ type: 'text-delta', id: textId, delta: text });

function endOf(view: ReplyView): string {
  const event = eventAt(view.nextAfter);
  const parts = [{ type: 'text-end', id: textId }, ...view.citations.map(sourceOf), ...lastParts(view)];
  return `${parts.map(event).join('')}data: [DONE]\n\n`;
}

/** The citation of a document may come twice, with another page. */
const sourceOf = ({ documentId, title, snippet, page }: CitationView, index: number) => ({
  type: 'source-document',
  sourceId: `${documentId}#${index + 1}`,
  mediaType: 'text/plain',
  title: title ?? documentId,
  providerMetadata: { platform: { documentId, snippet, page } },
});

function lastParts({ status, messageId, failure }: ReplyView): object[] {
  if (status === 'done') return [{ type: 'finish', messageMetadata: { messageId } }];
  if (status === 'cancelled') return [{ type: 'abort' }];
  return [{ type: 'error', errorText: failure?.message ?? 'The reply has no answer.' }];
}
