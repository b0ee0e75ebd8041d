/** Sources of documents in tests: their refreshes, without queues. */

import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { minuteMs, secondMs } from '../../lib/base/time.ts';
import { extractText } from '../../lib/extraction/extract.ts';
import type { Extract } from '../../lib/sources/refresh/progress.ts';
import { refreshSource } from '../../lib/sources/refresh/refresh.ts';
import { forEachNotice, type Worker } from '../../lib/workers/worker.ts';
import { type Json, jobNotice, openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../samples/lambda-queue.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import { openSite, type PageOf, type Site } from './site.ts';

export type Sources = Awaited<ReturnType<typeof openSources>>;

export const pageId = (url: string): string => hash('sha256', url, 'hex');

/** A site with these pages until the test is over, and a source that starts at its first page. */
export async function openPages(
  pages: Readonly<Record<string, PageOf>>,
  body: Json = {},
  adjust?: Parameters<typeof openSources>[2],
) {
  const site = await openSite(new Map(Object.entries(pages)));
  onTestFinished(() => site.close());
  return { site, ...(await openSources(site, body, adjust)) };
}

/** An API with a project whose source is a site of this machine. */
export async function openSources(
  site: Pick<Site, 'url'>,
  body: Json = {},
  adjust: Parameters<typeof openApi>[0] = () => ({}),
) {
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    sleep: async () => {},
    ...adjust(runtime),
  }));
  const project = await api.createProject();
  const base = `/projects/${project}/knowledge`;
  const created = await api.call('POST', `${base}/sources`, {
    body: { type: 'site', url: site.url, reindex: false, ...body },
  });
  if (created.status !== 201) throw new Error(created.text);
  const path = `${base}/sources/${created.data.id}`;
  const work = (job: unknown) => workOnce(api, project, `${job}`);
  return {
    api,
    project,
    base,
    path,
    id: `${created.data.id}`,
    work,
    /** @returns the job of a refresh, when it has ended */
    async refresh(sent: Json = {}, worker?: Worker): Promise<Json> {
      const { data, status, text } = await api.call('POST', `${path}/refresh`, { body: sent });
      if (status !== 202) throw new Error(text);
      return finish(api, project, `${data.id}`, worker);
    },
    /** @returns the pages by their paths */
    async pages(): Promise<Record<string, Json>> {
      const all = await listAll(api, `${path}/pages`);
      return Object.fromEntries(all.map((page) => [`${page.url}`.slice(site.url.length - 1), page]));
    },
    /** @returns the documents by the paths of their pages */
    async documents(): Promise<Record<string, Json>> {
      const all = await listAll(api, `${base}/documents`);
      return Object.fromEntries(all.map((one) => [`${one.url ?? one.id}`.slice(site.url.length - 1), one]));
    },
    content: async (id: unknown) =>
      (await api.call('GET', `${base}/documents/${id}/content`)).data.content as string,
  };
}

type Worked = Pick<TestApi, 'runtime' | 'organisationId' | 'advance'>;

export const workOnce = (
  api: Worked,
  project: string,
  job: string,
  worker: Worker = sourceRefresher,
): Promise<void> =>
  deliverNotices(api.runtime, worker, [jobNotice(`${api.organisationId}#live`, project, job)]);

/** The worker with another way to read files than a process for each. */
export const refresherWith = (extract: Extract): Worker => ({
  ...sourceRefresher,
  handle: forEachNotice((store, notice, input) => refreshSource(store, notice, input, extract)),
});

/** The worker, without a process for each file. */
export const quickRefresher = refresherWith((file, hint) => extractText(file, hint));

/** Does the turns of a job until it has ended. Its pauses take no time. */
export async function finish(
  api: Worked & Pick<TestApi, 'call'>,
  project: string,
  job: string,
  worker?: Worker,
): Promise<Json> {
  for (;;) {
    const isOver = await endsTurn(workOnce(api, project, job, worker));
    const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
    if (data.status !== 'running' && data.status !== 'queued') return data;
    api.advance(isOver ? secondMs : minuteMs);
  }
}

export async function listAll({ call }: Pick<TestApi, 'call'>, path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await call('GET', `${path}?limit=100${cursor}`);
    items.push(...(data.items as Json[]));
    if (data.nextCursor === null) return items;
    cursor = `&cursor=${data.nextCursor}`;
  }
}
