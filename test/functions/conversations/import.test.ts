import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import { intercept } from '../../support/faults.ts';
import { refuses, responds } from '../../support/responses.ts';
import { deliver, openMortal } from '../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const whole = {
  externalId: 'call-1',
  avatarId,
  externalUserId: 'anna',
  channel: 'web',
  deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  tags: ['a', 'b'],
  metadata: { k: 'v' },
  startedAt: '2026-03-01T09:30:00.000Z',
  endedAt: '2026-03-01T09:40:00.000Z',
  endReason: 'abandoned',
};
const said = [
  { role: 'user', text: 'Where is my order?', at: '2026-03-01T09:31:00.000Z', clientMessageId: 'm-1' },
  {
    role: 'avatar',
    text: 'On its way.',
    at: '2026-03-01T09:32:00.000Z',
    citations: [{ documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', title: 'Delivery' }],
    metadata: { toolCallId: 'call_1' },
  },
];
const sent = { ...whole, messages: said };
const bare = (externalId: string, body: Json = {}) => ({
  externalId,
  avatarId,
  startedAt: '2026-03-01T09:30:00.000Z',
  messages: [],
  ...body,
});
const messagesOf = (count: number, body: Json = {}) =>
  Array.from({ length: count }, (_, n) => ({
    role: 'user',
    text: `${n}`,
    at: '2026-03-01T09:31:00Z',
    ...body,
  }));

async function openImports(settings: Json = {}) {
  const api = await openApi();
  const project = await api.createProject({ settings });
  const list = `/projects/${project}/conversations`;
  return {
    ...api,
    project,
    list,
    send: (...conversations: Json[]) => api.call('POST', `${list}/import`, { body: { conversations } }),
    listed: async (query = '') => (await api.call('GET', list + query)).data.items as Json[],
  };
}

const resultsOf = ({ data }: { data: Json }) => data.results as Json[];

describe('conversations.import', () => {
  responds(200, 'with stored conversations, which every reader finds', async () => {
    const { call, send, list, listed, indexMessages, project, ...api } = await openImports();
    const response = await send(sent, bare('call-2'));
    const [{ id } = {}, second] = resultsOf(response);
    expect(response.data).toEqual({
      results: [
        { index: 0, id, outcome: 'created' },
        { index: 1, id: second?.id, outcome: 'created' },
      ],
    });
    const { data: stored } = await call('GET', `${list}/${id}`);
    expect(stored).toMatchObject({
      ...whole,
      status: 'ended',
      messageCount: 2,
      messageCountByRole: { user: 1, avatar: 1, system: 0, tool: 0 },
      firstMessageAt: '2026-03-01T09:31:00.000Z',
      lastMessageAt: '2026-03-01T09:32:00.000Z',
      durationSeconds: 120,
    });
    const { messages } = (await call('GET', `${list}/${id}/transcript`)).data;
    expect(messages).toMatchObject(said.map((message, index) => ({ ...message, seq: index + 1 })));
    for (const query of ['?externalUserId=anna', '?tag=b', '?channel=web', '?externalId=call-1']) {
      expect(await listed(query), query).toEqual([stored]);
    }
    expect(await listed('?status=active')).toMatchObject([{ externalId: 'call-2', endedAt: null }]);
    const search = `${list}/search?q=order`;
    await indexMessages(project);
    expect((await call('GET', search)).data.items).toMatchObject([
      { conversationId: id, messageId: expect.any(String) },
    ]);
    const items = await storedOf(api, 'conversations');
    await deliver(
      api,
      conversationCounter,
      items
        .filter((item) => `${item.id}`.startsWith('conv_') && item.status)
        .map((item) => changeRecord(undefined, item)),
    );
    const { totals } = (
      await call('GET', `${list}/stats?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&groupBy=day`)
    ).data;
    expect(totals).toMatchObject({ conversations: 2, messages: 2, meanDurationSeconds: 60 });
    return response;
  });

  responds(200, 'unchanged, and writes nothing, also when the conversation has gone on', async () => {
    const { send, listed, advance, call, list, requestLines } = await openImports();
    const active = bare('call-2', { messages: messagesOf(1) });
    const [first, second] = resultsOf(await send(sent, active));
    await call('POST', `${list}/${second?.id}/messages`, {
      body: { messages: [{ role: 'user', text: 'more' }] },
    });
    advance(1000);
    const before = await listed();
    const response = await send(active, { ...sent, tags: ['b', 'a'] });
    expect(resultsOf(response)).toEqual([
      { index: 0, id: second?.id, outcome: 'unchanged' },
      { index: 1, id: first?.id, outcome: 'unchanged' },
    ]);
    expect(requestLines().at(-1)?.writeUnits).toBe(0);
    expect(await listed()).toEqual(before);
    return response;
  });

  test('the same is true after a request that was partly sent before', async () => {
    const { send, listed } = await openImports();
    await send(sent);
    expect(resultsOf(await send(sent, bare('call-2'))).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'created',
    ]);
    expect(await listed()).toHaveLength(2);
  });

  test.each([
    ['avatarId', { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F' }],
    ['channel', { channel: null }],
    ['startedAt', { startedAt: '2026-03-01T09:29:00Z' }],
    ['end', { endedAt: '2026-03-01T09:41:00Z' }],
    ['end', { endReason: 'other' }],
    ['tags or metadata', { tags: [] }],
    ['messages', { messages: [said[0], { ...said[1], text: 'Lost.' }] }],
    ['messages', { messages: [said[0], { ...said[1], at: '2026-03-01T09:32:01Z' }] }],
    ['messages', { messages: [...said, ...messagesOf(1)] }],
  ])('another %s is a mismatch', async (name, changes) => {
    const { send, listed } = await openImports();
    await send(sent);
    const { error } = await send(bare('call-2'), { ...sent, ...changes });
    expect(error.code).toBe('conversation_mismatch');
    expect(error.message).toMatch(
      new RegExp(`^conversations\\[1\\] is stored as conv_\\w+, with another ${name}\\.$`),
    );
    expect(await listed()).toHaveLength(1);
  });

  refuses('conversation_mismatch', 'other content, of which nothing is stored', async () => {
    const { send } = await openImports();
    await send(sent);
    return send({ ...sent, metadata: {} });
  });

  refuses('conversation_erased', 'an erased conversation, which the message names', async () => {
    const { call, send, list, listed } = await openImports();
    const [{ id } = {}] = resultsOf(await send(sent));
    await call('DELETE', `${list}/${id}`);
    const response = await send(bare('call-2'), sent);
    expect(response.error.message).toContain('conversations[1]');
    expect(await listed()).toEqual([]);
    return response;
  });

  refuses('external_id_taken', 'an externalId of another environment', async () => {
    const { call, createKey, send, list, listed } = await openImports();
    await send({ ...bare('call-1'), deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });
    const { secret: key } = await createKey({ scopes: ['conversations:write'], environments: ['staging'] });
    const body = { conversations: [bare('call-1'), bare('call-2')] };
    const response = await call('POST', `${list}/import`, { key, body });
    expect(await listed()).toHaveLength(1);
    return response;
  });

  refuses('import_too_large', 'more than a transaction, and says from where', async () => {
    const { send, listed } = await openImports();
    const clientIds = messagesOf(47).map((message, n) => ({ ...message, clientMessageId: `${n}` }));
    // Two, one for the avatar, and two for each message: 97.
    const response = await send(bare('a'), bare('b', { messages: clientIds }));
    expect(response.error.message).toBe('conversations[1] has more than 95 items.');
    expect(await listed()).toEqual([]);
    return response;
  });

  refuses('import_too_large', 'too many messages', async () => {
    const { send, listed } = await openImports();
    const response = await send(
      ...Array.from({ length: 11 }, (_, n) => bare(`call-${n}`, { messages: messagesOf(91) })),
    );
    expect(response.error.message).toBe(
      'conversations[10] has more than 1000 messages with those before it.',
    );
    expect(await listed()).toEqual([]);
    return response;
  });

  test('the most that a request can have fits into a transaction, with all quotas and an Idempotency-Key', async () => {
    const { call, list, listed, runtime } = await openImports();
    const quotas = { conversations: 100, messages: 100, bytes: 10_000 };
    runtime.limits = { ...runtime.limits, live: { rateLimit: null, quotas } };
    const conversations = [bare('a', { messages: messagesOf(46) }), bare('b', { messages: messagesOf(43) })];
    const again = () => call('POST', `${list}/import`, { body: { conversations }, idempotencyKey: 'import' });
    const [first, second] = [await again(), await again()];
    expect(first.status, first.text).toBe(200);
    expect(second.data).toEqual(first.data);
    expect((await listed()).map(({ messageCount }) => messageCount).sort()).toEqual([43, 46]);
  });

  test('stops between its transactions when its key is revoked: the key is checked again every second', async () => {
    const clock = { ms: 0 };
    const state = { isOn: false, keyId: '' };
    const api: TestApi = await openApi(({ client }) => ({
      elapsedMs: () => clock.ms,
      client: intercept(client, (command, proceed) => {
        if (!(command instanceof TransactWriteCommand) || !state.isOn) return undefined;
        state.isOn = false;
        const slowly = async () => {
          const done = await proceed();
          clock.ms += 1500;
          await api.call('DELETE', `/api-keys/${state.keyId}`);
          return done;
        };
        return slowly();
      }),
    }));
    const list = `/projects/${await api.createProject()}/conversations`;
    const { id, secret: key } = await api.createKey({ scopes: ['conversations:write'] });
    Object.assign(state, { isOn: true, keyId: id });
    const conversations = ['a', 'b', 'c'].map((externalId) => bare(externalId, { messages: messagesOf(90) }));
    const response = await api.call('POST', `${list}/import`, { body: { conversations }, key });
    expect(response.status, response.text).toBe(401);
    expect((await api.call('GET', list)).data.items).toHaveLength(1);
  });

  test('25 conversations with 1000 messages fit, in several transactions; repeated, nothing is written', {
    tags: ['long'],
  }, async () => {
    const { send, listed, call, list } = await openImports();
    const all = Array.from({ length: 25 }, (_, n) => bare(`call-${n}`, { messages: messagesOf(40) }));
    const first = await send(...all);
    expect(first.status, first.text).toBe(200);
    expect(resultsOf(first).map(({ outcome }) => outcome)).toEqual(Array(25).fill('created'));
    const stored = (await call('GET', `${list}?limit=100`)).data.items as Json[];
    expect(stored.map(({ messageCount }) => messageCount)).toEqual(Array(25).fill(40));
    const again = await send(...all);
    expect(resultsOf(again).map(({ outcome }) => outcome)).toEqual(Array(25).fill('unchanged'));
    expect(resultsOf(again).map(({ id }) => id)).toEqual(resultsOf(first).map(({ id }) => id));
    expect(await listed('?limit=100')).toEqual(stored);
  });

  const killedAtEvery = (step: number) => async () => {
    const { api, life } = await openMortal();
    const quotas = { conversations: 1000, messages: 10_000, bytes: 100_000 };
    api.runtime.limits = { ...api.runtime.limits, live: { rateLimit: null, quotas } };
    const list = `/projects/${await api.createProject()}/conversations`;
    let deaths = 0;
    for (let calls = 2, isAlive = false; !isAlive; calls += step) {
      const conversations = ['a', 'b', 'c'].map((name) =>
        bare(`${name}-${calls}`, { messages: messagesOf(60) }),
      );
      const send = () =>
        api.call('POST', `${list}/import`, { body: { conversations }, idempotencyKey: `import-${calls}` });
      life.callsLeft = calls;
      life.afterwards = calls % 2 === 0;
      isAlive = (await send()).status === 200;
      life.callsLeft = Number.POSITIVE_INFINITY;
      const response = await send();
      expect(response.status, response.text).toBe(200);
      expect((await send()).data).toEqual(response.data);
      for (const { id } of resultsOf(response)) {
        expect((await api.call('GET', `${list}/${id}`)).data.messageCount).toBe(60);
      }
      if (!isAlive) deaths += 1;
    }
    // Three transactions, and the reads before them.
    expect(deaths).toBeGreaterThan(5 / step);
    const { data } = await api.call('GET', `${list}?limit=100`);
    expect(data.items).toHaveLength(3 * (deaths + 1));
    const { data: usage } = await api.call('GET', '/usage');
    expect(JSON.stringify(usage)).toContain(`${180 * (deaths + 1)}`);
  };
  const isComplete = 'it stores each conversation once and completely when it is repeated';
  test(`killed between some of its calls, ${isComplete}`, killedAtEvery(3));
  test(`killed between any two calls, ${isComplete}`, { tags: ['long'] }, killedAtEvery(1));

  refuses('quota_exceeded', 'a quota, of which all that is new counts', async () => {
    const { send, runtime, listed } = await openImports();
    const setQuota = (quotas: Json) => {
      runtime.limits = { ...runtime.limits, live: { rateLimit: null, quotas } };
    };
    setQuota({ messages: 1 });
    expect((await send(sent)).error.code).toBe('quota_exceeded');
    setQuota({ conversations: 1, messages: 2 });
    expect((await send(sent)).status).toBe(200);
    expect((await send(sent)).status).toBe(200);
    const response = await send(bare('call-2'));
    expect(await listed()).toHaveLength(1);
    return response;
  });

  test('ten at once store one conversation', async () => {
    const { send, listed } = await openImports();
    const all = await Promise.all(Array.from({ length: 10 }, () => send(sent)));
    const outcomes = all.flatMap(resultsOf).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['created', ...Array(9).fill('unchanged')]);
    expect(await listed()).toMatchObject([{ messageCount: 2 }]);
  });

  test('a conversation without an end times out after the import', async () => {
    const { send, listed, advance } = await openImports({ conversationTimeoutMinutes: 10 });
    await send(bare('call-1'));
    advance(9 * 60_000);
    expect(await listed()).toMatchObject([{ status: 'active' }]);
    advance(60_000);
    expect(await listed()).toMatchObject([{ status: 'ended', endReason: 'timeout' }]);
  });

  test('the end of a conversation has a reason', async () => {
    const { send, listed } = await openImports();
    await send(bare('call-1', { endedAt: '2026-03-01T09:40:00Z' }));
    expect(await listed()).toMatchObject([{ endReason: 'completed' }]);
  });

  test.each([
    ['an end before the start', { endedAt: '2026-03-01T09:29:59Z', messages: [] }, 'endedAt'],
    ['an end before the last message', { endedAt: '2026-03-01T09:31:59Z' }, 'endedAt'],
    ['an end in the future', { endedAt: '2999-01-01T00:00:00Z' }, 'endedAt'],
    ['a reason without an end', { endedAt: null }, 'endReason'],
    ['a start in the future', { startedAt: '2999-01-01T00:00:00Z' }, 'startedAt'],
    ['no start', { startedAt: undefined }, 'startedAt'],
    ['a message in the future', { messages: messagesOf(1, { at: '2999-01-01T00:00:00Z' }) }, 'messages.0.at'],
    ['a message without a time', { messages: messagesOf(1, { at: undefined }) }, 'messages.0.at'],
    [
      'a repeated clientMessageId',
      { messages: messagesOf(2, { text: 'same', clientMessageId: 'm' }) },
      'messages.1.clientMessageId',
    ],
    ['no externalId', { externalId: undefined }, 'externalId'],
    ['an externalId twice', { externalId: 'call-2' }, 'externalId'],
    ['an unknown field', { colour: 'red' }, ''],
  ])('400 validation_error: %s', async (_, changes, path) => {
    const { send, listed } = await openImports();
    const { error } = await send(bare('call-2'), { ...sent, ...changes });
    const paths = error.details?.map((detail) => detail.path);
    if (path !== '') expect(paths).toEqual([`conversations.1.${path}`]);
    expect(error.code).toBe('validation_error');
    expect(await listed()).toEqual([]);
  });

  test('a conversation that the project would not keep is refused', async () => {
    const { send, runtime } = await openImports({ retentionDays: 1 });
    const startedAt = new Date(runtime.nowMs() - dayMs).toISOString();
    const { error } = await send({ ...bare('call-1'), startedAt });
    expect(error.details?.map((detail) => detail.path)).toEqual(['conversations.0.startedAt']);
  });

  test('what is imported expires as a whole', async () => {
    const { send, runtime, ...api } = await openImports({ retentionDays: 30 });
    const startedAt = new Date(runtime.nowMs() - dayMs).toISOString();
    const { endedAt: _, endReason: __, ...open } = sent;
    await send({ ...open, startedAt });
    const items = [
      ...(await storedOf({ ...api, runtime }, 'conversations')),
      ...(await storedOf({ ...api, runtime }, 'messages')),
    ];
    const ttl = Math.floor((Date.parse(startedAt) + 30 * dayMs) / 1000);
    expect(items.length).toBeGreaterThan(8);
    for (const item of items)
      expect(Math.abs(Number(item.ttl) - ttl), `${item.tenant}`).toBeLessThanOrEqual(1);
  });
});
