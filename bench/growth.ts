/** What requests cost with few and with many stored items: lists of projects, and the conversations of a project with their search. */

import { inBatches, split } from '../lib/base/batches.ts';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import { deliverNotices, noticesOf } from '../samples/lambda-queue.ts';
import { changeRecord } from '../samples/stream-records.ts';
import conversationCounter from '../workers/conversation-counter.ts';
import { avatarOf, fillConversation, messagesEach, userOf } from './conversation-history.ts';
import { fillProjects } from './fill.ts';
import type { Findings } from './findings.ts';
import { inTurn } from './rounds.ts';
import type { Bench } from './service.ts';
import { count, progress, spread } from './statistics.ts';

const requests = 20;
const projectSizes = [100, 100_000] as const;
const messageSizes = [1000, 100_000] as const;
/** The words whose postings are stored: of one message in 2500, and the two most common ones. */
const terms = new Set(['needle', 'w1', 'w2']);
const atOnce = 8;

type Measured = { name: string; items: number; roundTrips: number; readUnits: number; times: number[] };

export async function growth(bench: Bench): Promise<Findings> {
  return {
    head: ['page of 25', 'stored', 'items', 'round trips', 'read units', 'time'],
    rows: [...(await projectRows(bench)), ...(await conversationRows(bench)), ...(await configRows(bench))],
    notes:
      `The first rows count projects, the last ones avatars, the others messages: conversations of ${messagesEach} messages of 15 words, ` +
      'spread over a month, with ten avatars, three channels and 500 users. Figures include the check of the key and the project. In process, on DynamoDB Local.',
    rounds: `${requests} requests of each row, in turn`,
    budgeted: [],
  };
}

async function projectRows(bench: Bench): Promise<string[][]> {
  const { secret: key, organisationId } = await bootstrapOrganisation(bench.runtime, 'Growth', 'live');
  const measured: Measured[][] = [];
  let from = 0;
  for (const to of projectSizes) {
    progress(`growth: ${count(to)} projects`);
    await fillProjects(bench.runtime, { tenant: `${organisationId}#live`, from, to });
    from = to;
    const paths = {
      'projects, first page': '/projects?limit=25',
      'projects, a page in the middle': await middle(bench, key, to),
      'projects, by status': '/projects?limit=25&status=active',
    };
    measured.push(await measure(bench, key, paths));
  }
  return rowsOf(projectSizes, measured);
}

/** @returns the path of a later page */
async function middle(bench: Bench, key: string, size: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < Math.min(size / 200, 20); page += 1) {
    const { data } = await bench.send('GET', `/projects?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    if (data.nextCursor === null) break;
    cursor = data.nextCursor as string;
  }
  return cursor === '' ? '/projects?limit=25' : `/projects?limit=25&cursor=${cursor}`;
}

async function conversationRows(bench: Bench): Promise<string[][]> {
  const { runtime, organisationId, key } = bench;
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Growth' } });
  const project = data as StoredProject;
  const tenant = `${organisationId}#live`;
  const path = `/projects/${project.id}/conversations`;
  const nowMs = Date.now();
  const ids: string[] = [];
  const measured: Measured[][] = [];
  for (const size of messageSizes) {
    progress(`growth: ${count(size)} messages`);
    const added = Array.from({ length: size / messagesEach - ids.length }, (_, index) => ids.length + index);
    await inBatches(added, atOnce, async (number) => {
      ids[number] = await fillConversation(runtime, { tenant, project, terms }, number, nowMs);
    });
    progress('growth: counting');
    for (const some of split(added, conversationCounter.batchSize)) {
      const images = some.map((number) => ({ tenant: `${tenant}#${project.id}`, id: ids[number] }));
      const records = images.map((image) => changeRecord(undefined, image));
      await deliverNotices(runtime, conversationCounter, noticesOf(conversationCounter, records));
    }
    const search = (q: string) => `${path}/search?q=${encodeURIComponent(q)}`;
    const paths = {
      conversations: path,
      'conversations of a user': `${path}?externalUserId=${userOf(7)}`,
      'conversations of an avatar with a tag': `${path}?avatarId=${avatarOf(3)}&tag=refund`,
      'conversations by `status`, of 1 in 20': `${path}?status=active`,
      transcript: `${path}/${ids[0]}/transcript`,
      'search, a word of 1 message in 2500': search('needle'),
      'search, a word of most messages': search('w1'),
      'search, a phrase of two such words': search('"w1 w2"'),
      'statistics, 30 days by day': `${path}/stats?groupBy=day`,
    };
    measured.push(await measure(bench, key, paths));
  }
  return rowsOf(messageSizes, measured);
}

const configSizes = [1, 10] as const;

/** What a runtime reads at its start, with avatars of the usual size and with the largest. */
async function configRows(bench: Bench): Promise<string[][]> {
  const { key } = bench;
  const largest = {
    persona: { prompt: 'é'.repeat(32_000) },
    runtime: { text: 'é'.repeat(32_000) },
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, 'é'.repeat(500)])),
  };
  const bodies = {
    config: { persona: { prompt: 'p'.repeat(1000) } },
    'config, the largest avatars': largest,
  };
  const kinds: { name: string; body: object; path: string }[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    const { data } = await bench.send('POST', '/projects', { body: { name } });
    kinds.push({ name, body, path: `/projects/${data.id}` });
  }
  const paths = Object.fromEntries(
    kinds.map(({ name, path }) => [name, `${path}/environments/production/config`]),
  );
  const measured: Measured[][] = [];
  let stored = 0;
  for (const size of configSizes) {
    progress(`growth: ${count(size)} avatars`);
    for (const { body, path } of kinds) {
      for (let index = stored; index < size; index += 1)
        await bench.send('POST', `${path}/avatars`, { body: { name: 'Ada', ...body } });
      await bench.send('POST', `${path}/deployments`, { body: { environment: 'production' } });
    }
    stored = size;
    measured.push(await measure(bench, key, paths));
  }
  return rowsOf(configSizes, measured);
}

async function measure(
  bench: Bench,
  key: string,
  paths: Readonly<Record<string, string>>,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const send = () => bench.send('GET', path, { key });
    // The first use of a key in an hour is noted, which is no part of what a request costs.
    const { items, messages, avatars } = (await send()).data as Record<string, unknown[] | undefined>;
    const { roundTrips, readUnits } = await bench.usageOf(send);
    measured.push({
      name,
      items: (items ?? messages ?? avatars ?? []).length,
      roundTrips,
      readUnits,
      times: [],
    });
  }
  const timed = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [
      name,
      async () => {
        const begunMs = performance.now();
        await bench.send('GET', path, { key });
        return performance.now() - begunMs;
      },
    ]),
  );
  const times = await inTurn(timed, { what: 'growth', rounds: requests, warmUps: 5 });
  return measured.map((one) => ({ ...one, times: times[one.name] ?? [] }));
}

/** @returns the rows of each request, with few and with many items, next to each other */
function rowsOf(sizes: readonly number[], measured: readonly Measured[][]): string[][] {
  const [few = [], many = []] = measured;
  return few.flatMap((small, index) =>
    [small, many[index] ?? small].map(({ name, items, roundTrips, readUnits, times }, at) => [
      at === 0 ? name : '',
      count(sizes[at] ?? Number.NaN),
      `${items}`,
      `${roundTrips}`,
      `${readUnits}`,
      spread(times, 'ms'),
    ]),
  );
}
