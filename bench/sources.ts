/** The refresh of a source with a site on this machine: the first, one of an unchanged site, and one of a site with some changes. */

import type { Json } from '../scripts/local/call.ts';
import { htmlPage, openSite, type SitePages } from '../test/support/site.ts';
import { finish, listAll } from '../test/support/sources.ts';
import { count } from './bulk-service.ts';
import { documentAt } from './corpus.ts';
import { meter } from './meter.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

const pages = 1000;
const pageBytes = 4096;
/** Pages that each page links to. Every page is at most two links away from the first. */
const linksEach = 32;
/** Every hundredth page changes. */
const changeEvery = 100;

const numbers = Array.from({ length: pages }, (_, number) => number);
const pathOf = (number: number) => (number === 0 ? '/' : `/${number}`);

export async function sources(bench: Bench): Promise<string> {
  await using site = await openSite(new Map(numbers.map((number) => [pathOf(number), pageAt(number)])));
  const source = await openSource(bench, site.url);
  const rows: string[][] = [];
  const measure = async (name: string, written: number) => {
    progress(`sources: ${name}`);
    const found = await source.refresh();
    const { result, documents, isReindexed, seconds, writeUnits } = found;
    const sent = site.requests.splice(0).length;
    const isRight =
      result.requests === sent && result.pages === pages && result.failedPages === 0 && documents === written;
    if (!isRight || isReindexed !== written > 0) throw new Error(`${name}: ${JSON.stringify(found)}`);
    rows.push([
      name,
      count(sent),
      count(documents),
      isReindexed ? 'requested' : 'not requested',
      count(writeUnits),
      `${seconds.toFixed(1)} s`,
    ]);
  };
  await measure('the first', pages);
  await measure('nothing has changed', 0);
  const changed = change(site.pages);
  await measure(`${changed} pages have changed`, changed);
  return [
    table(['refresh', 'requests', 'documents written', 're-indexing', 'write units', 'time'], rows),
    '',
    `A site of ${count(pages)} pages on this machine, each with ${pageBytes / 1024} KB of text, an \`ETag\`, and links to up to ` +
      `${linksEach} others. One request is for robots.txt. The benchmark counts the requests at the site, and compares all documents ` +
      'before and after. It fails if these numbers differ from the result of the job, or from the changes of the site. The time has ' +
      'the worker, DynamoDB Local and the site, which responds at once. Write units do not include the re-indexing.',
  ].join('\n');
}

/** @param version another one has another text */
function pageAt(number: number, version = 0): string {
  const { title, content } = documentAt(number + version * pages, pageBytes);
  const text = content.replace(/^#+ (.*)$/gm, '<h2>$1</h2>').replaceAll('\n\n', '\n<p>');
  const linked = Array.from({ length: linksEach }, (_, at) => number * linksEach + 1 + at);
  return htmlPage(title, text, linked.filter((one) => one < pages).map(pathOf));
}

/** @returns the number of pages that have another text now */
function change(site: SitePages): number {
  const changed = numbers.filter((number) => number % changeEvery === 0);
  for (const number of changed) site.set(pathOf(number), pageAt(number, 1));
  return changed.length;
}

/** A source in a new project. Its worker runs in this process. */
async function openSource({ runtime, organisationId, send }: Bench, url: string) {
  const post = async (path: string, body: Json): Promise<Json> => {
    const { status, data, text } = await send('POST', path, { body });
    if (status >= 300) throw new Error(text);
    return data;
  };
  const project = `${(await post('/projects', { name: 'Sources' })).id}`;
  const path = `/projects/${project}`;
  const body = { type: 'site', url, maxPages: pages, reindex: true };
  const { id } = await post(`${path}/knowledge/sources`, body);
  const metered = meter(runtime.client);
  const api = { runtime: { ...runtime, client: metered.client }, organisationId, call: send };
  let before = new Map<unknown, string>();

  /** A re-indexing that is requested is cancelled, so that the next refresh requests its own. */
  async function cancelReindexing(): Promise<boolean> {
    const jobs = await listAll(api, `${path}/jobs`);
    const waiting = jobs.filter(({ type, status }) => type === 'knowledge.reindex' && status === 'queued');
    for (const job of waiting) await post(`${path}/jobs/${job.id}/cancel`, {});
    return waiting.length > 0;
  }

  return {
    async refresh() {
      const job = await post(`${path}/knowledge/sources/${id}/refresh`, {});
      metered.reset();
      const begun = performance.now();
      const { result, status, error } = await finish(api, project, `${job.id}`);
      const seconds = (performance.now() - begun) / 1000;
      const { writeUnits } = metered.usage();
      if (status !== 'succeeded') throw new Error(JSON.stringify(error));
      const all = await listAll(api, `${path}/knowledge/documents`);
      const after = new Map(all.map((one) => [one.id, JSON.stringify(one)]));
      const documents = [...after].filter(([one, text]) => before.get(one) !== text).length;
      before = after;
      const isReindexed = await cancelReindexing();
      return { result: result as Json, documents, isReindexed, seconds, writeUnits };
    },
  };
}
