import { describe, expect, test } from 'vitest';
import { openReplies } from '../../support/replies.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('replies.create', () => {
  responds(202, 'with a queued reply, and stores the message of the user', async () => {
    const { deploy, converse, ask, transcript, call } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse();
    const response = await ask(conversation, {
      input: { text: 'Hello?' },
      target: { environment: 'production' },
    });
    expect(response.data).toMatchObject({
      status: 'queued',
      deploymentId,
      environment: 'production',
      draft: false,
      avatarVersion: 1,
      text: '',
      nextAfter: 0,
      messageId: null,
    });
    expect(response.headers.Location).toBe(`/api/v1${conversation}/replies/${response.data.id}`);
    const [message, ...others] = await transcript(conversation);
    expect(message).toMatchObject({ seq: 1, role: 'user', text: 'Hello?', id: response.data.inputMessageId });
    expect(others).toEqual([]);
    expect((await call('GET', conversation)).data).toMatchObject({ deploymentId, messageCount: 1 });
    return response;
  });

  test('the worker stores the answer as a message', async () => {
    const { deploy, converse, answered, transcript, models } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse({ deploymentId });
    const reply = await answered(conversation, 'Hello?');
    expect(reply).toMatchObject({
      status: 'done',
      text: 'This is the answer.',
      failure: null,
      finishReason: 'stop',
    });
    expect(models.streams).toHaveLength(1);
    const [, message] = await transcript(conversation);
    expect(message).toMatchObject({
      seq: 2,
      role: 'avatar',
      text: 'This is the answer.',
      id: reply.messageId,
    });
  });

  refuses('reply_running', 'while a reply of the conversation is open', async () => {
    const { deploy, converse, ask } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse({ deploymentId });
    await ask(conversation, 'One?');
    return ask(conversation, 'Two?');
  });
});
