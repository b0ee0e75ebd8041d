/** A refresh whose turns end after each piece goes on where it was. */

import { expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { unlessTurnOver } from '../../../samples/lambda-queue.ts';
import { htmlPage } from '../../support/site.ts';
import { openPages } from '../../support/sources.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const pageOf = (name: string) => htmlPage(name.toUpperCase(), `Page ${name}.`);
const pages = {
  '/': htmlPage('Home', 'Welcome.', [...names.map((name) => `/${name}`), '/twin']),
  ...Object.fromEntries(names.map((name) => [`/${name}`, pageOf(name)])),
  '/twin': pageOf('a'),
};

/** The site changes after its first refresh: pages are gone, exchange their texts, and lose the page whose content they share. */
async function openChanged(adjust?: Parameters<typeof openPages>[2]) {
  const opened = await openPages(pages, {}, adjust);
  const { api, project, path, work, site } = opened;
  /** @returns the job, and the number of its turns */
  const refresh = async (): Promise<{ job: Json; turns: number }> => {
    const { data } = await api.call('POST', `${path}/refresh`, { body: { confirm: true } });
    for (let turns = 1; ; turns += 1) {
      await work(data.id).catch(unlessTurnOver);
      const { data: job } = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
      if (job.status !== 'running') return { job, turns };
      if (turns === 200) throw new Error('the refresh begins again in each turn');
    }
  };
  await refresh();
  const owners = await opened.documents();
  site.pages.delete('/a' in owners ? '/a' : '/twin');
  site.pages.set('/b', pageOf('c'));
  site.pages.set('/c', pageOf('b'));
  for (const gone of ['/d', '/e', '/f']) site.pages.delete(gone);
  return { ...opened, ...(await refresh()) };
}

test('turns of one piece find the same documents as one long turn', { tags: ['long'] }, async () => {
  const long = await openChanged();
  const short = await openChanged(() => ({ turnMs: 0 }));
  expect(short.turns).toBeGreaterThan(20);
  const { sourceId: _, ...result } = short.job.result as Json;
  expect(long.job.result).toMatchObject(result);
  expect(result).toMatchObject({ removed: 3, failedPages: 0 });
  const titles = async (opened: typeof long) =>
    Object.values(await opened.documents()).map(({ title }) => title);
  expect((await titles(short)).sort()).toEqual((await titles(long)).sort());
});

test('a source is removed in turns, with all of its parts', { tags: ['long'] }, async () => {
  const { api, base, project, path, work, documents } = await openChanged(() => ({ turnMs: 0 }));
  const count = Object.keys(await documents()).length;
  const { data } = await api.call('DELETE', path);
  for (let turns = 1; ; turns += 1) {
    await work(data.id).catch(unlessTurnOver);
    const { data: job } = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
    if (job.status === 'running') continue;
    expect(job).toMatchObject({ status: 'succeeded', result: { removedDocuments: count } });
    expect(turns).toBeGreaterThan(count);
    break;
  }
  expect((await api.call('GET', `${base}/documents`)).data.items).toEqual([]);
});
