/** Rollouts with guards, whose units talk and get scores through the API, and whose workers run when the test says so. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { assign, type Variant } from '../../lib/rollouts/assign.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import eventWriter from '../../workers/event-writer.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import { intercept } from './faults.ts';
import { runDue } from './schedule.ts';
import { guardOf, openRollouts } from './started-rollouts.ts';
import { handleAll } from './suspensions.ts';
import { deliverInTurns } from './turns.ts';

export type Guarded = Awaited<ReturnType<typeof openGuarded>>;

/** Five units on each side are enough. */
export const solved = (changes: Json = {}): Json => guardOf({ minimum: 5, ...changes });

const atOnce = 10;

/** What a unit says: its variant, and its score. Null for a conversation that ends without a score. */
type Said = readonly [Variant, boolean | null];

/** @returns so many units of each variant, each with its score */
export const units = (count: number, current: boolean | null, candidate: boolean | null): Said[] =>
  Array.from({ length: count }, (): Said[] => [
    ['current', current],
    ['candidate', candidate],
  ]).flat();

/** The process of a worker may die when it begins to decide: the conversations are counted then. */
export async function openGuarded() {
  const life = { diesDeciding: false };
  const opened = await openApi(({ client }) => ({
    client: intercept(client, (command) => {
      const isDecision =
        command instanceof GetCommand && JSON.stringify(command.input).includes('#rollouts"');
      return life.diesDeciding && isDecision ? Promise.reject(new Error('killed')) : undefined;
    }),
    sleep: async () => {},
  }));
  const api = await openRollouts(opened);
  await api.createEvaluator('solved');
  let unitNumber = 0;

  /** The first conversation of a new unit with this variant. @returns its path */
  async function talk(rollout: Json, [variant, value]: Said): Promise<string> {
    const { id, span, percent } = rollout as { id: string; span: number; percent: number };
    const wanted = () => {
      for (;;) {
        unitNumber += 1;
        const unit = `user-${unitNumber}`;
        if (assign({ id, span, percent }, unit).variant === variant) return unit;
      }
    };
    const { data } = await api.send('GET', `/environments/production/config?unit=${wanted()}`);
    const { assignment, variant: given } = data.rollout as Json;
    if (given !== variant) throw new Error(`${given} in place of ${variant}`);
    const path = await api.createConversation({ avatarId: api.avatarId, assignment }, api.projectId);
    await mustBe(200, api.call('POST', `${path}/end`, { body: { reason: 'completed' } }));
    if (value !== null) await mustBe(201, api.call('PUT', `${path}/scores/solved`, { body: { value } }));
    return path;
  }

  return {
    ...api,
    api: opened,
    life,
    /** @returns the paths of the conversations, in the same order */
    async talk(rollout: Json, all: readonly Said[]): Promise<string[]> {
      const paths: string[] = [];
      for (let from = 0; from < all.length; from += atOnce)
        paths.push(...(await Promise.all(all.slice(from, from + atOnce).map((said) => talk(rollout, said)))));
      return paths;
    },
    /** The counter gets all conversations and scores, as if they were new. */
    count: () => countAll(opened),
    /** The mover gets all rollouts. */
    move: () => handleAll(opened, rolloutMover, 'deployments', () => true),
    act: api.move,
    /** Lets time pass, and does what is due then. */
    async wait(ms: number): Promise<void> {
      opened.advance(ms);
      await runDue(opened);
    },
    guardNow: async (): Promise<Json> => {
      const { comparison } = (await api.read()) as { comparison: { guards: Json[] } };
      return comparison.guards[0] ?? {};
    },
  };
}

async function mustBe(status: number, answer: ReturnType<TestApi['call']>): Promise<void> {
  const response = await answer;
  if (response.status !== status) throw new Error(response.text);
}

const counted = ({ tenant }: Json) => {
  const parts = `${tenant}`.split('#');
  return parts.length === 3 || (parts.length === 4 && parts[3] === 'scored');
};

async function countAll(api: TestApi): Promise<void> {
  const items = (await storedOf(api, 'conversations')).filter(counted);
  await handle(
    api,
    conversationCounter,
    items.map((item) => changeRecord(undefined, item)),
    'conversations',
  );
}

/** Removes a conversation, with what its counter does then. */
export async function erase(api: TestApi, path: string): Promise<void> {
  const id = path.split('/').at(-1);
  const before = (await storedOf(api, 'conversations')).find((item) => item.id === id && counted(item));
  await mustBe(200, api.call('DELETE', path));
  await handle(api, conversationCounter, [changeRecord(before, undefined)], 'conversations');
}

async function handle(
  api: TestApi,
  worker: Worker,
  records: readonly ReturnType<typeof changeRecord>[],
  source: Worker['sources'][number],
): Promise<void> {
  await deliverInTurns(api.runtime, worker, noticesOf(worker, records, source));
}

/** Writes the events of the changes of deployments, environments and rollouts since the last call. */
export function logEvents(api: TestApi): () => Promise<void> {
  let before = new Map<string, Json>();
  return async () => {
    const items = await storedOf(api, 'deployments');
    const after = new Map(items.map((item) => [`${item.tenant}/${item.id}`, item]));
    const records = [...after]
      .filter(([key, item]) => before.get(key)?.changedIn !== item.changedIn)
      .map(([key, item]) => changeRecord(before.get(key), item));
    before = after;
    await handle(api, eventWriter, records, 'deployments');
  };
}
