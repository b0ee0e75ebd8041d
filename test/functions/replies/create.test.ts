import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { maxTextBytes } from '../../../lib/conversations/schema/message.ts';
import { unitHash, type Variant, variantOf } from '../../../lib/rollouts/assign.ts';
import type { ApiResponse, Json } from '../../../samples/api.ts';
import type { Script } from '../../../samples/models.ts';
import { openReplies, testModel } from '../../support/replies.ts';
import { refuses, responds } from '../../support/responses.ts';
import { serveRollout } from '../../support/rollouts.ts';

const production = { environment: 'production' };
const draft = { target: { draft: true } };
const input = { text: 'Hello?' };
const unknownDeployment = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** A conversation of a deployment. */
async function openServed(...options: Parameters<typeof openReplies>) {
  const api = await openReplies(...options);
  const { id: deploymentId } = await api.deploy();
  return { ...api, deploymentId, conversation: await api.converse({ deploymentId }) };
}

const refusing: Script = () => ({ end: { kind: 'invalid', message: '400' } });

/** Each answer fails. */
const openFailing = () => openServed(refusing);

/** @returns the field that a refused request names */
const fieldOf = ({ status, error }: ApiResponse) => [status, error.code, error.details?.[0]?.path];

describe('replies.create', () => {
  responds(202, 'with a queued reply, and stores the message of the user', async () => {
    const { deploy, converse, ask, transcript, call } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse();
    const response = await ask(conversation, { input, target: production });
    expect(response.data).toMatchObject({
      status: 'queued',
      deploymentId,
      environment: 'production',
      draft: false,
      dryRun: false,
      avatarVersion: 1,
      text: '',
      nextAfter: 0,
      messageId: null,
      maxCostUsd: null,
      costUsd: null,
    });
    expect(response.headers.Location).toBe(`/api/v1${conversation}/replies/${response.data.id}`);
    const [message, ...others] = await transcript(conversation);
    expect(message).toMatchObject({ seq: 1, role: 'user', text: 'Hello?', id: response.data.inputMessageId });
    expect(others).toEqual([]);
    expect((await call('GET', conversation)).data).toMatchObject({ deploymentId, messageCount: 1 });
    return response;
  });

  test('the worker stores the answer as a message', async () => {
    const { conversation, answered, transcript, models } = await openServed();
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

  refuses('reply_running', 'while a reply of the conversation is open, with its id', async () => {
    const { conversation, ask, transcript } = await openServed();
    const { data } = await ask(conversation, 'One?');
    const response = await ask(conversation, 'Two?');
    expect(response.error.details).toEqual([{ path: 'replyId', message: data.id }]);
    expect(await transcript(conversation)).toHaveLength(1);
    return response;
  });

  test('a reply that nobody has taken for a minute is superseded by the next question', async () => {
    const { conversation, ask, call, advance } = await openServed();
    const { data: first } = await ask(conversation, 'One?');
    advance(minuteMs - 1000);
    expect((await ask(conversation, 'Two?')).status).toBe(409);
    advance(2000);
    expect((await ask(conversation, 'Two?')).status).toBe(202);
    expect((await call('GET', `${conversation}/replies/${first.id}`)).data).toMatchObject({
      status: 'cancelled',
      failure: { code: 'superseded' },
      costUsd: 0,
    });
  });

  refuses('conversation_ended', 'an ended conversation', async () => {
    const { conversation, ask, call, transcript } = await openServed();
    await call('POST', `${conversation}/end`, { body: { reason: 'completed' } });
    const response = await ask(conversation, 'Hello?');
    expect(await transcript(conversation)).toEqual([]);
    return response;
  });

  test('a closed list of bad bodies, and of what they name', async () => {
    const { conversation, ask, transcript } = await openServed();
    const retryOf = 'rpl_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const bodies: [Json, string][] = [
      [{ input: { text: '' } }, 'input.text'],
      [{ input: { text: 'é'.repeat(maxTextBytes / 2 + 1) } }, 'input.text'],
      [{ input: {} }, 'input.text'],
      [{ input: { text: 'a', role: 'avatar' } }, 'input.role'],
      [{ input: { text: 'a', clientMessageId: '' } }, 'input.clientMessageId'],
      [{}, ''],
      [{ input, retryOf }, ''],
      [{ input, target: {} }, 'target'],
      [{ input, target: { ...production, draft: true } }, 'target'],
      [{ input, target: { ...production, deploymentId: unknownDeployment } }, 'target'],
      [{ input, target: { draft: false } }, 'target.draft'],
      [{ input, target: { environment: 'missing' } }, 'target.environment'],
      [{ input, maxCostUsd: 0 }, 'maxCostUsd'],
      [{ input, maxCostUsd: 1001 }, 'maxCostUsd'],
      [{ input, dryRun: 'yes' }, 'dryRun'],
    ];
    for (const [body, path] of bodies)
      expect(fieldOf(await ask(conversation, body)), JSON.stringify(body).slice(0, 100)).toEqual([
        400,
        'validation_error',
        path,
      ]);
    expect(await transcript(conversation)).toEqual([]);
  });

  test('a text of 16 KB is taken', async () => {
    const { conversation, answered } = await openServed();
    const text = 'é'.repeat(maxTextBytes / 2);
    expect(await answered(conversation, text)).toMatchObject({ status: 'done' });
  });

  test('400 for an unknown deployment, and for no deployment and no target', async () => {
    const { converse, ask } = await openServed();
    const none = await converse();
    expect(fieldOf(await ask(none, { input, target: { deploymentId: unknownDeployment } }))).toEqual([
      400,
      'validation_error',
      'target.deploymentId',
    ]);
    expect(fieldOf(await ask(none, { input }))).toEqual([400, 'validation_error', 'target']);
  });

  refuses('nothing_served', 'an environment that serves nothing', async () => {
    const { made, converse, ask } = await openReplies();
    await made('/deployments', { environment: 'production', promote: false });
    return ask(await converse(), { input, target: production });
  });

  refuses('deployment_mismatch', 'another deployment than that of the conversation', async () => {
    const { conversation, deploy, ask, deploymentId, project, avatarId, call } = await openServed();
    await call('PATCH', `${project}/avatars/${avatarId}`, { body: { name: 'Eve' } });
    const { id } = await deploy();
    expect((await ask(conversation, { input, target: { deploymentId } })).status).toBe(202);
    const other = await openSecond(conversation);
    expect((await ask(other, { input, target: production })).error.code).toBe('deployment_mismatch');
    return ask(other, { input, target: { deploymentId: id } });

    async function openSecond(path: string) {
      const { data } = await call('POST', path.replace(/\/conv_\w+$/, ''), {
        body: { avatarId, deploymentId },
      });
      return path.replace(/conv_\w+$/, `${data.id}`);
    }
  });

  refuses('deployment_mismatch', 'a deployment that lacks the avatar', async () => {
    const { made, converse, ask, deploymentId } = await openServed();
    const { id: avatarId } = await made('/avatars', { name: 'Bob', persona: { prompt: 'You are Bob.' } });
    const response = await ask(await converse({ avatarId }), { input, target: { deploymentId } });
    expect(response.error.message).toContain(`${avatarId}`);
    return response;
  });

  refuses('conversation_not_test', 'a draft in a conversation that is not a test', async () => {
    const { converse, ask } = await openReplies();
    return ask(await converse(), { input, ...draft });
  });

  refuses('avatar_archived', 'the draft of an archived avatar', async () => {
    const { converse, ask, call, project, avatarId } = await openReplies();
    const conversation = await converse({ test: true });
    const body = { status: 'archived' };
    await call('PATCH', `${project}/avatars/${avatarId}`, { body });
    return ask(conversation, { input, ...draft });
  });

  test('the deployment of an avatar that was archived since answers', async () => {
    const { conversation, answered, call, project, avatarId } = await openServed();
    const body = { status: 'archived' };
    expect((await call('PATCH', `${project}/avatars/${avatarId}`, { body })).status).toBe(200);
    expect(await answered(conversation, 'Hello?')).toMatchObject({ status: 'done' });
  });

  refuses('no_model', 'an avatar without a model, with the remedy', async () => {
    const { conversation, ask, transcript } = await openServed(undefined, { avatar: { model: null } });
    const response = await ask(conversation, 'Hello?');
    expect(response.error.message).toContain('model');
    expect(await transcript(conversation)).toEqual([]);
    return response;
  });

  refuses('model_not_listed', 'a model that the stage lists no more', async () => {
    const { conversation, ask, models } = await openServed();
    Object.assign(models, { listed: [{ ...testModel, id: 'test.other' }] });
    const response = await ask(conversation, 'Hello?');
    expect(response.error.message).toContain(testModel.id);
    return response;
  });

  test('a draft answers with its current version, and leaves the conversation without a deployment', async () => {
    const { converse, answered, ask, call, project, avatarId, work } = await openReplies();
    const conversation = await converse({ test: true });
    const { data } = await ask(conversation, { input, ...draft });
    expect(data).toMatchObject({ draft: true, deploymentId: null, avatarVersion: null });
    // The version is that of the moment when the reply is claimed.
    await call('PATCH', `${project}/avatars/${avatarId}`, { body: { persona: { prompt: 'You are Eve.' } } });
    await work();
    const reply = (await call('GET', `${conversation}/replies/${data.id}`)).data;
    expect(reply).toMatchObject({ status: 'done', avatarVersion: 2, deploymentId: null });
    expect((await call('GET', conversation)).data.deploymentId).toBeNull();
    expect(await answered(conversation, { input, ...draft })).toMatchObject({ status: 'done' });
  });

  test('a message that is sent again gets its reply, also while the reply is open and after its end', async () => {
    const { conversation, ask, work, transcript, call, notices, models } = await openServed();
    const body = { input: { text: 'Hello?', clientMessageId: 'one' } };
    const { data } = await ask(conversation, body);
    const again = await ask(conversation, body);
    expect([again.status, again.data]).toEqual([202, data]);
    expect(again.headers.Location).toBe(`/api/v1${conversation}/replies/${data.id}`);
    expect(await notices()).toHaveLength(1);
    await work();
    await call('POST', `${conversation}/end`, { body: { reason: 'completed' } });
    expect((await ask(conversation, body)).data).toMatchObject({ id: data.id, status: 'done' });
    expect(await transcript(conversation)).toHaveLength(2);
    expect(models.streams).toHaveLength(1);
  });

  test('400 for a clientMessageId of another message', async () => {
    const { conversation, ask, call, work } = await openServed();
    const named = (text: string) => ({ input: { text, clientMessageId: 'one' } });
    await ask(conversation, named('Hello?'));
    await work();
    const messages = [{ role: 'user', text: 'Appended', clientMessageId: 'two' }];
    await call('POST', `${conversation}/messages`, { body: { messages } });
    const unanswered = { input: { text: 'Appended', clientMessageId: 'two' } };
    for (const body of [named('Another?'), unanswered])
      expect(fieldOf(await ask(conversation, body))).toEqual([
        400,
        'validation_error',
        'input.clientMessageId',
      ]);
  });

  test('an idempotency key is replayed', async () => {
    const { conversation, ask, transcript } = await openServed();
    const first = await ask(conversation, 'Hello?', { idempotencyKey: 'one' });
    const second = await ask(conversation, 'Hello?', { idempotencyKey: 'one' });
    expect([second.status, second.text]).toEqual([202, first.text]);
    expect(second.headers['Idempotent-Replayed']).toBe('true');
    expect(await transcript(conversation)).toHaveLength(1);
  });

  test('fifty duplicates at once get the same reply', async () => {
    const { conversation, ask, transcript, notices } = await openServed();
    const body = { input: { text: 'Hello?', clientMessageId: 'one' } };
    const all = await Promise.all(Array.from({ length: 50 }, () => ask(conversation, body)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 202));
    expect(new Set(all.map(({ data }) => data.id)).size).toBe(1);
    expect(await transcript(conversation)).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });
});

describe('retryOf', () => {
  test('the same message gets a new reply', async () => {
    const { conversation, answered, transcript, ask, call, work } = await openServed((_, index) =>
      index === 0 ? { end: { kind: 'invalid', message: '400' } } : { steps: ['At last.'] },
    );
    const failed = await answered(conversation, 'Hello?');
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'model_refused' }, messageId: null });
    const { status, data } = await ask(conversation, { retryOf: failed.id });
    expect([status, data.inputMessageId, data.retryOf]).toEqual([202, failed.inputMessageId, failed.id]);
    await work();
    expect((await call('GET', `${conversation}/replies/${data.id}`)).data.text).toBe('At last.');
    expect((await transcript(conversation)).map(({ text }) => text)).toEqual(['Hello?', 'At last.']);
  });

  test('of a cancelled and of an unknown reply', async () => {
    const { conversation, ask, call, answered } = await openServed(() => ({
      end: { kind: 'retry', reason: 'network', mayCost: true, message: 'lost' },
    }));
    const { data } = await ask(conversation, 'Hello?');
    await call('POST', `${conversation}/replies/${data.id}/cancel`);
    const unknown = await answered(conversation, { retryOf: data.id });
    expect(unknown).toMatchObject({ status: 'unknown', failure: { code: 'answer_lost' } });
    expect((await ask(conversation, { retryOf: unknown.id })).status).toBe(202);
  });

  refuses('reply_not_retryable', 'a reply that is done', async () => {
    const { conversation, answered, ask } = await openServed();
    return ask(conversation, { retryOf: (await answered(conversation, 'Hello?')).id });
  });

  refuses('reply_not_retryable', 'a reply that is not the last', async () => {
    const { conversation, answered, ask } = await openFailing();
    const { id } = await answered(conversation, 'One?');
    await answered(conversation, { retryOf: id });
    return ask(conversation, { retryOf: id });
  });

  refuses('reply_not_retryable', 'a reply whose message is not the last', async () => {
    const { conversation, answered, ask, call } = await openFailing();
    const { id } = await answered(conversation, 'One?');
    await call('POST', `${conversation}/messages`, { body: { messages: [{ role: 'user', text: 'Two?' }] } });
    return ask(conversation, { retryOf: id });
  });

  refuses('not_found', 'a reply of another conversation', async () => {
    const { conversation, answered, ask, converse, deploymentId } = await openFailing();
    const { id } = await answered(conversation, 'One?');
    return ask(await converse({ deploymentId }), { retryOf: id });
  });
});

describe('while a rollout runs, the assignment of the conversation decides', () => {
  const rolloutId = 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const percent = 50;
  const assignmentOf = (variant: Variant) => {
    for (let at = 0; ; at += 1) {
      const hash = unitHash(rolloutId, `user-${at}`);
      if (variantOf(hash, percent) === variant) return `${rolloutId}.1.${variant}.${hash}`;
    }
  };

  async function openRollout() {
    const api = await openServed();
    await api.call('PATCH', `${api.project}/avatars/${api.avatarId}`, { body: { name: 'Eve' } });
    const { id: candidate } = await api.made('/deployments', { environment: 'production', promote: false });
    await serveRollout(api, api.projectId, 'production', {
      id: rolloutId,
      percent,
      span: 1,
      deploymentId: `${candidate}`,
    });
    return { ...api, candidate };
  }

  test('for each variant', async () => {
    const { converse, ask, candidate, deploymentId } = await openRollout();
    for (const [variant, expected] of [
      ['candidate', candidate],
      ['current', deploymentId],
    ] as const) {
      const conversation = await converse({ assignment: assignmentOf(variant) });
      const { status, data } = await ask(conversation, { input, target: production });
      expect([status, data.deploymentId], variant).toEqual([202, expected]);
    }
  });

  test('without an assignment, the current deployment answers', async () => {
    const { converse, ask, deploymentId } = await openRollout();
    const { data } = await ask(await converse(), { input, target: production });
    expect(data.deploymentId).toBe(deploymentId);
  });
});

describe('the scopes', () => {
  test('a runtime asks in its own conversations, and not for a draft or a dry run', async () => {
    const { ask, converse, createKey, deploymentId, call, project, avatarId } = await openServed();
    const { secret: key } = await createKey({ scopes: ['runtime:write'] });
    const own = await call('POST', `${project}/conversations`, { body: { avatarId, deploymentId }, key });
    const path = `${project}/conversations/${own.data.id}`;
    expect((await ask(await converse({ deploymentId }), 'Hello?', { key })).status).toBe(404);
    for (const body of [
      { input, ...draft },
      { input, dryRun: true },
    ])
      expect((await ask(path, body, { key })).error.code).toBe('insufficient_scope');
    expect((await ask(path, 'Hello?', { key })).status).toBe(202);
  });

  test.each([
    { left: 'deploy:read', body: { input } },
    { left: 'conversations:write', body: { input } },
    { left: 'knowledge:read', body: { input, dryRun: true } },
    { left: 'avatars:read', body: { input, dryRun: true } },
    { left: 'knowledge:read', body: { input, ...draft } },
  ])('403 without $left for $body', async ({ left, body }) => {
    const { ask, converse, createKey } = await openServed();
    const conversation = await converse({ test: true });
    const all = ['conversations:write', 'deploy:read', 'knowledge:read', 'avatars:read'];
    const key = (await createKey({ scopes: all.filter((scope) => scope !== left) })).secret;
    const { error } = await ask(conversation, { ...body }, { key });
    expect(error.code).toBe('insufficient_scope');
    expect(error.message).toContain(left);
  });
});
