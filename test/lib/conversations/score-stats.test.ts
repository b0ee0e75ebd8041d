/** Statistics of scores, and the sums of rollouts, equal a scan of all scores, whatever happens to conversations, scores and workers. */
// @module-tag long

import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { meter } from '../../../measures/meter.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationCounter from '../../../workers/conversation-counter.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import conversationReindexer from '../../../workers/conversation-reindexer.ts';
import { intercept } from '../../support/faults.ts';
import {
  deployedCount,
  rounded as roundedSums,
  scannedSums,
  storedSums,
} from '../../support/rollout-sums.ts';
import {
  effectiveScores,
  nameScores,
  type Outputs,
  type SentScore,
  storeScores,
} from '../../support/scores.ts';
import {
  assignmentOf,
  candidateId,
  currentId,
  openSpan,
  rolloutId,
  storeRollout,
} from '../../support/stored-rollouts.ts';
import { deliver, openMortal } from '../../support/workers.ts';

const avatars = ['avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'];
const deployments = ['dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F', null];
const guards = [
  { score: 'solved' },
  { score: 'topic', value: 'refund' },
  { score: 'csat' },
  { score: 'risk' },
  // A text is no value of a guard.
  { score: 'summary' },
];
const spans = [openSpan(1, 50), openSpan(2, 80)];
const range = 'from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z';

const outputs = {
  csat: { type: 'number', min: 1, max: 5 },
  risk: { type: 'number', min: -0.5, max: 0.5 },
  solved: { type: 'boolean' },
  topic: { type: 'category', values: ['refund', 'other', 'a#b'] },
  summary: { type: 'text' },
} as const satisfies Outputs;
const names = ['csat', 'risk', 'solved', 'topic', 'summary'] as const;
type Name = (typeof names)[number];

/** The values of each output, and the number of their slot. */
const values: Record<Name, readonly (readonly [value: unknown, slot: number])[]> = {
  csat: [
    [1, 0],
    [2, 1],
    [2.3, 1],
    [3, 2],
    [4, 3],
    [4.25, 3],
    [5, 4],
  ],
  risk: [
    [-0.123456789, 3],
    [0.3, 8],
    [0.5, 9],
  ],
  solved: [
    [false, 0],
    [true, 1],
  ],
  topic: [
    ['refund', 0],
    ['a#b', 2],
  ],
  summary: [['A user asks for a refund.', 0]],
};
const slotKeys: Record<Name, readonly string[]> = {
  csat: ['1', '2', '3', '4', '5'],
  risk: [
    ...['-0.5--0.4', '-0.4--0.3', '-0.3--0.2', '-0.2--0.1', '-0.1-0'],
    ...['0-0.1', '0.1-0.2', '0.2-0.3', '0.3-0.4', '0.4-0.5'],
  ],
  solved: ['false', 'true'],
  topic: ['refund', 'other', 'a#b'],
  summary: ['any'],
};

const isPart =
  (length: number, place?: string) =>
  ({ tenant }: Json) => {
    const parts = `${tenant}`.split('#');
    return parts.length === length && (place === undefined || parts[3] === place);
  };
const storedConversations = async (api: TestApi) => (await storedOf(api, 'conversations')).filter(isPart(3));
/** @returns the items whose changes are counted */
const counted = async (api: TestApi) => {
  const all = await storedOf(api, 'conversations');
  return [...all.filter(isPart(3)), ...all.filter(isPart(4, 'scored'))];
};

type Scored = { conversation: Json; scores: Map<string, Json> | undefined };

const scoreOf = (name: Name, { scores }: Scored): unknown => {
  const text = scores?.get(name)?.value;
  return typeof text === 'string' ? JSON.parse(text) : undefined;
};
const keyOfValue = (name: Name, one: Scored): string | null => {
  const value = scoreOf(name, one);
  const slot = values[name].find(([known]) => known === value)?.[1];
  return (slot === undefined ? undefined : slotKeys[name][slot]) ?? null;
};
const rounded = (number: number) => Number(number.toFixed(6));

function plainCount(all: readonly Scored[]): Json {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const seconds = all.map(({ conversation: { startedAt, lastMessageAt } }) =>
    lastMessageAt ? (Date.parse(`${lastMessageAt}`) - Date.parse(`${startedAt}`)) / 1000 : 0,
  );
  return {
    conversations: all.length,
    messages: sum(all.map(({ conversation }) => conversation.messageCount as number)),
    meanDurationSeconds: Math.round(sum(seconds) / Math.max(all.length, 1)),
  };
}

function plainScore(all: readonly Scored[], name: Name): Json {
  const found = all.map((one) => scoreOf(name, one)).filter((value) => value !== undefined);
  const numbers = found.filter((value) => typeof value === 'number');
  const keys = all.map((one) => keyOfValue(name, one));
  return {
    count: found.length,
    unknown: all.filter(({ scores }) => scores?.get(name)?.value === null).length,
    mean:
      numbers.length > 0 ? rounded(numbers.reduce((total, one) => total + one, 0) / numbers.length) : null,
    shares: slotKeys[name].map((value) => {
      const count = keys.filter((key) => key === value).length;
      return { value, count, share: found.length > 0 ? rounded(count / found.length) : 0 };
    }),
  };
}

const properties: Record<string, (one: Scored) => string | null> = {
  day: ({ conversation }) => `${conversation.startedAt}`.slice(0, 10),
  avatar: ({ conversation }) => `${conversation.avatarId}`,
  channel: ({ conversation }) => (conversation.channel as string | null) ?? null,
  deployment: ({ conversation }) => (conversation.deploymentId as string | null) ?? null,
};

const scanned = async (api: TestApi) => {
  const scores = await effectiveScores(api);
  return (await storedConversations(api)).map((conversation) => ({
    conversation,
    scores: scores.get(`${conversation.id}`),
  }));
};

async function expectRolloutScanned(api: TestApi, project: string) {
  const all = await scanned(api);
  expect(roundedSums(await storedSums(api, project, rolloutId))).toEqual(
    roundedSums(scannedSums(all, guards)),
  );
  const deployed = all.filter(({ conversation: { deploymentId } }) =>
    [candidateId, currentId].some((id) => id === deploymentId),
  );
  const days = { from: '2026-03-01T00:00:00.000Z', until: '2026-03-31T00:00:00.000Z' };
  expect(await deployedCount(api, project, [candidateId, currentId], days)).toBe(deployed.length);
}

async function expectScanned(api: TestApi, list: string) {
  const all = await scanned(api);
  const groupsOf = (keyOf: (one: Scored) => string | null, order: readonly (string | null)[]) =>
    [...Map.groupBy(all, keyOf)].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const ask = async (query: string) => {
    const { data } = await api.call('GET', `${list}/stats?${range}&${query}`);
    const { countedThrough: _, ...stats } = data;
    return stats;
  };
  for (const name of names) {
    const show = (some: readonly Scored[]) => ({ ...plainCount(some), score: plainScore(some, name) });
    for (const [groupBy, keyOf] of Object.entries(properties)) {
      const order = [...new Set(all.map(keyOf))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
      expect(await ask(`groupBy=${groupBy}&score=${name}`), `${groupBy} ${name}`).toEqual({
        items: groupsOf(keyOf, order).map(([key, some]) => ({ key, ...show(some) })),
        totals: show(all),
      });
    }
    const groups = groupsOf((one) => keyOfValue(name, one), [null, ...slotKeys[name]]);
    expect(await ask(`groupBy=score:${name}`), name).toEqual({
      items: groups.map(([key, some]) => ({ key, ...plainCount(some) })),
      totals: plainCount(all),
    });
  }
}

const number = fc.nat({ max: 1000 });
const operation = fc.record({
  kind: fc.constantFrom(
    'create',
    'assign',
    'assign',
    'append',
    'end',
    'end',
    'score',
    'score',
    'score',
    'erase',
    'deliver',
    'kill',
    'eraser',
    'reindex',
  ),
  number,
});

const equalScan = (numRuns: number) => async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 40 }),
      fc.infiniteStream(number),
      async (operations, chance) => {
        const random = (below: number) => (chance.next().value ?? 0) % below;
        const { api, life } = await openMortal();
        const project = await api.createProject();
        const list = `/projects/${project}/conversations`;
        await nameScores(api, project, outputs);
        await storeRollout(api, project, { guards, spans });
        const records: DynamoDBRecord[] = [];
        let before = new Map<string, Json>();
        /** Records the changes, as the stream does. */
        const observe = async () => {
          const after = new Map((await counted(api)).map((item) => [`${item.tenant} ${item.id}`, item]));
          for (const [key, item] of after) {
            const old = before.get(key);
            if (!old) records.push(changeRecord(undefined, item));
            else if (old.changedIn !== item.changedIn) records.push(changeRecord(old, item));
          }
          for (const [key, item] of before) {
            if (!after.has(key)) records.push(changeRecord(item, undefined));
          }
          before = after;
        };
        const some = (): DynamoDBRecord[] => records.filter(() => random(3) === 0);
        const giveErased = async () => {
          const erased = (await storedOf(api, 'conversations')).filter(
            ({ erasedAt, purgedAt }) => erasedAt && !purgedAt,
          );
          await deliver(
            api,
            conversationEraser,
            erased.map((item) => changeRecord(undefined, item)),
          );
        };
        for (const { kind, number: n } of operations) {
          const ids = (await storedConversations(api)).map(({ id }) => `${id}`);
          const id = ids[n % Math.max(ids.length, 1)];
          if (kind === 'create' || id === undefined) {
            const startedAt = new Date(Date.UTC(2026, 2, 1 + (n % 3), n % 24)).toISOString();
            const body = {
              avatarId: avatars[n % 2],
              channel: n % 3 ? 'web' : null,
              deploymentId: deployments[n % 3],
              startedAt,
            };
            await api.call('POST', list, { body });
          } else if (kind === 'assign') {
            const startedAt = new Date(Date.UTC(2026, 2, 1 + (n % 3), n % 24)).toISOString();
            const span = 1 + random(2);
            const variant = n % 2 ? 'candidate' : 'current';
            const assignment = assignmentOf(variant, random(4), { span, percent: span === 1 ? 50 : 80 });
            await api.call('POST', list, { body: { avatarId: avatars[0], assignment, startedAt } });
          } else if (kind === 'end') {
            await api.call('POST', `${list}/${id}/end`, { body: { reason: 'done' } });
          } else if (kind === 'append') {
            const at = new Date(Date.UTC(2026, 2, 5, 0, 0, n)).toISOString();
            await api.call('POST', `${list}/${id}/messages`, {
              body: { messages: [{ role: 'user', text: 'a', at }] },
            });
          } else if (kind === 'score') {
            const sent = names
              .filter((_, index) => index === n % names.length || random(3) === 0)
              .map(
                (name): SentScore => ({
                  name,
                  value: random(5) === 0 ? null : values[name][random(values[name].length)]?.[0],
                  source: (['human', 'api', 'model', 'rule'] as const)[random(4)] ?? 'api',
                  version: 1 + random(2),
                }),
              );
            await storeScores(api, project, outputs, id, sent);
          } else if (kind === 'erase') {
            if (n % 2) await api.call('DELETE', `${list}/${id}`);
          } else if (kind === 'eraser') {
            await giveErased();
          } else if (kind === 'reindex') {
            const { data } = await api.call('POST', `${list}/reindex`);
            const [job] = (await storedOf(api, 'jobs')).filter((item) => item.type && item.id === data.id);
            if (job) await deliver(api, conversationReindexer, [changeRecord(undefined, job)]);
          } else {
            if (kind === 'kill') Object.assign(life, { callsLeft: 1 + random(25), afterwards: n % 2 === 0 });
            // Two functions run at the same time, with late and reordered records.
            await Promise.allSettled([
              deliver(api, conversationCounter, some()),
              deliver(api, conversationCounter, some().reverse()),
            ]);
            life.callsLeft = Number.POSITIVE_INFINITY;
          }
          await observe();
        }
        // Each record at least once, in any order, some twice.
        const rest = [...records, ...some()]
          .map((record) => ({ record, place: random(1000) }))
          .sort((a, b) => a.place - b.place)
          .map(({ record }) => record);
        await deliver(api, conversationCounter, rest);
        await expectScanned(api, list);
        await expectRolloutScanned(api, project);
        // Nothing is left of the last conversations.
        for (const { id } of await storedConversations(api)) await api.call('DELETE', `${list}/${id}`);
        await giveErased();
        expect(await storedOf(api, 'conversationStats')).toEqual([]);
      },
    ),
    { numRuns },
  );
};

const areEqual =
  'statistics of scores and sums of rollouts equal a scan, whatever happens to conversations, scores and workers';
test(areEqual, equalScan(2));
test(`${areEqual}: many histories`, { tags: ['nightly'] }, equalScan(15));

const conversation = (n = 0): Json => ({
  avatarId: avatars[0],
  channel: 'web',
  deploymentId: deployments[0],
  startedAt: `2026-03-01T10:00:${String(n).padStart(2, '0')}Z`,
});

async function openScored(api: TestApi) {
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  await nameScores(api, project, outputs);
  const create = async (body: Json) => `${(await api.call('POST', list, { body })).data.id}`;
  const score = (id: string, sent: readonly Omit<SentScore, 'source'>[]) =>
    storeScores(
      api,
      project,
      outputs,
      id,
      sent.map((one) => ({ source: 'api', ...one })),
    );
  const count = async () => {
    const items = await counted(api);
    await deliver(
      api,
      conversationCounter,
      items.map((item) => changeRecord(undefined, item)),
    );
  };
  const stats = async (query: string) => (await api.call('GET', `${list}/stats?${range}&${query}`)).data;
  return { project, list, create, score, count, stats };
}

test('a score that changes and changes back is not counted as it was in between', async () => {
  let hold: { reached(): void; released: Promise<void> } | undefined;
  const api = await openApi(({ client }) => ({
    client: intercept(client, ({ constructor: kind }, proceed) => {
      if (!hold || kind.name !== 'TransactWriteCommand') return undefined;
      const { reached, released } = hold;
      hold = undefined;
      reached();
      return released.then(proceed);
    }),
  }));
  const { list, create, score, count } = await openScored(api);
  const id = await create(conversation());
  await score(id, [{ name: 'csat', value: 3 }]);
  await count();
  await score(id, [{ name: 'csat', value: 4 }]);
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  hold = { reached: reached.resolve, released: released.promise };
  const late = count();
  await reached.promise;
  await score(id, [{ name: 'csat', value: 3 }]);
  await count();
  released.resolve();
  await late;
  await expectScanned(api, list);
});

test('what was counted before there were scores is counted with its scores and its deployment', async () => {
  const api = await openApi();
  const { list, create, score, count, stats } = await openScored(api);
  const id = await create(conversation());
  await create({ ...conversation(1), deploymentId: null });
  await count();
  const { runtime } = api;
  const TableName = runtime.tableNames.conversationStats as string;
  // As `npm run upgrade` leaves what an earlier version has stored.
  for (const item of await storedOf(api, 'conversationStats')) {
    const Key = { tenant: item.tenant, id: item.id };
    const isOfDeployment = `${item.tenant}`.includes('#deployments#');
    const isContribution = `${item.tenant}`.includes('#counted#');
    if (isOfDeployment) await runtime.client.send(new DeleteCommand({ TableName, Key }));
    else if (isContribution)
      await runtime.client.send(new PutCommand({ TableName, Item: { ...item, deploymentId: null } }));
  }
  const byDeployment = await stats('groupBy=deployment');
  expect(byDeployment.items).toEqual([{ key: null, ...(byDeployment.totals as Json) }]);
  expect(byDeployment.totals).toMatchObject({ conversations: 2 });
  await score(id, [{ name: 'solved', value: true }]);
  await count();
  await expectScanned(api, list);
});

/** @returns the write units of counting conversations with three scores */
async function costOf(bodies: readonly Json[]) {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  const { list, create, score, count } = await openScored(api);
  for (const [n, body] of bodies.entries()) {
    const id = await create(body);
    await score(id, [
      { name: 'csat', value: 1 + (n % 5) },
      { name: 'solved', value: n % 2 === 0 },
      { name: 'topic', value: 'refund' },
    ]);
  }
  metered.reset();
  await count();
  const usage = metered.usage();
  await expectScanned(api, list);
  return { ...usage, transactions: usage.calls.filter((call) => call === 'TransactWrite').length };
}

test('the conversations of the same sums are counted in few transactions', async () => {
  const { writeUnits, transactions } = await costOf(
    Array.from({ length: 100 }, (_, n) => conversation(n % 60)),
  );
  // Each has its own contribution, and the sums of its day, its deployment and its three scores with the others.
  const sums = 5;
  expect(transactions).toBe(2);
  // The first generation is one unit.
  expect(writeUnits).toBe(2 * 100 + 2 * sums * transactions + 1);
});
