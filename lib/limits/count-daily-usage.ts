/**
 * A worker counts the amounts that a tenant stores in a day. Each notice has the total amount that was stored of an item on the
 * day of its change. So notices may come twice, late or out of order.
 */

import { again, retry } from '../base/retry.ts';
import { dailyQuotas } from '../base/stage-limits.ts';
import { timestamp } from '../base/time.ts';
import type { Change } from '../workers/change.ts';
import type { Notice } from '../workers/notice.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { countItems, type ItemUses, isCountable, readDayUses } from './store/day-uses.ts';

const pauseMs = 50;
/** A transaction has at most 100 writes. */
const maxWrites = 100;
/** The sum of the tenant. */
const writesOfTenant = 1;
/** The sum of a project, and the entry that lets it be found. */
const writesOfProject = 2;

export const addsUses = ({ before, after }: Change): boolean =>
  after?.dayUses !== undefined && after.dayUses !== before?.dayUses;

/** The notice has the amount, because later the item may be gone, or have only the amount of another day. */
export const dailyUsageIn = ({ after }: Change): unknown => after?.dayUses;

/** @param notices the notices of one tenant */
export async function countDailyUsage(
  notices: readonly Notice[],
  input: Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs' | 'randomFraction'>,
): Promise<void> {
  const nowMs = input.nowMs();
  const changes = notices
    .map(({ partition: [projectId = ''], id, detail, atMs }) => ({
      projectId,
      id,
      uses: readDayUses(String(detail)),
      atMs,
    }))
    .filter(({ uses }) => isCountable(uses.day, nowMs));
  for (const [day, ofDay] of Map.groupBy(changes, ({ uses }) => uses.day)) {
    const changedAt = timestamp(Math.max(...ofDay.map(({ atMs }) => atMs)));
    for (const items of inTransactions(latest(ofDay))) await countOnce(day, items, changedAt, input);
  }
}

/** @returns the items in groups, whose writes fit into a transaction each */
export function inTransactions(items: readonly ItemUses[]): ItemUses[][] {
  const groups: ItemUses[][] = [];
  let writes = maxWrites;
  for (const ofProject of Map.groupBy(items, ({ projectId }) => projectId).values()) {
    for (const [index, item] of ofProject.entries()) {
      let further = index === 0 ? writesOfProject + 1 : 1;
      if (writes + further > maxWrites) {
        groups.push([]);
        writes = writesOfTenant;
        further = writesOfProject + 1;
      }
      groups.at(-1)?.push(item);
      writes += further;
    }
  }
  return groups;
}

async function countOnce(
  day: string,
  items: readonly ItemUses[],
  changedAt: string,
  { store, commit, sleep, randomFraction }: Parameters<typeof countDailyUsage>[1],
): Promise<void> {
  await retry(
    async () => {
      const writes = await countItems(store, day, items, changedAt);
      return writes.length > 0 && (await commit(writes)) ? again : undefined;
    },
    {
      failure: () => new Error('lost too many races for the sum of the day'),
      pause: (attempt) => sleep(pauseMs * attempt * randomFraction()),
    },
  );
}

/** @returns the latest change of each item, which is the largest: on a day, the stored amount only grows */
const latest = (changes: readonly ItemUses[]): ItemUses[] =>
  [...Map.groupBy(changes, ({ id }) => id).values()].map((itemChanges) =>
    itemChanges.reduce((largest, change) => (sizeOf(change) > sizeOf(largest) ? change : largest)),
  );

const sizeOf = ({ uses }: ItemUses): number => dailyQuotas.reduce((size, quota) => size + uses[quota], 0);
