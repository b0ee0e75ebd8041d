import { describe, expect, test } from 'vitest';
import { deploy, idsOf } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openRollouts, rolloutPath } from '../../support/started-rollouts.ts';

const list = `${rolloutPath}s`;

describe('rollouts.list', () => {
  responds(200, 'with the rollouts of the environment, newest first, in pages', async () => {
    const api = await openRollouts();
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await api.started({ percent: n + 1 })).id);
      await api.move('abort');
    }
    // Another environment has rollouts of its own, and its name starts like this one's.
    await deploy(api, { environment: 'production2' });
    const other = await deploy(api, { environment: 'production2', promote: false });
    const body = { deploymentId: other.id, percent: 10 };
    expect((await api.send('POST', '/environments/production2/rollout', body)).status).toBe(201);
    const first = await api.send('GET', `${list}?limit=2`);
    expect(idsOf(first.data)).toEqual(ids.slice(0, 2));
    const second = await api.send('GET', `${list}?limit=2&cursor=${first.data.nextCursor}`);
    expect(idsOf(second.data)).toEqual(ids.slice(2));
    expect(second.data.nextCursor).toBeNull();
    return first;
  });

  responds(200, 'without history and comparison', async () => {
    const api = await openRollouts();
    const { history: _, ...summary } = await api.started();
    const response = await api.send('GET', list);
    expect(response.data).toEqual({ items: [summary], nextCursor: null });
    return response;
  });

  responds(200, 'with nothing', async () => {
    const api = await openRollouts();
    const response = await api.send('GET', list);
    expect(response.data).toEqual({ items: [], nextCursor: null });
    return response;
  });

  refuses('not_found', 'an unknown environment', async () => {
    const api = await openRollouts();
    return api.send('GET', '/environments/staging/rollouts');
  });

  test('400 validation_error: a limit above 100, and a cursor of another list', async () => {
    const api = await openRollouts();
    for (const query of ['limit=101', 'cursor=abc', 'status=running'])
      expect((await api.send('GET', `${list}?${query}`)).error.code, query).toBe('validation_error');
  });
});
