/** The part of the story that is about sources of documents. */

import { hourMs, minuteMs } from '../../lib/base/time.ts';
import type { TestApi } from '../../samples/api.ts';
import { pdfFile } from './sample-files.ts';
import { htmlPage, openSite } from './site.ts';

/** A site is refreshed, changes, wants a pause, and its source is paused with a key and deleted. The tenant has quotas. */
export async function crawl(
  { api, settle }: { api: TestApi; settle(): Promise<void> },
  project: string,
): Promise<void> {
  const { limits } = api.runtime;
  const quotas = { documents: 1000, bytes: 1_000_000, jobs: 20 };
  api.runtime.limits = { ...limits, live: { ...limits.live, quotas } };
  const same = htmlPage('Same', 'The same text.');
  await using site = await openSite(
    new Map([['/', htmlPage('Home', 'Welcome.', ['/a', '/b', '/c', '/d', '/e'])]]),
  );
  for (const path of ['/a', '/b', '/c']) site.pages.set(path, same);
  // A file, whose text has several parts.
  const lines = Array.from({ length: 30_000 }, (_, at) => `Line ${at}.`);
  site.pages.set('/e', { headers: { 'content-type': 'text/plain' }, body: lines.join('\n') });
  site.pages.set('/d', { headers: { 'content-type': 'application/pdf' }, body: pdfFile([['A file.']]) });
  const { secret: key, id } = await api.createKey({ scopes: ['knowledge:write'] });
  const path = `/projects/${project}/knowledge/sources`;
  // It takes a place in the quota, which the timer of the source sees.
  await api.call('POST', `/projects/${project}/knowledge/reindex`);
  const body = { type: 'site', url: site.url, refresh: '1h' };
  const { data: source } = await api.call('POST', path, { key, body });
  await settle();
  for (const path of ['/a', '/b']) site.pages.set(path, htmlPage(path, `The text of ${path}.`));
  const refresh = () => api.call('POST', `${path}/${source.id}/refresh`, { body: { confirm: true } });
  await refresh();
  await settle();
  site.pages.delete('/a');
  site.pages.set('/b', { status: 503, headers: { 'retry-after': '600' } });
  const { data: job } = await refresh();
  await settle();
  await api.call('POST', `/projects/${project}/jobs/${job.id}/cancel`);
  await settle();
  api.advance(11 * minuteMs);
  await refresh();
  await settle();
  await api.call('DELETE', `/api-keys/${id}?children=true`);
  await settle();
  await api.call('DELETE', `${path}/${source.id}`);
  api.advance(hourMs);
  await settle();
  api.runtime.limits = limits;
}
