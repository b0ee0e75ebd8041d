/** Random requests, and workers that are killed: for the tests that compare a log with what was requested. */

import type { Worker } from '../../lib/workers/worker.ts';
import type { ApiResponse, Json, TestApi } from '../../samples/api.ts';
import { avatarBody, webhookBody } from '../../samples/samples.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import { intercept } from './faults.ts';
import { follow } from './workers.ts';

/** What the audit log must say of a change. */
export type Expected = {
  requestId: string;
  actor: string;
  action: string;
  outcome: string;
  type: string;
  id: string;
};

/**
 * Workers that are killed often, between any two of their calls, before or after the last one takes effect. Their notices are
 * repeated, delayed and reordered.
 * @param killShare of their calls: a notice that needs many calls would become a dead letter with a high one
 */
export function followBadly(
  api: TestApi,
  workers: readonly Worker[],
  chance: () => number,
  killShare = 0.1,
): Promise<Feed> {
  const client = intercept(api.runtime.client, (_, proceed) => {
    const die = () => Promise.reject(new Error('killed'));
    const fate = chance();
    if (fate < killShare / 2) return die();
    return fate < killShare ? proceed().then(die) : undefined;
  });
  const deliveriesMs = () =>
    Array.from({ length: 1 + Math.floor(chance() * 3) }, () => Math.floor(chance() * 400));
  const runtime = { ...api.runtime, client };
  return follow({ ...api, runtime }, workers, { deliveriesMs, secondMs: 2 });
}

type Caller = { id: string; key: string };

/** Makes random requests, and notes what the audit log must say of those that succeed. */
export function historyOf(api: TestApi, callers: readonly Caller[], chance: () => number) {
  const expected: Expected[] = [];
  const known: Record<string, string[]> = {};
  let requests = 0;
  const pick = (kind: string) => {
    const all = known[kind] ?? [];
    return all[Math.floor(chance() * all.length)];
  };
  const add = (kind: string, value: string) => {
    known[kind] = [...(known[kind] ?? []), value];
  };

  async function send(
    action: string,
    method: string,
    path: string,
    body: unknown,
    changed: (data: Json) => [type: string, id: unknown][],
  ): Promise<ApiResponse> {
    const caller = callers[Math.floor(chance() * callers.length)] as Caller;
    requests += 1;
    const requestId = `request-${requests}`;
    const response = await api.call(method, path, { body, key: caller.key, requestId });
    if (response.status >= 300) return response;
    for (const [type, id] of changed(response.data)) {
      expected.push({ requestId, actor: caller.id, action, outcome: 'succeeded', type, id: `${id}` });
    }
    return response;
  }

  const name = () => `name ${chance()}`;
  const idIn = (path: string) => path.split('/').at(-1);
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const { data } = await send('projects.create', 'POST', '/projects', { name: name() }, ({ id }) => [
        ['project', id],
      ]);
      add('project', `/projects/${data.id}`);
    },
    async () => {
      const path = pick('project');
      if (path) await send('projects.update', 'PATCH', path, { name: name() }, ({ id }) => [['project', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path || chance() < 0.7) return;
      await send('projects.delete', 'DELETE', path, undefined, ({ id }) => [['project', id]]);
      if (chance() < 0.7)
        await send('projects.restore', 'POST', `${path}/restore`, undefined, ({ id }) => [['project', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const body = { ...avatarBody, name: name() };
      const { data } = await send('avatars.create', 'POST', `${path}/avatars`, body, ({ id }) => [
        ['avatar', id],
      ]);
      if (data.id) add('avatar', `${path}/avatars/${data.id}`);
    },
    async () => {
      const path = pick('avatar');
      if (path) await send('avatars.update', 'PATCH', path, { name: name() }, ({ id }) => [['avatar', id]]);
    },
    async () => {
      const path = pick('avatar');
      if (path && chance() < 0.5)
        await send('avatars.delete', 'DELETE', path, undefined, () => [['avatar', idIn(path)]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const sent = { title: name(), content: 'text', externalId: `${Math.floor(chance() * 3)}` };
      const documents = ['a', 'b'].map((source) => ({ ...sent, source }));
      await send(
        'knowledge.documents.batch',
        'POST',
        `${path}/knowledge/documents/batch`,
        { documents },
        ({ results }) =>
          (results as Json[]).flatMap((item) =>
            item.outcome === 'unchanged' ? [] : [['knowledge_document', (item.document as Json).id]],
          ),
      );
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      await send('uploads.create', 'POST', `${path}/uploads`, { bytes: 100 }, ({ id }) => [['upload', id]]);
    },
    async () => {
      const path = pick('webhook');
      if (!path) {
        const { data } = await send('webhooks.create', 'POST', '/webhooks', webhookBody, ({ id }) => [
          ['webhook', id],
        ]);
        if (data.id) add('webhook', `/webhooks/${data.id}`);
        return;
      }
      const webhook: [string, unknown] = ['webhook', idIn(path)];
      const { data } = await send('webhooks.test', 'POST', `${path}/test`, undefined, () => [webhook]);
      const again = `${path}/deliveries/${data.id}/redeliver`;
      await send('webhooks.deliveries.redeliver', 'POST', again, undefined, () => [webhook]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const body = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
      const conversation = `${path}/conversations`;
      const { data } = await send('conversations.create', 'POST', conversation, body, ({ id }) => [
        ['conversation', id],
      ]);
      if (data.id) add('conversation', `${conversation}/${data.id}`);
    },
    async () => {
      const path = pick('conversation');
      const body = { messages: [{ role: 'user', text: 'hello', clientMessageId: name() }] };
      if (path)
        await send('conversations.append', 'POST', `${path}/messages`, body, () => [
          ['conversation', idIn(path)],
        ]);
    },
    async () => {
      const path = pick('conversation');
      if (path && chance() < 0.3)
        await send('conversations.delete', 'DELETE', path, undefined, () => [['conversation', idIn(path)]]);
    },
    async () => {
      const body = { name: name(), scopes: ['projects:read'] };
      const { data } = await send('api-keys.create', 'POST', '/api-keys', body, ({ id }) => [
        ['api_key', id],
      ]);
      if (data.id) add('key', `/api-keys/${data.id}`);
    },
    async () => {
      const path = pick('key');
      if (path) await send('api-keys.update', 'PATCH', path, { name: name() }, ({ id }) => [['api_key', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const before = pick(`current ${path}`);
      const { data } = await send(
        'deployments.create',
        'POST',
        `${path}/deployments`,
        { environment: 'production' },
        ({ id }) => [
          ['deployment', id],
          ['environment', 'production'],
          ...(before ? [['deployment', before] as [string, string]] : []),
        ],
      );
      if (data.id) known[`current ${path}`] = [`${data.id}`];
    },
  ];

  return {
    expected,
    step: () => (steps[Math.floor(chance() * steps.length)] as () => Promise<unknown>)(),
  };
}
