import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Json, TestApi } from '../../../samples/api.ts';
import { deploy, openProject, type ProjectApi } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

const upload = async ({ send }: ProjectApi, title: string, content: string, tags: string[] = []) =>
  (await send('POST', '/knowledge/documents', { title, content, tags })).data.id as string;

/** @returns the build that is published then: the id of its job */
const reindex = async (api: ProjectApi & Pick<TestApi, 'workOff'>): Promise<string> => {
  const { data } = await api.send('POST', '/knowledge/reindex');
  await api.workOff(api.projectId, data.id as string);
  return data.id as string;
};

/** A project with a deployment, and another one after changes of every kind. */
async function changed() {
  const api = await openProject();
  const [leaves, stays, comes] = [
    await api.createAvatar({ name: 'Leaves' }),
    await api.createAvatar({ name: 'Before' }),
    await api.createAvatar({ name: 'Later' }),
  ];
  await api.send('PATCH', `/avatars/${comes.id}`, { status: 'archived' });
  const same = await upload(api, 'Same', 'unchanged');
  const removed = await upload(api, 'Removed', 'old');
  const edited = await upload(api, 'Edited', 'old', ['a']);
  await reindex(api);
  const first = await deploy(api);
  await api.send('PATCH', `/avatars/${leaves.id}`, { status: 'archived' });
  await api.send('PATCH', `/avatars/${comes.id}`, { status: 'active' });
  await api.send('PATCH', `/avatars/${stays.id}`, { name: 'After', knowledgeTags: ['billing'] });
  await api.send('DELETE', `/knowledge/documents/${removed}`);
  await api.send('PATCH', `/knowledge/documents/${edited}`, { content: 'new', tags: ['b'] });
  const added = await upload(api, 'Added', 'new');
  const build = await reindex(api);
  const second = await deploy(api);
  const changes = async (id: string, query = '') => api.send('GET', `/deployments/${id}/changes?${query}`);
  return { api, leaves, stays, comes, same, removed, edited, added, first, second, build, changes };
}

describe('deployments.changes', () => {
  responds(200, 'the avatars and the documents that differ, with their fields', async () => {
    const { leaves, stays, comes, removed, edited, added, first, second, changes } = await changed();
    const response = await changes(second.id);
    const document = { kind: 'document', from: null, to: null, paths: [] };
    expect(response.data).toEqual({
      since: first.id,
      documents: 'compared',
      nextCursor: null,
      items: [
        {
          kind: 'avatar',
          id: leaves.id,
          name: 'Leaves',
          change: 'removed',
          from: 1,
          to: null,
          fields: [],
          paths: [],
        },
        {
          kind: 'avatar',
          id: stays.id,
          name: 'After',
          change: 'changed',
          from: 1,
          to: 2,
          fields: ['name', 'knowledgeTags'],
          paths: ['name', 'knowledgeTags.0'],
        },
        {
          kind: 'avatar',
          id: comes.id,
          name: 'Later',
          change: 'added',
          from: null,
          to: 3,
          fields: [],
          paths: [],
        },
        { ...document, id: removed, name: 'Removed', change: 'removed', fields: [] },
        { ...document, id: edited, name: 'Edited', change: 'changed', fields: ['tags', 'content'] },
        { ...document, id: added, name: 'Added', change: 'added', fields: [] },
      ],
    });
    return response;
  });

  test('page by page, also from the avatars to the documents', { tags: ['long'] }, async () => {
    const { second, changes } = await changed();
    const all = (await changes(second.id)).data.items as Json[];
    const found: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { data } = await changes(second.id, `limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      found.push(...(data.items as Json[]));
      cursor = data.nextCursor;
    }
    expect(found).toEqual(all);
    expect(found).toHaveLength(6);
  });

  test('without `since`, with the deployment that was served before', { tags: ['long'] }, async () => {
    const { api, first, second, changes } = await changed();
    const since = async (id: string, query = '') => (await changes(id, query)).data.since;
    expect(await since(first.id)).toBeNull();
    expect((await changes(first.id)).data.items).toHaveLength(5);
    const staged = await deploy(api, { promote: false });
    expect(await since(staged.id)).toBe(second.id);
    expect(await since(staged.id, `since=${first.id}`)).toBe(first.id);
    expect((await changes(staged.id)).data).toMatchObject({ items: [], documents: 'same' });
    // The other way round: what a rollback would undo.
    const back = (await changes(first.id, `since=${second.id}`)).data.items as Json[];
    expect(back.map(({ change }) => change)).toEqual([
      'added',
      'changed',
      'removed',
      'added',
      'changed',
      'removed',
    ]);
  });

  test('without knowledge:read, documents have no title', { tags: ['long'] }, async () => {
    const { api, second } = await changed();
    const { secret } = await api.createKey({ scopes: ['deploy:read'] });
    const path = `/projects/${api.projectId}/deployments/${second.id}/changes`;
    const { data } = await api.call('GET', path, { key: secret });
    const names = (data.items as Json[]).map(({ kind, name }) => [kind, name]);
    expect(names.map(([kind]) => kind)).toEqual([
      'avatar',
      'avatar',
      'avatar',
      'document',
      'document',
      'document',
    ]);
    expect(names.filter(([kind]) => kind === 'document').every(([, name]) => name === null)).toBe(true);
  });

  test('an expunged document is not shown, also before a job has removed it', {
    tags: ['long'],
  }, async () => {
    const { api, removed, second, changes } = await changed();
    const { status: accepted } = await api.send('DELETE', `/knowledge/documents/${removed}?expunge=true`);
    expect(accepted).toBeLessThan(300);
    const { status, data } = await changes(second.id);
    expect(status).toBe(200);
    expect(JSON.stringify(data)).not.toContain(removed);
  });

  test('of an index without a list of its documents, the answer says so', { tags: ['long'] }, async () => {
    const { api, build, second, changes } = await changed();
    await api.runtime.client.send(
      new DeleteCommand({
        TableName: api.runtime.tableNames.knowledgeIndexes,
        Key: { tenant: `${api.organisationId}#live#${api.projectId}#build#${build}`, id: 'list' },
      }),
    );
    const { data } = await changes(second.id);
    expect(data.documents).toBe('unknown');
    expect((data.items as Json[]).map(({ kind }) => kind)).toEqual(['avatar', 'avatar', 'avatar']);
  });

  refuses('not_found', 'a deployment of another project in `since`', async () => {
    const api = await openProject();
    const { id } = await deploy(api);
    const other = await openProject(api);
    const foreign = await deploy(other);
    return api.send('GET', `/deployments/${id}/changes?since=${foreign.id}`);
  });
});
