import { describe, expect, test } from 'vitest';
import { idsOf, openProject, type ProjectApi } from '../../support/avatars.ts';
import { responds } from '../../support/responses.ts';

async function withAvatars(names: readonly string[]) {
  const api = await openProject();
  const ids: string[] = [];
  for (const name of names) ids.unshift((await api.createAvatar({ name })).id);
  return { ...api, ids };
}

const listed = async ({ send }: Pick<ProjectApi, 'send'>, query: string) =>
  idsOf((await send('GET', `/avatars?${query}`)).data);

describe('avatars.list', () => {
  responds(200, 'newest first, page by page, with no versions among them', async () => {
    const api = await withAvatars(['a', 'b', 'c']);
    await api.send('PATCH', `/avatars/${api.ids[0]}`, { name: 'd' });
    const first = await api.send('GET', '/avatars?limit=2');
    expect(idsOf(first.data)).toEqual(api.ids.slice(0, 2));
    const second = await api.send('GET', `/avatars?limit=2&cursor=${first.data.nextCursor}`);
    expect(idsOf(second.data)).toEqual(api.ids.slice(2));
    expect(second.data.nextCursor).toBeNull();
    return first;
  });

  test("another project's avatars are not in it", async () => {
    const { call, createProject } = await withAvatars(['a']);
    const { data } = await call('GET', `/projects/${await createProject()}/avatars`);
    expect(data.items).toEqual([]);
  });

  test('filters by status', async () => {
    const api = await withAvatars(['a', 'b', 'c']);
    await api.send('PATCH', `/avatars/${api.ids[1]}`, { status: 'archived' });
    expect(await listed(api, 'status=archived')).toEqual([api.ids[1]]);
    expect(await listed(api, 'status=active')).toEqual([api.ids[0], api.ids[2]]);
  });

  test('filters by how the name begins, whatever its case and its form of Unicode', async () => {
    const api = await withAvatars(['Ada', 'ADAM', 'Eve', 'E\u0301va', 'an Ada']);
    const [, eva, eve, adam, ada] = api.ids;
    expect(await listed(api, 'namePrefix=ada')).toEqual([adam, ada]);
    expect(await listed(api, 'namePrefix=AdA')).toEqual([adam, ada]);
    expect(await listed(api, 'namePrefix=Ev')).toEqual([eve]);
    expect(await listed(api, `namePrefix=${encodeURIComponent('é')}`)).toEqual([eva]);
    expect(await listed(api, 'namePrefix=ada&status=archived')).toEqual([]);
    expect(await listed(api, 'namePrefix=%25')).toEqual([]);
  });

  test('filters by time of creation, neither end included', async () => {
    const api = await openProject();
    const made: { id: string; createdAt: unknown }[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id, createdAt } = await api.createAvatar();
      made.push({ id, createdAt });
      api.advance(1000);
    }
    const [oldest, middle, newest] = made;
    expect(await listed(api, `createdAfter=${middle?.createdAt}`)).toEqual([newest?.id]);
    expect(await listed(api, `createdFrom=${middle?.createdAt}`)).toEqual([newest?.id, middle?.id]);
    expect(await listed(api, `createdBefore=${middle?.createdAt}`)).toEqual([oldest?.id]);
    expect(await listed(api, `createdAfter=${oldest?.createdAt}&createdBefore=${newest?.createdAt}`)).toEqual(
      [middle?.id],
    );
  });

  test.each(['status=deleted', 'namePrefix=', 'createdAfter=yesterday', 'name=Ada', 'limit=0'])(
    '400 validation_error: ?%s',
    async (query) => {
      const { send } = await openProject();
      const { error } = await send('GET', `/avatars?${query}`);
      expect(error.details?.map(({ path }) => path)).toEqual([query.split('=')[0]]);
    },
  );

  test("a cursor is worth nothing in another project's list", async () => {
    const api = await withAvatars(['a', 'b']);
    const { data } = await api.send('GET', '/avatars?limit=1');
    const other = await api.createProject();
    const response = await api.call('GET', `/projects/${other}/avatars?limit=1&cursor=${data.nextCursor}`);
    expect(response.error.code).toBe('validation_error');
  });
});
