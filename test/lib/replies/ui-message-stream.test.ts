/** The AI SDK's own parser reads the events. */

import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  failedStream,
  isNew,
  type ReplyView,
  uiMessageStream,
} from '../../../lib/replies/ui-message-stream.ts';

const running: ReplyView = {
  id: 'rpl_1',
  status: 'running',
  text: '',
  nextAfter: 0,
  messageId: null,
  citations: [],
  failure: null,
};

const returns = { documentId: 'kdoc_1', title: 'Returns', snippet: 'Within 30 days', page: 2 };

/** @returns the views of a reply whose text comes in these parts */
function viewsOf(parts: readonly string[], end: Partial<ReplyView>, after = 0): ReplyView[] {
  let nextAfter = after;
  const views = parts.map((text): ReplyView => {
    nextAfter += text.length;
    return { ...running, text, nextAfter };
  });
  return [...views, { ...running, nextAfter, ...end }];
}

async function chunksOf(views: readonly ReplyView[], clock = () => 0): Promise<string[]> {
  async function* all() {
    yield* views;
  }
  const chunks: string[] = [];
  for await (const chunk of uiMessageStream(all(), clock)) chunks.push(chunk);
  return chunks;
}

/** @returns the parts, as the AI SDK parses and checks them */
async function partsOf(body: string): Promise<UIMessageChunk[]> {
  const stream = new Blob([body]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  const parts: UIMessageChunk[] = [];
  for await (const result of parseJsonEventStream({ stream, schema: uiMessageChunkSchema })) {
    if (!result.success) throw result.error;
    parts.push(result.value);
  }
  return parts;
}

/** @returns the last state of the message that a browser has, and the errors */
async function messageOf(body: string) {
  const parts = await partsOf(body);
  const errors: unknown[] = [];
  let last: UIMessage | undefined;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream, onError: (error) => errors.push(error) }))
    last = message;
  return { message: last, errors };
}

const ids = (body: string) => [...body.matchAll(/^id: (.*)$/gm)].map(([, id]) => Number(id));

describe('the events of a reply', () => {
  test('are a message of the AI SDK, with its sources', async () => {
    const views = viewsOf(['You can send ', 'it back.'], {
      status: 'done',
      messageId: 'msg_1',
      citations: [returns, { ...returns, title: null, page: 3 }],
    });
    const body = (await chunksOf(views)).join('');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    expect((await partsOf(body)).map(({ type }) => type)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'source-document',
      'source-document',
      'finish',
    ]);
    const { message, errors } = await messageOf(body);
    expect(errors).toEqual([]);
    expect(message).toMatchObject({
      id: 'rpl_1',
      role: 'assistant',
      metadata: { messageId: 'msg_1' },
      parts: [
        { type: 'text', text: 'You can send it back.', state: 'done' },
        {
          type: 'source-document',
          sourceId: 'kdoc_1#1',
          mediaType: 'text/plain',
          title: 'Returns',
          providerMetadata: { platform: { documentId: 'kdoc_1', page: 2, snippet: 'Within 30 days' } },
        },
        { type: 'source-document', sourceId: 'kdoc_1#2', title: 'kdoc_1' },
      ],
    });
  });

  test('are sent as soon as there is text, and in one chunk if the reply has ended', async () => {
    const [first = '', second = '', third = ''] = await chunksOf(viewsOf(['a', 'b'], { status: 'done' }));
    expect([first, second, third].map((chunk) => chunk.match(/"type":"[a-z-]+"/g)?.length)).toEqual([
      3, 1, 2,
    ]);
    expect(await chunksOf([{ ...running, status: 'done', text: 'all', nextAfter: 3 }])).toHaveLength(1);
  });

  test('have the offset after each as id; a stream from any of them has the rest of the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), async (texts) => {
        const whole = texts.join('');
        const body = (await chunksOf(viewsOf(texts, { status: 'done' }))).join('');
        for (const after of ids(body)) {
          const rest = whole.slice(after);
          const view = { ...running, status: 'done', text: rest, nextAfter: whole.length };
          const resumed = await messageOf((await chunksOf([view])).join(''));
          expect(resumed.message?.parts).toMatchObject([{ type: 'text', text: rest }]);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('keep a text that is cut inside of a character', async () => {
    const body = (await chunksOf(viewsOf(['\ud83d', '\ude00\n\ndata: x\r\n'], { status: 'done' }))).join('');
    expect((await messageOf(body)).message?.parts).toMatchObject([{ text: '😀\n\ndata: x\r\n' }]);
  });

  test.each([
    ['failed', { message: 'The model is not available.' }, 'The model is not available.'],
    ['unknown', null, 'The reply has no answer.'],
  ])('say why there is no answer: %s', async (status, failure, errorText) => {
    const body = (await chunksOf(viewsOf(['Half'], { status, failure }))).join('');
    const parts = await partsOf(body);
    expect(parts.at(-1)).toEqual({ type: 'error', errorText });
    expect(parts.map(({ type }) => type)).not.toContain('finish');
    const { message, errors } = await messageOf(body);
    expect(errors).toHaveLength(1);
    expect(message?.parts).toMatchObject([{ text: 'Half', state: 'done' }]);
    expect(body).toContain('[DONE]');
  });

  test('of a cancelled reply are aborted', async () => {
    const body = (await chunksOf(viewsOf(['Half'], { status: 'cancelled' }))).join('');
    expect((await partsOf(body)).at(-1)).toEqual({ type: 'abort' });
  });

  test('that stop before the end are not done, so that the client resumes them', async () => {
    const body = (await chunksOf(viewsOf(['Half'], {}))).join('');
    expect(body).not.toContain('[DONE]');
    expect((await partsOf(body)).map(({ type }) => type)).toEqual(['start', 'text-start', 'text-delta']);
    expect(await partsOf(body + failedStream({ message: 'Send a valid key.' }))).toContainEqual({
      type: 'error',
      errorText: 'Send a valid key.',
    });
  });

  test('a comment keeps the connection open', async () => {
    let ms = 0;
    const clock = () => {
      ms += 2500;
      return ms;
    };
    const chunks = await chunksOf([running, running, running, running, running, running], clock);
    expect(chunks.filter((chunk) => chunk === ': keep-alive\n\n')).toHaveLength(1);
    expect(await partsOf(chunks.join(''))).toHaveLength(2);
  });
});

test.each([
  ['queued', '', false],
  ['running', '', false],
  ['running', 'a', true],
  ['cancelled', '', true],
])('%s with the text "%s" is new: %s', (status, text, expected) => {
  expect(isNew({ status, text })).toBe(expected);
});
