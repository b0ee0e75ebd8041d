/** What a tenant spends on models in a day: never more than the quota, and never counted too low. */

import { describe, expect, test } from 'vitest';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import {
  getModelCost,
  modelCostDay,
  reserveModelCost,
  settleModelCost,
} from '../../../lib/limits/store/model-cost.ts';
import { openApi, storedOf } from '../../../samples/api.ts';
import { costs } from '../../support/usage.ts';

const noonMs = Date.parse('2026-03-01T12:00:00Z');

describe('a reservation', () => {
  test('takes the quota up to its end, and not a millionth more', async () => {
    const { store, write } = costs(await openApi());
    const reserve = async (microUsd: number) => write(await reserveModelCost(store, 1000, microUsd, noonMs));
    expect(await getModelCost(store, noonMs)).toBe(0);
    expect(await reserve(600)).toBeUndefined();
    expect(await reserve(401)).toBe('quota_exceeded');
    expect(await getModelCost(store, noonMs)).toBe(600);
    expect(await reserve(400)).toBeUndefined();
    expect(await reserve(1)).toBe('quota_exceeded');
    expect(await getModelCost(store, noonMs)).toBe(1000);
  });

  test('that alone exceeds the quota is refused, also as the first one', async () => {
    const { store } = costs(await openApi());
    expect(await reserveModelCost(store, 1000, 1001, noonMs)).toBeUndefined();
    expect(await reserveModelCost(store, 0, 1, noonMs)).toBeUndefined();
    expect(await reserveModelCost(store, 1000, 1000, noonMs)).toBeDefined();
  });

  test('of many at the same time, only those that fit succeed', async () => {
    const { store, write } = costs(await openApi());
    const results = await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (;;) {
          const result = await write(await reserveModelCost(store, 1000, 300, noonMs));
          if (result !== 'retry') return result;
        }
      }),
    );
    expect(results.filter((result) => result === undefined)).toHaveLength(3);
    expect(await getModelCost(store, noonMs)).toBe(900);
  });

  test('of another tenant does not count', async () => {
    const [own, other] = [costs(await openApi()), costs(await openApi())];
    await own.write(await reserveModelCost(own.store, 1000, 600, noonMs));
    expect(await getModelCost(other.store, noonMs)).toBe(0);
  });
});

describe('a settlement', () => {
  test('gives back what was not spent, and adds what was spent in addition', async () => {
    const { store, write } = costs(await openApi());
    await write(await reserveModelCost(store, 1000, 600, noonMs));
    await write(settleModelCost(store, -500, modelCostDay(noonMs)));
    expect(await getModelCost(store, noonMs)).toBe(100);
    await write(settleModelCost(store, 7, modelCostDay(noonMs)));
    expect(await getModelCost(store, noonMs)).toBe(107);
  });

  test('after midnight belongs to the day of the reservation', async () => {
    const { store, write } = costs(await openApi());
    await write(await reserveModelCost(store, 1000, 600, noonMs));
    const nextMs = noonMs + dayMs;
    await write(await reserveModelCost(store, 1000, 50, nextMs));
    await write(settleModelCost(store, -500, modelCostDay(noonMs)));
    expect(await getModelCost(store, nextMs)).toBe(50);
    expect(await getModelCost(store, noonMs)).toBe(100);
  });

  test('of a day that has expired leaves nothing that stays', async () => {
    const api = await openApi();
    const { store, write } = costs(api);
    await write(settleModelCost(store, -500, '2026-03-01'));
    const stored = (await storedOf(api, 'limits')).filter(({ id }) => `${id}`.endsWith('#modelCostUsd'));
    const settled = { id: '2026-03-01#modelCostUsd', used: -500 };
    expect(stored).toMatchObject([settled, settled]);
    expect(timestamp(Number(stored[0]?.ttl) * 1000)).toBe('2027-04-06T00:00:00.000Z');
  });
});
