/** What happens to a reply when its conversation, credential, project or organisation changes while it is queued or running. */

import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs, secondMs } from '../../lib/base/time.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { defaultAnswer, type Script } from '../../samples/models.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import conversationEraser from '../../workers/conversation-eraser.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import userEraser from '../../workers/user-eraser.ts';
import { spentOfDay } from '../support/evaluations.ts';
import { intercept } from '../support/faults.ts';
import { openReplies } from '../support/replies.ts';
import { goBack, snapshotOf } from '../support/restored.ts';
import { storedText } from '../support/stored.ts';
import { handleAll, resumeAndGoOn, suspendNow } from '../support/suspensions.ts';
import { deliver } from '../support/workers.ts';

type Options = Parameters<typeof openReplies>[1];

/** The model says `early`, then `act` runs, then it says `late`. */
const acting =
  (act: () => unknown): Script =>
  () => ({ steps: ['An early text. ', act, 'A late text.'] });

async function open(script?: Script, options?: Options, body: Json = {}) {
  const opened = await openReplies(script, options);
  const { id: deploymentId } = await opened.deploy();
  const conversation = await opened.converse({ deploymentId, ...body });
  const read = async (reply: unknown) => (await opened.call('GET', `${conversation}/replies/${reply}`)).data;
  const texts = async () => (await opened.transcript(conversation)).map(({ text }) => text);
  return { ...opened, deploymentId, conversation, read, texts };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Acts while the model answers. @returns the id of the reply */
async function actWhileRunning(act: (opened: Opened, id: string) => unknown, options?: Options, body?: Json) {
  let id = '';
  const opened: Opened = await open(
    acting(() => act(opened, id)),
    options,
    body,
  );
  const { data } = await opened.ask(opened.conversation, 'A question?');
  id = `${data.id}`;
  await opened.work();
  return { ...opened, id };
}

/** Acts before a worker takes the reply. */
async function actWhileQueued(act: (opened: Opened, id: string) => unknown, options?: Options, body?: Json) {
  const opened = await open(undefined, options, body);
  const { data } = await opened.ask(opened.conversation, 'A question?');
  const all = await opened.notices();
  await act(opened, `${data.id}`);
  await opened.work(all);
  return { ...opened, id: `${data.id}` };
}

const storedReply = async (opened: Pick<Opened, 'runtime' | 'organisationId'>, id: string) =>
  (await storedOf(opened, 'messages')).find((item) => item.id === id);

describe('cancelled', () => {
  const cancel = (when: string): Script => {
    const act = () => cancelling.act();
    const steps = {
      'before the first text': [act, 'A late text.', 'More.'],
      'between two texts': ['An early text. ', act, 'A late text.', 1100, 'More.'],
      'after the last text': ['An early text. ', 1100, 'More.', act],
    }[when];
    return () => ({ steps: steps ?? [] });
  };
  const cancelling = { act: async (): Promise<unknown> => undefined };

  test.each(['before the first text', 'between two texts', 'after the last text'])(
    '%s: nothing more is stored, and its highest cost is counted',
    async (when) => {
      const opened = await open(cancel(when));
      const { conversation, ask, work, call, read, texts, models } = opened;
      const { data: asked } = await ask(conversation, 'A question?');
      const path = `${conversation}/replies/${asked.id}`;
      let stored = '';
      cancelling.act = async () => {
        expect((await call('POST', `${path}/cancel`)).data).toMatchObject({ status: 'cancelled' });
        stored = `${(await read(asked.id)).text}`;
      };
      await work();
      const reply = await read(asked.id);
      expect(reply).toMatchObject({ status: 'cancelled', messageId: null, text: stored });
      expect(stored).toBe(when === 'before the first text' ? '' : reply.text);
      expect(await texts()).toEqual(['A question?']);
      if (when !== 'after the last text') expect(await storedText(opened)).not.toContain('late');
      expect(models.streams).toHaveLength(1);
      expect(reply.costUsd).toBeGreaterThan(0);
      expect(await spentOfDay(opened)).toBe(Math.round(Number(reply.costUsd) * 1e6));
      // It changes nothing, and another question is taken at once.
      expect((await call('POST', `${path}/cancel`)).status).toBe(200);
      expect((await ask(conversation, 'Another?')).status).toBe(202);
    },
  );

  test('while it is queued: no model is asked', async () => {
    const opened = await actWhileQueued(({ call, conversation }, id) =>
      call('POST', `${conversation}/replies/${id}/cancel`),
    );
    expect(await opened.read(opened.id)).toMatchObject({ status: 'cancelled', costUsd: 0 });
    expect(opened.models.streams).toEqual([]);
  });
});

describe('the conversation', () => {
  const endNow = ({ call, conversation }: Opened) =>
    call('POST', `${conversation}/end`, { body: { reason: 'completed' } });

  test('ends while it is queued: it fails, and no model is asked', async () => {
    const { models, read, id } = await actWhileQueued(endNow);
    expect(await read(id)).toMatchObject({ status: 'failed', failure: { code: 'conversation_ended' } });
    expect(models.streams).toEqual([]);
  });

  test('times out while it is queued: it fails', async () => {
    const options = { settings: { conversationTimeoutMinutes: 1 } };
    const { models, read, id } = await actWhileQueued(({ advance }) => advance(2 * minuteMs), options);
    expect(await read(id)).toMatchObject({ status: 'failed', failure: { code: 'conversation_ended' } });
    expect(models.streams).toEqual([]);
  });

  test('ends while it runs: it fails, its text is at the reply alone, and its cost is counted', async () => {
    const opened = await actWhileRunning(endNow);
    const reply = await opened.read(opened.id);
    expect(reply).toMatchObject({
      status: 'failed',
      failure: { code: 'conversation_ended' },
      text: 'An early text. A late text.',
      messageId: null,
    });
    expect(await opened.texts()).toEqual(['A question?']);
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(await spentOfDay(opened)).toBe(Math.round(Number(reply.costUsd) * 1e6));
    opened.advance(dayMs + minuteMs);
    expect(await opened.read(opened.id)).toMatchObject({ status: 'failed', text: '', nextAfter: 0 });
  });

  const eraseNow = async (opened: Opened) => {
    expect((await opened.call('DELETE', opened.conversation)).status).toBe(200);
    const erased = (await storedOf(opened, 'conversations')).filter(({ erasedAt }) => erasedAt);
    const records = erased.map((tombstone) => changeRecord(undefined, tombstone));
    await deliver(opened, conversationEraser, records);
  };
  const eraseUser = async (opened: Opened) => {
    const body = { externalUserId: 'user-xylophone' };
    const path = `${opened.project}/conversations/erase`;
    const { data } = await opened.call('POST', path, { body });
    const jobs = (await storedOf(opened, 'jobs')).filter(({ id, type }) => type && id === data.id);
    await deliver(
      opened,
      userEraser,
      jobs.map((job) => changeRecord(undefined, job)),
    );
  };
  const erasures = { 'is erased': eraseNow, 'of a user is erased': eraseUser };
  const ofUser = { externalUserId: 'user-xylophone' };

  const expectNothing = async (opened: Opened & { id: string }) => {
    const text = await storedText(opened);
    for (const word of ['A question', 'early', 'late', defaultAnswer, 'xylophone', opened.id])
      expect(text).not.toContain(word);
    expect(await storedOf(opened, 'messages')).toEqual([]);
    const { status } = await opened.call('GET', `${opened.conversation}/replies/${opened.id}`);
    expect(status).toBe(404);
  };

  describe.each(Object.entries(erasures))('%s', (_, erase) => {
    test('while the reply is queued: nothing of it is left', async () => {
      const opened = await actWhileQueued(erase, {}, ofUser);
      expect(opened.models.streams).toEqual([]);
      await expectNothing(opened);
    });
    test('while the reply runs: nothing of it is left, and nothing comes later', async () => {
      const opened = await actWhileRunning(erase, {}, ofUser);
      expect(opened.models.streams).toHaveLength(1);
      await expectNothing(opened);
    });
    test('after the reply: nothing of it is left', async () => {
      const opened = await open(undefined, {}, ofUser);
      const { id } = await opened.answered(opened.conversation, 'A question?');
      const dryRun = { input: { text: 'A question, dry?' }, dryRun: true };
      expect((await opened.answered(opened.conversation, dryRun)).request).not.toBeNull();
      await erase(opened);
      await expectNothing({ ...opened, id: `${id}` });
    });
  });

  test('expires while it is queued: no model is asked', async () => {
    const options = { settings: { retentionDays: 1, conversationTimeoutMinutes: 1440 } };
    const opened = await actWhileQueued(({ advance }) => advance(dayMs + secondMs), options);
    expect(opened.models.streams).toEqual([]);
    expect((await opened.call('GET', `${opened.conversation}/replies/${opened.id}`)).status).toBe(404);
  });

  test('expires while it runs: there is no message, and all of it expires', async () => {
    const options = { settings: { retentionDays: 1, conversationTimeoutMinutes: 1440 } };
    const opened = await open(
      acting(() => opened.advance(15 * secondMs)),
      options,
    );
    opened.advance(dayMs - 10 * secondMs);
    const { data } = await opened.ask(opened.conversation, 'A question?');
    await opened.work();
    expect(opened.models.streams).toHaveLength(1);
    expect((await opened.call('GET', `${opened.conversation}/replies/${data.id}`)).status).toBe(404);
    const items = await storedOf(opened, 'messages');
    expect(items.filter(({ role }) => role === 'avatar')).toEqual([]);
    const ends = new Set(items.map(({ ttl }) => ttl));
    expect([...ends]).toEqual([expect.any(Number)]);
  });
});

describe('the key', () => {
  const scopes = ['conversations:write', 'deploy:read'];
  const revoke = async (opened: Opened, key: { id: string }, query = '?children=true') => {
    await opened.call('DELETE', `/api-keys/${key.id}${query}`);
    if (query) await handleAll(opened as TestApi, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
  };

  test('is revoked with its children while the reply is queued: it is cancelled, and no model is asked', async () => {
    const opened = await open();
    const { conversation, ask, work, read, models } = opened;
    const key = await opened.createKey({ scopes });
    const { data } = await ask(conversation, 'A question?', { key: key.secret });
    await revoke(opened, key);
    await work();
    const failure = { code: 'credential_revoked' };
    expect(await read(data.id)).toMatchObject({ status: 'cancelled', failure, costUsd: 0 });
    expect(models.streams).toEqual([]);
  });

  test('is revoked with its children while the reply runs: it ends with the next renewal of the lease', async () => {
    const key = { id: '', secret: '' };
    const opened: Opened = await open(
      () => ({ steps: ['An early text. ', () => revoke(opened, key), minuteMs, 'A late text.'] }),
      { times: { callMs: minuteMs, renewMs: 50 } },
    );
    Object.assign(key, await opened.createKey({ scopes }));
    const { conversation, ask, work, read } = opened;
    const { data } = await ask(conversation, 'A question?', { key: key.secret });
    const beganMs = performance.now();
    await work();
    expect(performance.now() - beganMs).toBeLessThan(minuteMs / 2);
    const reply = await read(data.id);
    expect(reply).toMatchObject({ status: 'cancelled', failure: { code: 'credential_revoked' } });
    expect(reply.text).toBe('An early text.');
    expect(reply.costUsd).toBeGreaterThan(0);
    expect(await spentOfDay(opened)).toBe(Math.round(Number(reply.costUsd) * 1e6));
    expect(await opened.texts()).toEqual(['A question?']);
  });

  test('is revoked alone: the reply goes on', async () => {
    const opened = await open();
    const { conversation, ask, work, read } = opened;
    const key = await opened.createKey({ scopes });
    const { data } = await ask(conversation, 'A question?', { key: key.secret });
    await revoke(opened, key, '');
    await work();
    expect(await read(data.id)).toMatchObject({ status: 'done', text: defaultAnswer });
  });
});

describe('the organisation is suspended', () => {
  test('while the reply is queued: it waits, and is answered once afterwards', async () => {
    const opened = await open();
    const { conversation, ask, work, read, models } = opened;
    const { data } = await ask(conversation, 'A question?');
    const all = await opened.notices();
    await suspendNow(opened as TestApi);
    await work(all);
    expect(models.streams).toEqual([]);
    expect(await storedReply(opened, `${data.id}`)).toMatchObject({ status: 'queued' });
    await resumeAndGoOn(opened as TestApi);
    expect(await read(data.id)).toMatchObject({ status: 'done' });
    await work(all);
    expect(models.streams).toHaveLength(1);
    expect(await opened.texts()).toEqual(['A question?', defaultAnswer]);
  });

  test('just before the call: its reservation ends, it waits, and is answered once afterwards', async () => {
    let act: (() => Promise<unknown>) | undefined;
    const opened = await open(undefined, {
      adjust: ({ client }) => ({
        client: intercept(client, (command, proceed) => {
          if (!act || !JSON.stringify(command.input).includes('reservedMicroUsd')) return undefined;
          const suspend = act;
          act = undefined;
          return proceed().then(async (output) => {
            await suspend();
            return output;
          });
        }),
      }),
    });
    const { conversation, ask, work, read, models } = opened;
    const { data } = await ask(conversation, 'A question?');
    const all = await opened.notices();
    act = () => suspendNow(opened as TestApi);
    await work(all);
    expect(act).toBeUndefined();
    expect(models.streams).toEqual([]);
    expect(await storedReply(opened, `${data.id}`)).toMatchObject({ status: 'queued' });
    expect(await spentOfDay(opened)).toBe(0);
    await resumeAndGoOn(opened as TestApi);
    const reply = await read(data.id);
    expect(reply).toMatchObject({ status: 'done' });
    expect(models.streams).toHaveLength(1);
    expect(await spentOfDay(opened)).toBe(Math.round(Number(reply.costUsd) * 1e6));
  });

  test('while the reply runs: the answer that is paid is stored', async () => {
    const opened = await actWhileRunning((given) => suspendNow(given as TestApi));
    await resumeAndGoOn(opened as TestApi);
    expect(await opened.read(opened.id)).toMatchObject({
      status: 'done',
      text: 'An early text. A late text.',
    });
  });
});

describe('the project', () => {
  const archive = ({ call, project }: Opened) => call('PATCH', project, { body: { status: 'archived' } });
  const remove = ({ call, project }: Opened) => call('DELETE', project);
  const back = async ({ call, project, projectId }: Opened) => {
    await call('POST', `/projects/${projectId}/restore`);
    await call('PATCH', project, { body: { status: 'active' } });
  };
  test.each([
    ['is deleted', remove],
    ['is archived', archive],
  ])('%s while the reply is queued: it fails, and no model is asked', async (_, act) => {
    const opened = await actWhileQueued(async (given) => {
      expect((await act(given)).status).toBe(200);
    });
    await back(opened);
    const failure = { code: 'project_archived' };
    expect(await opened.read(opened.id)).toMatchObject({ status: 'failed', failure });
    expect(opened.models.streams).toEqual([]);
  });
  test.each([
    ['is deleted', remove],
    ['is archived', archive],
  ])('%s while the reply runs: it fails without a message', async (_, act) => {
    const opened = await actWhileRunning(act);
    await back(opened);
    const failure = { code: 'project_archived' };
    expect(await opened.read(opened.id)).toMatchObject({ status: 'failed', failure, messageId: null });
    expect(await opened.texts()).toEqual(['A question?']);
  });
});

describe('a restored table', () => {
  const tables = ['messages', 'conversations'] as const;

  test('has a reply that ran: it is unknown, blocks nothing, and is not asked again', async () => {
    let snapshot: Awaited<ReturnType<typeof snapshotOf>> | undefined;
    const opened = await actWhileRunning(async (given) => {
      snapshot = await snapshotOf(given as TestApi, tables);
    });
    expect(await opened.read(opened.id)).toMatchObject({ status: 'done' });
    if (snapshot) await goBack(opened as TestApi, snapshot);
    opened.advance(minuteMs);
    expect(await opened.read(opened.id)).toMatchObject({ status: 'unknown', text: 'An early text.' });
    expect(await opened.texts()).toEqual(['A question?']);
    const { status, data } = await opened.ask(opened.conversation, 'Another?');
    expect([status, data.status]).toEqual([202, 'queued']);
    expect(opened.models.streams).toHaveLength(1);
  });

  test('has the replies of an erased conversation: nobody reads them, and no model is asked', async () => {
    const opened = await open();
    const { conversation, ask, notices, work, call, models } = opened;
    const { id } = await opened.answered(conversation, 'A question?');
    const { data: queued } = await ask(conversation, 'Another?');
    const all = await notices();
    const snapshot = await snapshotOf(opened as TestApi, tables);
    await call('DELETE', conversation);
    await goBack(opened as TestApi, snapshot);
    await work(all);
    expect(models.streams).toHaveLength(1);
    for (const reply of [id, queued.id]) {
      expect((await call('GET', `${conversation}/replies/${reply}`)).status).toBe(404);
      expect((await call('GET', `${conversation}/replies/${reply}/events`)).status).toBe(404);
      expect((await call('POST', `${conversation}/replies/${reply}/cancel`)).status).toBe(404);
    }
    expect((await call('GET', `${conversation}/replies`)).status).toBe(404);
    expect((await ask(conversation, 'More?')).status).toBe(404);
    expect((await storedOf(opened, 'messages')).filter(({ role }) => role === 'avatar')).toHaveLength(1);
  });
});
