import { describe, expect, test } from 'vitest';
import { deploy, idsOf, openProject } from '../../support/avatars.ts';
import { responds } from '../../support/responses.ts';

describe('deployments.list', () => {
  responds(200, 'newest first, page by page, with no environments among them', async () => {
    const api = await openProject();
    const made = [await deploy(api), await deploy(api), await deploy(api)].map(({ id }) => id).reverse();
    const first = await api.send('GET', '/deployments?limit=2');
    expect(idsOf(first.data)).toEqual(made.slice(0, 2));
    const second = await api.send('GET', `/deployments?limit=2&cursor=${first.data.nextCursor}`);
    expect([idsOf(second.data), second.data.nextCursor]).toEqual([made.slice(2), null]);
    return first;
  });

  test('filters by environment, phase and commit, also together', async () => {
    const api = await openProject();
    const commit = (sha: string) => ({ git: { sha, ref: 'main' } });
    const a = await deploy(api, commit('abc0001'));
    const b = await deploy(api, { ...commit('abc0002'), environment: 'staging' });
    const c = await deploy(api, commit('def0003'));
    const d = await deploy(api, { ...commit('abc0004'), promote: false });
    const listed = async (query: string) => idsOf((await api.send('GET', `/deployments?${query}`)).data);
    expect(await listed('environment=production')).toEqual([d.id, c.id, a.id]);
    expect(await listed('phase=current')).toEqual([c.id, b.id]);
    expect(await listed('phase=superseded')).toEqual([a.id]);
    expect(await listed('sha=ABC')).toEqual([d.id, b.id, a.id]);
    expect(await listed('sha=abc&environment=production&phase=staged')).toEqual([d.id]);
    expect(await listed('sha=abc00012')).toEqual([]);
    expect(await listed('environment=nowhere')).toEqual([]);
  });

  test.each(['environment=Prod', 'phase=live', 'sha=xyz', 'sha=', 'git=abc'])(
    '400 validation_error: ?%s',
    async (query) => {
      const { send } = await openProject();
      const { error } = await send('GET', `/deployments?${query}`);
      expect(error.details?.map(({ path }) => path)).toEqual([query.split('=')[0]]);
    },
  );
});
