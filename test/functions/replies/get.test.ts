import { describe, expect, test } from 'vitest';
import { dayMs, secondMs } from '../../../lib/base/time.ts';
import { openReplies } from '../../support/replies.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openAsked(...options: Parameters<typeof openReplies>) {
  const api = await openReplies(...options);
  const { id: deploymentId } = await api.deploy();
  const conversation = await api.converse({ deploymentId });
  const { data: asked } = await api.ask(conversation, 'Hello?');
  const path = `${conversation}/replies/${asked.id}`;
  const read = (query = '') => api.call('GET', `${path}${query}`);
  return { ...api, conversation, asked, path, read };
}

describe('replies.get', () => {
  responds(200, 'with when to ask again, until the reply has ended', async () => {
    const { read, asked, work, transcript, conversation } = await openAsked();
    const queued = await read();
    expect(queued.data).toEqual(asked);
    expect(queued.headers['Retry-After']).toBe('1');
    await work();
    const response = await read();
    expect(response.headers['Retry-After']).toBeUndefined();
    const [, message] = await transcript(conversation);
    expect(response.data).toMatchObject({
      status: 'done',
      text: 'This is the answer.',
      nextAfter: 19,
      messageId: message?.id,
      model: 'test.model',
      avatarVersion: 1,
      mode: null,
      indexVersion: null,
      failure: null,
      request: null,
      finishReason: 'stop',
    });
    for (const name of ['inputTokens', 'outputTokens', 'costUsd'])
      expect(response.data[name], name).toBeGreaterThan(0);
    for (const name of ['firstTextMs', 'totalMs']) expect(response.data[name], name).toBeTypeOf('number');
    return response;
  });

  test('fields that only the service needs are not shown', async () => {
    const { read, work } = await openAsked();
    await work();
    const { data } = await read();
    for (const name of ['inputSeq', 'messageSeq', 'holder', 'leaseUntilMs', 'reservedMicroUsd', 'tenant'])
      expect(data).not.toHaveProperty(name);
  });

  test('the text after an offset; beyond the end there is none', async () => {
    const { read, work } = await openAsked();
    await work();
    for (const [after, text] of [
      [0, 'This is the answer.'],
      [5, 'is the answer.'],
      [18, '.'],
      [19, ''],
      [20, ''],
      [9_999_999, ''],
    ] as const)
      expect((await read(`?after=${after}`)).data, `${after}`).toMatchObject({ text, nextAfter: 19 });
  });

  test('while it runs, the parts since an offset; beyond the end there are none', async () => {
    let check = async () => {};
    const { read, work } = await openAsked(() => ({ steps: ['One. ', () => check(), 'Two.'] }));
    check = async () => {
      expect((await read()).data).toMatchObject({
        status: 'running',
        text: 'One.',
        nextAfter: 4,
        costUsd: null,
      });
      expect((await read('?after=2')).data).toMatchObject({ text: 'e.', nextAfter: 4 });
      expect((await read('?after=4')).data).toMatchObject({ text: '', nextAfter: 4 });
      expect((await read('?after=5000')).data).toMatchObject({ text: '', nextAfter: 4 });
    };
    await work();
    expect((await read('?after=4')).data).toMatchObject({ status: 'done', text: ' Two.', nextAfter: 9 });
  });

  test('waitSeconds waits for text, and for the end', async () => {
    const waited: unknown[] = [];
    let wait = async () => {};
    const { read, work } = await openAsked(() => ({ steps: ['One. ', () => wait(), 'Two.'] }));
    wait = async () => {
      // There is text already.
      waited.push((await read('?waitSeconds=20')).data.text);
      pending = read('?after=4&waitSeconds=20');
    };
    let pending: ReturnType<typeof read> | undefined;
    await work();
    const { data } = (await pending) ?? {};
    expect(waited).toEqual(['One.']);
    expect(data?.text).toBe(' Two.');
  });

  test('without news, waitSeconds ends with the state', async () => {
    const { read } = await openAsked();
    const { status, data, headers } = await read('?waitSeconds=1');
    expect([status, data.status, headers['Retry-After']]).toEqual([200, 'queued', '1']);
  });

  test.each(['after=-1', 'after=1.5', 'after=a', 'after=10000000', 'waitSeconds=21', 'other=1'])(
    '400 for %s',
    async (query) => {
      const { read } = await openAsked();
      const { status, error } = await read(`?${query}`);
      expect([status, error.code, error.details?.[0]?.path]).toEqual([
        400,
        'validation_error',
        query.split('=')[0],
      ]);
    },
  );

  test('a reply whose worker has stopped is unknown after 30 seconds, with its highest cost', async () => {
    let check = async () => {};
    const { read, work, advance } = await openAsked(() => ({ steps: ['One. ', () => check(), 'Two.'] }));
    check = async () => {
      advance(29 * secondMs);
      expect((await read()).data.status).toBe('running');
      advance(2 * secondMs);
      const { data, headers } = await read();
      expect(data).toMatchObject({ status: 'unknown', failure: { code: 'worker_lost' }, text: 'One.' });
      expect(data.costUsd).toBeGreaterThan(0);
      expect(data.finishedAt).not.toBeNull();
      expect(headers['Retry-After']).toBeUndefined();
    };
    await work();
    // The worker has lost it, so it stores nothing more.
    expect((await read()).data).toMatchObject({ status: 'unknown', text: 'One.', messageId: null });
  });

  test('the text of a reply without a message can be read for 24 hours', async () => {
    const { read, work, advance, transcript, conversation } = await openAsked(() => ({
      steps: ['Half'],
      end: { kind: 'retry', reason: 'network', mayCost: true, message: 'lost' },
    }));
    await work();
    expect((await read()).data).toMatchObject({ status: 'unknown', text: 'Half', nextAfter: 4 });
    expect(await transcript(conversation)).toHaveLength(1);
    advance(dayMs - 60 * secondMs);
    expect((await read()).data.text).toBe('Half');
    advance(2 * 60 * secondMs);
    expect((await read()).data).toMatchObject({ status: 'unknown', text: '', nextAfter: 0 });
  });

  refuses('not_found', 'a reply of another conversation', async () => {
    const { call, converse, asked } = await openAsked();
    return call('GET', `${await converse()}/replies/${asked.id}`);
  });

  test('a runtime reads replies of its own conversations only', async () => {
    const { call, path, createKey, project, avatarId, asked } = await openAsked();
    const { secret: key } = await createKey({ scopes: ['runtime:write'] });
    expect((await call('GET', path, { key })).status).toBe(404);
    const { data } = await call('POST', `${project}/conversations`, { body: { avatarId }, key });
    const own = `${project}/conversations/${data.id}/replies`;
    expect((await call('GET', own, { key })).data.items).toEqual([]);
    expect((await call('GET', `${own}/${asked.id}`, { key })).status).toBe(404);
  });
});

describe('what a model does', () => {
  test.each([
    ['answers nothing', {}, 'failed', 'empty_answer'],
    ['answers white space', { steps: [' \n '] }, 'failed', 'empty_answer'],
    ['answers markers alone', { steps: ['[1]'] }, 'failed', 'empty_answer'],
    [
      'refuses',
      { end: { kind: 'answer', stop: 'refused', inputTokens: 1, outputTokens: 0 } },
      'failed',
      'model_refused',
    ],
    [
      'finds the request too long',
      { end: { kind: 'too_long', message: '400' } },
      'failed',
      'request_too_long',
    ],
    ['is gone', { end: { kind: 'unavailable', message: '404' } }, 'failed', 'model_unavailable'],
    [
      'breaks off',
      { steps: ['Half'], end: { kind: 'retry', reason: 'failed', mayCost: true, message: '' } },
      'unknown',
      'answer_lost',
    ],
    ['fails', { end: { kind: 'throws', error: new Error('socket') } }, 'unknown', 'answer_lost'],
  ] as const)('%s', async (_, script, status, code) => {
    const { read, work, transcript, conversation } = await openAsked(() => script);
    await work();
    const { data } = await read();
    expect(data).toMatchObject({ status, failure: { code }, messageId: null, citations: [] });
    expect(data.costUsd).not.toBeNull();
    expect(data.model).toBe('test.model');
    expect(await transcript(conversation)).toHaveLength(1);
  });

  test('is cut off: the answer is stored, and says so', async () => {
    const { read, work, transcript, conversation } = await openAsked(() => ({
      steps: ['It is'],
      end: { kind: 'answer', stop: 'length', inputTokens: 10, outputTokens: 200 },
    }));
    await work();
    expect((await read()).data).toMatchObject({ status: 'done', finishReason: 'length', text: 'It is' });
    expect(await transcript(conversation)).toHaveLength(2);
  });

  test('answers 10 MB: as much as a message may have is stored, and the rest is not read', async () => {
    const block = 'ä'.repeat(8 * 1024);
    let steps = 0;
    const count = () => {
      steps += 1;
    };
    const { read, work } = await openAsked(() => ({
      steps: Array.from({ length: 640 }, () => [count, block]).flat(),
    }));
    await work();
    const { data } = await read();
    expect(data).toMatchObject({ status: 'done', finishReason: 'length' });
    expect(Buffer.byteLength(`${data.text}`)).toBe(16 * 1024);
    expect(steps).toBeLessThan(10);
  });

  test('is busy: it is asked again, and then the reply fails without a cost', async () => {
    const busy = { end: { kind: 'retry', reason: 'throttled', mayCost: false, message: '429' } } as const;
    const { read, work, models } = await openAsked((_, index) => (index < 2 ? busy : { steps: ['Now.'] }));
    await work();
    expect((await read()).data).toMatchObject({ status: 'done', text: 'Now.' });
    expect(models.streams).toHaveLength(3);
  });
});
