/** Refreshes of a site that changes, whose worker is killed at random moments. */

import { randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, jobNotice } from '../../../samples/api.ts';
import { deliverNotices } from '../../../samples/lambda-queue.ts';
import sourceRefresher from '../../../workers/source-refresher.ts';
import { changingSite } from '../../support/changing-site.ts';
import { chanceOf, killable } from '../../support/killable.ts';
import { openSite } from '../../support/site.ts';
import { listAll, openSources, type Sources } from '../../support/sources.ts';
import { mortal } from '../../support/workers.ts';

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));
const chance = chanceOf(seed);

type Run = (opened: Sources, job: string, isSpared: boolean) => Promise<'done' | 'killed'>;

async function refreshUnderKills(count: number, generations: number, killsPerRefresh: number, run: Run) {
  console.log(`KILL_SEED=${seed}`);
  const site = await openSite();
  onTestFinished(() => site.close());
  const model = changingSite(site, count, chance);
  const opened = await openSources(site, { maxPages: 5000, include: ['*'] });
  const { api, project, path, base, content } = opened;
  let allKills = 0;
  let before: readonly string[] = [];
  // Two calm refreshes at the end remove what nothing links to any more.
  for (let generation = 0; generation < generations + 2; generation += 1) {
    if (generation === generations) model.calm();
    else if (generation > 0 && generation < generations) model.change(Math.ceil(count / 4));
    site.requests.length = 0;
    model.failures.sent = 0;
    const { data } = await api.call('POST', `${path}/refresh`, { body: { confirm: true } });
    let kills = 0;
    if (generation === generations) for (const text of before) model.old.add(text);
    let job: Json = data;
    while (job.status === 'queued' || job.status === 'running') {
      if ((await run(opened, `${data.id}`, kills >= killsPerRefresh)) === 'killed') kills += 1;
      job = (await api.call('GET', `/projects/${project}/jobs/${data.id}`)).data;
    }
    allKills += kills;
    expect(job.error).toBeNull();
    const result = job.result as { pages: number; duplicates: number; failedPages: number };
    // Every kill may repeat a request, and robots.txt. A duplicate whose page has changed is requested again. A loop has a page
    // that is requested, but is no page of the source.
    const most = result.pages + 1 + model.failures.sent + 2 * kills + result.duplicates + result.failedPages;
    expect(site.requests.length).toBeLessThanOrEqual(most);
    expect(site.load.most).toBe(1);
    const documents = await listAll(api, `${base}/documents`);
    const texts: string[] = [];
    before = texts;
    for (const { id } of documents) {
      const text = await content(id);
      const found = /The page \/p\d+ in generation \d+\./.exec(text)?.[0];
      if (found) texts.push(found);
    }
    // Nothing twice, nothing lost.
    const about = `KILL_SEED=${seed}, generation ${generation}`;
    const twice = texts.filter((text, at) => texts.indexOf(text) !== at);
    expect(twice, about).toEqual([]);
    const must = model.texts();
    const isStale = (text: string) => model.old.has(text) && !must.has(text) && generation < generations + 1;
    expect(texts.filter((text) => !isStale(text)).sort(), about).toEqual([...must].sort());
    expect(new Set(documents.map(({ externalId }) => externalId)).size).toBe(documents.length);
  }
  expect(allKills).toBeGreaterThan(0);
}

/** The process dies after some calls, before or after the last one takes effect. */
const inProcess =
  (most: number): Run =>
  async ({ api, project }, job, isSpared) => {
    const { client, life } = mortal(api.runtime.client);
    if (!isSpared) {
      life.callsLeft = 1 + Math.floor(chance() * most);
      life.afterwards = chance() < 0.5;
    }
    const notice = jobNotice(`${api.organisationId}#live`, project, job);
    const end = await deliverNotices({ ...api.runtime, client }, sourceRefresher, [notice]).then(
      () => 'done' as const,
      () => 'killed' as const,
    );
    // A refresh that was killed after its end keeps the host until its lease ends, and the next one waits for it.
    if (end === 'done') api.advance(minuteMs);
    return end;
  };

test('a small site, killed between calls', { tags: ['long'] }, () =>
  refreshUnderKills(20, 3, 8, inProcess(100)),
);

test('a larger site, killed between calls', { tags: ['nightly'] }, () =>
  refreshUnderKills(60, 4, 12, inProcess(300)),
);

const runInChild = killable(sourceRefresher, { WEBHOOKS_TO_LOOPBACK: 'true' });

test('1000 pages, whose processes are killed', { tags: ['nightly'] }, () =>
  refreshUnderKills(1000, 3, 15, async ({ api, project }, job, isSpared) => {
    const notice = jobNotice(`${api.organisationId}#live`, project, job);
    const { end } = await runInChild([notice], isSpared ? undefined : 200 + chance() * 8000);
    return end === 'done' || end === 'again' ? 'done' : 'killed';
  }),
);
