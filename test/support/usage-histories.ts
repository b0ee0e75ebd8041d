/** Random histories of a project: what requests and jobs add to its usage. */

import type { Json, TestApi } from '../../samples/api.ts';
import { importNow, textOf } from './imports.ts';

/** @returns messages, which are added once */
export const say = (...texts: string[]) => ({
  messages: texts.map((text) => ({ role: 'user', text, clientMessageId: text })),
});
const imported = (n: number) => ({
  externalId: `call-${n}`,
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: '2026-03-01T09:30:00Z',
  messages: [{ role: 'user', text: `é${n}`, at: '2026-03-01T09:30:05Z' }],
});

/** Requests that store something, or change or remove it, by kind. `n` chooses the resource and its content. */
export const storing = {
  async converse(api: TestApi, project: string, n: number) {
    await api.createConversation({ externalId: `${n}` }, project).catch(() => {});
  },
  async append(api: TestApi, project: string, n: number) {
    const conversation = await oneOf(api, `/projects/${project}/conversations`, n);
    if (conversation) await api.call('POST', `${conversation}/messages`, { body: say(`ä${n}`, 'b') });
  },
  async end(api: TestApi, project: string, n: number) {
    const conversation = await oneOf(api, `/projects/${project}/conversations`, n);
    if (conversation) await api.call('POST', `${conversation}/end`, { body: { reason: 'done' } });
  },
  async erase(api: TestApi, project: string, n: number) {
    const conversation = await oneOf(api, `/projects/${project}/conversations`, n);
    if (conversation) await api.call('DELETE', conversation);
  },
  async import(api: TestApi, project: string, n: number) {
    const body = { conversations: [imported(n), imported(n + 1)] };
    await api.call('POST', `/projects/${project}/conversations/import`, { body });
  },
  async importFile(api: TestApi, project: string, n: number) {
    await importNow(api, project, textOf([imported(n), imported(n + 2)]));
  },
  async create(api: TestApi, project: string, n: number) {
    const body = { title: 't', content: `ü${n}` };
    await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
  },
  async put(api: TestApi, project: string, n: number) {
    const path = `/projects/${project}/knowledge/documents/by-external-id/${n % 2}`;
    await api.call('PUT', path, { body: { title: 't', content: `${n}`, tags: n % 3 ? [] : ['a'] } });
  },
  async batch(api: TestApi, project: string, n: number) {
    const documents = [0, 1, 2].map((id) => ({ externalId: `${id}`, title: 't', content: `${n % 2}` }));
    await api.call('POST', `/projects/${project}/knowledge/documents/batch`, { body: { documents } });
  },
  async patch(api: TestApi, project: string, n: number) {
    const document = await oneOf(api, `/projects/${project}/knowledge/documents`, n);
    const body = n % 2 ? { title: `${n}` } : { content: `${n}` };
    if (document) await api.call('PATCH', document, { body });
  },
  async remove(api: TestApi, project: string, n: number) {
    const document = await oneOf(api, `/projects/${project}/knowledge/documents`, n);
    if (document) await api.call('DELETE', document);
  },
};

async function oneOf(api: TestApi, list: string, n: number): Promise<string | undefined> {
  const { data } = await api.call('GET', list);
  const items = data.items as Json[];
  return items.length > 0 ? `${list}/${items[n % items.length]?.id}` : undefined;
}
