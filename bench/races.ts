/** Fifty simultaneous duplicates, and forty writers of one conversation next to as many requests one after the other. */

import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { inTurn, pairs } from './rounds.ts';
import type { Bench } from './service.ts';
import { median, percentile, ratios, spread } from './statistics.ts';

const duplicates = 50;
const writers = 40;
const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.', language: 'en-GB' } };

export async function races(bench: Bench): Promise<Findings> {
  let unique = 0;
  const { fifty } = await inTurn(
    { fifty: () => sameKey(bench, `race-${unique++}`) },
    { what: 'races: fifty duplicates', rounds: pairs },
  );
  const path = await newConversations(bench);
  const { together, alone } = await inTurn(
    { together: async () => raceIn(bench, await path()), alone: async () => oneByOne(bench, await path()) },
    { what: 'races: forty writers', rounds: pairs },
  );
  const last = (rounds: readonly number[][]) => rounds.map((times) => Math.max(...times));
  const half = (rounds: readonly number[][]) => rounds.map((times) => percentile(times, 0.5));
  const row = (name: string, responses: string, rounds: readonly number[][]) => [
    name,
    responses,
    spread(half(rounds), 'ms', 0),
    spread(last(rounds), 'ms', 0),
  ];
  const toOneByOne = ratios(last(together), last(alone));
  return {
    head: ['requests', 'responses', 'half of the responses after', 'all after'],
    rows: [
      row(
        'fifty duplicates with one Idempotency-Key, at once',
        `${duplicates} × 201, identical; one project`,
        fifty,
      ),
      row('forty writers of one conversation, at once', `${writers} × 201, no gap in \`seq\``, together),
      row('the same forty requests, one after the other', `${writers} × 201`, alone),
    ],
    notes:
      `At once, forty writers take ${spread(toOneByOne)} times as long as forty requests one after the other (budget: at most ` +
      `${budgets.writersRatio}). All in process, on DynamoDB Local.`,
    rounds: `${pairs} rounds, the last two rows in turn`,
    budgeted: [
      {
        budget: 'writersRatio',
        what: 'forty writers, over forty requests one by one',
        value: median(toOneByOne),
      },
    ],
  };
}

/** @returns when each response was sent, in milliseconds after the start */
async function sameKey(bench: Bench, idempotencyKey: string): Promise<number[]> {
  const begunMs = performance.now();
  const responses = await Promise.all(
    Array.from({ length: duplicates }, async () => {
      const response = await bench.send('POST', '/projects', { body: { name: 'race' }, idempotencyKey });
      return { ...response, atMs: performance.now() - begunMs };
    }),
  );
  const distinct = new Set(responses.map(({ status, text }) => `${status} ${text}`));
  if (distinct.size !== 1 || responses[0]?.status !== 201) throw new Error('the duplicates differ');
  return responses.map(({ atMs }) => atMs);
}

/** @returns a function that returns the path of a new conversation */
async function newConversations({ send }: Bench): Promise<() => Promise<string>> {
  const { data: project } = await send('POST', '/projects', { body: { name: 'writers' } });
  const { data: made } = await send('POST', `/projects/${project.id}/avatars`, { body: avatar });
  const path = `/projects/${project.id}/conversations`;
  return async () => `${path}/${(await send('POST', path, { body: { avatarId: made.id } })).data.id}`;
}

const messageOf = (path: string, writer: number) => ({
  body: { messages: [{ role: 'user', text: `message ${writer}` }] },
  idempotencyKey: `${path.split('/').at(-1)}-${writer}`,
});
const numbers = Array.from({ length: writers }, (_, writer) => writer);

/** The writers share only the table. */
async function raceIn(bench: Bench, path: string): Promise<number[]> {
  const routes = numbers.map(() => routesOf(bench.runtime));
  const begunMs = performance.now();
  const sent = await Promise.all(
    routes.map(async (own, writer) => {
      const options = { ...messageOf(path, writer), key: bench.key };
      const { status, text, data } = await call(own, 'POST', `${path}/messages`, options);
      if (status !== 201) throw new Error(`forty writers: ${text}`);
      return { seq: (data.messages as { seq: number }[])[0]?.seq ?? 0, atMs: performance.now() - begunMs };
    }),
  );
  const seqs = sent.map(({ seq }) => seq);
  if (new Set(seqs).size !== writers || Math.max(...seqs) !== writers)
    throw new Error('forty writers: seq has a gap');
  return sent.map(({ atMs }) => atMs);
}

async function oneByOne({ send }: Bench, path: string): Promise<number[]> {
  const begunMs = performance.now();
  const times: number[] = [];
  for (const writer of numbers) {
    const { status, text } = await send('POST', `${path}/messages`, messageOf(path, writer));
    if (status !== 201) throw new Error(`one by one: ${text}`);
    times.push(performance.now() - begunMs);
  }
  return times;
}
