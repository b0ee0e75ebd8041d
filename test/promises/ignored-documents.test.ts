/** An ignored document is in no index and counts in no warning, whatever happens to it, until somebody ends that. */

import { describe, expect, test } from 'vitest';
import type { Json } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import { extract, sendFile } from '../support/extractions.ts';
import { type Knowledge, openKnowledge } from '../support/knowledge.ts';
import { htmlPage } from '../support/site.ts';
import { openPages } from '../support/sources.ts';

const setIgnored = async (api: Knowledge, id: unknown, ignored: boolean): Promise<Json> => {
  const { status, text, data } = await api.call('PATCH', `${api.path}/${id}`, { body: { ignored } });
  expect(status, text).toBe(200);
  return data;
};
const get = async (api: Knowledge, id: unknown) => (await api.call('GET', `${api.path}/${id}`)).data;
const found = async ({ call, project }: Knowledge, q: string, more = '') => {
  const { data } = await call('GET', `${project}/knowledge/search?q=${q}&mode=lexical${more}`);
  return (data.items as Json[]).map(({ documentId }) => documentId);
};
const noText = { content: '<p></p>', mimeType: 'text/html' };

describe('the index', () => {
  test('leaves it out from the next re-index on, and an environment from the next deployment on', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
    const deploy = () =>
      api.call('POST', `${api.project}/deployments`, { body: { environment: 'production' } });
    await api.create({ content: 'a drum' });
    const without = (await api.reindex()).result as Json;
    const { id } = await api.create({ content: 'a violin' });
    const before = (await api.reindex()).result as Json;
    await deploy();
    const indexed = await get(api, id);

    const ignored = await setIgnored(api, id, true);
    expect(ignored).toEqual({ ...indexed, ignored: true, updatedAt: ignored.updatedAt });
    expect(await found(api, 'violin')).toEqual([id]);
    expect((await api.reindex()).result).toMatchObject({ indexVersion: without.indexVersion, documents: 1 });
    expect(await found(api, 'violin')).toEqual([]);
    expect(await found(api, 'violin', '&environment=production')).toEqual([id]);
    expect((await deploy()).data.warnings).toEqual([]);
    expect(await found(api, 'violin', '&environment=production')).toEqual([]);
    // Nothing marks it meanwhile.
    expect(await get(api, id)).toEqual(ignored);

    const back = await setIgnored(api, id, false);
    expect(back).toMatchObject({ ignored: false, status: 'pending', indexVersion: null });
    expect((await api.reindex()).result).toMatchObject({ indexVersion: before.indexVersion, documents: 2 });
    expect(await get(api, id)).toMatchObject({ status: 'indexed', indexVersion: before.indexVersion });
    expect(await found(api, 'violin')).toEqual([id]);
  });

  test('leaves out what is ignored while its job waits', async () => {
    const api = await openKnowledge();
    const { id } = await api.create();
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    await setIgnored(api, id, true);
    await api.workOff(api.projectId, job.id as string);
    const { data } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(data).toMatchObject({ status: 'succeeded', result: { documents: 0 }, failures: [] });
    expect(await get(api, id)).toMatchObject({ status: 'pending', ignored: true });
  });

  test('names an unreadable document in each of its jobs, and an ignored one in none', async () => {
    const api = await openKnowledge();
    const { id } = await api.create(noText);
    const failure = { documentId: id, code: 'no_text', message: 'The document contains no text.' };
    expect(await api.reindex()).toMatchObject({ result: { changed: true }, failures: [failure] });
    const again = await api.reindex();
    expect(again).toMatchObject({ result: { changed: false }, failures: [failure], progress: { failed: 1 } });
    expect(await setIgnored(api, id, true)).toMatchObject({ status: 'failed', error: { code: 'no_text' } });
    expect(await api.reindex()).toMatchObject({ failures: [], progress: { failed: 0 } });
    expect(await setIgnored(api, id, false)).toMatchObject({ status: 'pending', error: null });
    expect(await api.reindex()).toMatchObject({ failures: [failure] });
  });
});

describe('a document stays ignored', () => {
  test('when its content, its title or its file changes', async () => {
    const api = await openKnowledge();
    const { document } = (await api.put('a')).data as { document: Json };
    await setIgnored(api, document.id, true);
    const put = await api.put('a', { content: 'new' });
    expect(put.data).toMatchObject({ outcome: 'updated', document: { ignored: true, status: 'pending' } });
    expect((await api.put('a', { content: 'new' })).data).toMatchObject({ outcome: 'unchanged' });
    const [result] = (await api.batch([{ externalId: 'a', title: 'b', content: 'c' }])).data
      .results as Json[];
    expect(result).toMatchObject({ outcome: 'updated', document: { ignored: true } });
    const patched = await api.call('PATCH', `${api.path}/${document.id}`, { body: { title: 'c' } });
    expect(patched.data).toMatchObject({ ignored: true, title: 'c' });
    await sendFile(api, Buffer.from('a text'), 'a');
    await extract(api, document.id);
    expect(await get(api, document.id)).toMatchObject({ extraction: 'done', ignored: true });
    expect((await api.reindex()).result).toMatchObject({ documents: 0 });
  });

  test('and failed, if its file has no text: then nothing is pending when it is ignored no longer', async () => {
    const api = await openKnowledge();
    const sent = await sendFile(api, Buffer.from('%PDF-1.4 broken'));
    await setIgnored(api, sent.id, true);
    await extract(api, sent.id);
    const failed = { extraction: 'failed', status: 'failed' };
    expect(await get(api, sent.id)).toMatchObject({ ...failed, ignored: true });
    expect(await setIgnored(api, sent.id, false)).toMatchObject({ ...failed, ignored: false });
  });

  test('when a refresh of its source changes it, and only that can be changed', {
    tags: ['long'],
  }, async () => {
    const pages = { '/': htmlPage('Home', 'Welcome.') };
    const { site, api, base, refresh, documents } = await openPages(pages);
    await refresh();
    const { '/': document } = await documents();
    const patch = (body: Json) => api.call('PATCH', `${base}/documents/${document?.id}`, { body });
    expect((await patch({ ignored: true, title: 'Mine' })).error.code).toBe('managed_by_source');
    expect((await patch({ ignored: true })).data).toMatchObject({ ignored: true });
    site.pages.set('/', htmlPage('Home', 'Welcome back.'));
    expect((await refresh()).result).toMatchObject({ updated: 1 });
    expect((await documents())['/']).toMatchObject({ id: document?.id, ignored: true });
  });

  test('for each of two requests at the same time that change it', async () => {
    const api = await openKnowledge();
    const { id } = await api.create();
    const [, renamed] = await Promise.all([
      setIgnored(api, id, true),
      api.call('PATCH', `${api.path}/${id}`, { body: { title: 'new' } }),
    ]);
    expect(renamed.status).toBe(200);
    expect(await get(api, id)).toMatchObject({ ignored: true, title: 'new' });
  });
});

test('an ignored document is listed, found by its filter, exported, deleted and expunged like the others', {
  tags: ['long'],
}, async () => {
  const api = await openKnowledge();
  const [one, two, three] = [await api.create(), await api.create(), await api.create({ tags: ['x'] })];
  for (const { id } of [one, three]) await setIgnored(api, id, true);
  const ids = async (query: string) => (await api.listed(query)).map(({ id }) => id);
  expect(await ids('')).toEqual([three.id, two.id, one.id]);
  expect(await ids('ignored=true')).toEqual([three.id, one.id]);
  expect(await ids('ignored=false')).toEqual([two.id]);
  expect(await ids('ignored=true&tag=x')).toEqual([three.id]);
  expect((await api.call('GET', `${api.path}?ignored=yes`)).status).toBe(400);
  expect((await api.call('DELETE', `${api.path}/${one.id}`)).data).toMatchObject({ ignored: true });
  const { status, data } = await api.call('DELETE', `${api.path}/${three.id}?expunge=true`);
  expect(status).toBe(202);
  await api.workOff(api.projectId, data.id as string);
  expect((await api.call('GET', `${api.project}/jobs/${data.id}`)).data.status).toBe('succeeded');
  expect(await ids('')).toEqual([two.id]);
});
