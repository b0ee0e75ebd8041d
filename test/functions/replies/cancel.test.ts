import { describe, expect, test } from 'vitest';
import { openReplies } from '../../support/replies.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openAsked(...options: Parameters<typeof openReplies>) {
  const api = await openReplies(...options);
  const { id: deploymentId } = await api.deploy();
  const conversation = await api.converse({ deploymentId });
  const { data: asked } = await api.ask(conversation, 'Hello?');
  const path = `${conversation}/replies/${asked.id}`;
  return {
    ...api,
    conversation,
    path,
    cancel: () => api.call('POST', `${path}/cancel`),
    read: async () => (await api.call('GET', path)).data,
  };
}

describe('replies.cancel', () => {
  responds(200, 'for a queued reply: no model is asked, and it costs nothing', async () => {
    const { cancel, read, notices, work, models, conversation, ask } = await openAsked();
    const found = await notices();
    const response = await cancel();
    expect(response.data).toMatchObject({ status: 'cancelled', costUsd: 0, messageId: null });
    expect(response.data).not.toHaveProperty('text');
    await work(found);
    expect(models.streams).toEqual([]);
    expect(await read()).toMatchObject({ status: 'cancelled', text: '', finishedAt: expect.any(String) });
    // It blocks nothing.
    expect((await ask(conversation, 'Another?')).status).toBe(202);
    return response;
  });

  test('a running reply stores nothing more, and its reservation stays counted', async () => {
    let cancelled: unknown;
    let act = async () => {};
    const { cancel, work, read, transcript, conversation, ask } = await openAsked(() => ({
      steps: ['One. ', () => act(), 'x'.repeat(3000), 'Two.'],
    }));
    act = async () => {
      cancelled = (await cancel()).data;
    };
    await work();
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    const reply = await read();
    expect(reply).toMatchObject({ status: 'cancelled', text: 'One.', messageId: null });
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(await transcript(conversation)).toHaveLength(1);
    expect((await ask(conversation, 'Another?')).status).toBe(202);
  });

  responds(200, 'for a cancelled reply, unchanged', async () => {
    const { cancel } = await openAsked();
    const first = await cancel();
    const second = await cancel();
    expect(second.text).toBe(first.text);
    return second;
  });

  test('a cancelled reply that is not the last leaves the open one', async () => {
    const { cancel, conversation, ask, call } = await openAsked();
    await cancel();
    const { data } = await ask(conversation, 'Another?');
    expect((await cancel()).status).toBe(200);
    expect((await call('GET', `${conversation}/replies/${data.id}`)).data.status).toBe('queued');
    expect((await ask(conversation, 'A third?')).error.code).toBe('reply_running');
  });

  refuses('reply_ended', 'a reply that is done', async () => {
    const { cancel, work, read } = await openAsked();
    await work();
    const response = await cancel();
    expect((await read()).status).toBe('done');
    return response;
  });

  test('409 reply_ended for a reply whose worker has stopped', async () => {
    let act = async () => {};
    const { cancel, work, advance } = await openAsked(() => ({ steps: ['One.', () => act()] }));
    let code: unknown;
    act = async () => {
      advance(31_000);
      code = (await cancel()).error.code;
    };
    await work();
    expect(code).toBe('reply_ended');
  });

  test('a dry run is cancelled, too, and leaves the open reply of its conversation', async () => {
    const { conversation, ask, call, path, work } = await openAsked();
    const { data } = await ask(conversation, { input: { text: 'Dry?' }, dryRun: true });
    const dry = `${conversation}/replies/${data.id}`;
    expect((await call('POST', `${dry}/cancel`)).data.status).toBe('cancelled');
    await work();
    expect((await call('GET', dry)).data).toMatchObject({ status: 'cancelled', request: null });
    expect((await call('GET', path)).data.status).toBe('done');
  });

  refuses('not_found', 'a reply of another conversation', async () => {
    const { call, converse, path } = await openAsked();
    return call('POST', `${await converse()}/replies/${path.split('/').at(-1)}/cancel`);
  });
});
