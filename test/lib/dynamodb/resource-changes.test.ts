/** Changes of items in, changes of resources out. */

import { expect, test } from 'vitest';
import { putGone } from '../../../lib/dynamodb/commit.ts';
import { resourceChanges, tracedChange } from '../../../lib/dynamodb/resource-changes.ts';
import { type Resource, resourceAt, tracedAt } from '../../../lib/dynamodb/resources.ts';
import type { Write } from '../../../lib/dynamodb/write.ts';

const tenant = 'org_1#live';
const stamp = (call: string) => ({ changedBy: 'key_1', changedThrough: 'a.b', changedIn: `call_${call}` });
const project = { tenant, id: 'proj_1', ...stamp('1') };
const deleted = { ...project, tenant: `${tenant}#deleted`, ...stamp('2') };
const gone = { tenant: `${tenant}#gone`, id: 'proj_1', ttl: 1, ...stamp('3') };
const change = (before?: typeof project, after?: typeof project) =>
  ({ table: 'projects', before, after }) as const;
const about = { table: 'projects', home: tenant, id: 'proj_1' };

test('a new, a changed and a deleted resource are one change each', () => {
  const changed = { ...project, ...stamp('2') };
  expect(resourceChanges([change(undefined, project)])).toEqual([
    { ...about, ...stamp('1'), before: undefined, after: project },
  ]);
  expect(resourceChanges([change(project, changed)])).toEqual([
    { ...about, ...stamp('2'), before: project, after: changed },
  ]);
  expect(resourceChanges([change(changed, undefined), change(undefined, gone)])).toEqual([
    { ...about, ...stamp('3'), before: changed, after: undefined },
  ]);
});

test('a move between partitions is one change, in any order, even if a batch has only a part of it', () => {
  const moved = { ...about, ...stamp('2'), before: project, after: deleted };
  const [removal, put] = [change(project, undefined), change(undefined, deleted)];
  expect(resourceChanges([removal, put])).toEqual([moved]);
  expect(resourceChanges([put, removal])).toEqual([moved]);
  expect(resourceChanges([put])).toEqual([{ ...moved, before: undefined }]);
  expect(resourceChanges([removal])).toEqual([]);
});

test('helper items, expiry, unchanged stamps and repetitions are no changes', () => {
  const helper = { ...project, tenant: `${tenant}#purges` };
  expect(resourceChanges([change(undefined, helper)])).toEqual([]);
  expect(resourceChanges([change(project, undefined), change(gone, undefined)])).toEqual([]);
  expect(resourceChanges([change({ ...project, lastUsedAt: 'x' } as typeof project, project)])).toEqual([]);
  expect(resourceChanges([change(undefined, project), change(undefined, project)])).toHaveLength(1);
});

test('the address is there if there is one', () => {
  const [found] = resourceChanges([change(undefined, { ...project, changedFrom: '198.51.100.1' } as never)]);
  expect(found).toMatchObject({ changedFrom: '198.51.100.1' });
});

test.each<[string, string, string, Resource['place'] | undefined]>([
  ['organisations', 'org_1', 'org_1', ''],
  ['projects', 'org_1#live#purges', 'proj_1', undefined],
  ['knowledge', 'org_1#live#proj_1', 'kdoc_1', ''],
  ['knowledge', 'org_1#live#proj_1#content', 'kdoc_1', undefined],
  ['deployments', 'org_1#live#proj_1', 'dep_1', ''],
  ['deployments', 'org_1#live#proj_1#environments', 'production', 'environments'],
  ['deployments', 'org_1#live#proj_1#gone', 'production', 'gone'],
  ['conversations', 'org_1#live#proj_1#by#tag#gone', 'conv_1', undefined],
  ['conversations', 'org_1#live#proj_1#erased', 'conv_1', undefined],
  ['messages', 'org_1#live#proj_1#conv_1', '0000000001', undefined],
  ['idempotency', 'org_1#live', 'proj_1', undefined],
])('%s: %s %s', (table, place, id, expected) => {
  expect(resourceAt(table as 'projects', { tenant: place, id })?.place).toBe(expected);
});

test.each<[string, string, string, Resource['place'] | undefined]>([
  ['jobs', 'org_1#live#proj_1#uploads', 'upl_1', 'uploads'],
  ['jobs', 'org_1#live#proj_1#uploads#places', '07', undefined],
  ['jobs', 'org_1#live#proj_1', 'job_1', undefined],
  ['deliveries', 'org_1#live#whk_1', 'dlv_1', 'whk_1'],
  ['deliveries', 'org_1#live#whk_1#extra', 'dlv_1', undefined],
  ['deliveries', 'org_1#live#proj_1#places', 'conv_1#dlv_1', undefined],
  ['deliveries', 'org_1#live', 'dlv_1', undefined],
  ['projects', 'org_1#live', 'proj_1', undefined],
])('%s: %s %s is traced or not', (table, place, id, expected) => {
  expect(tracedAt(table as 'projects', { tenant: place, id })?.place).toBe(expected);
});

test('a traced helper is changed by a request, and not by a worker or an expiry', () => {
  const table = 'deliveries';
  const asked = { tenant: `${tenant}#whk_1`, id: 'dlv_1', ...stamp('1'), changedRequest: 'r' };
  const sent = { tenant: asked.tenant, id: 'dlv_1', changedBy: 'worker:webhook-sender', changedIn: 'call_2' };
  const found = { table, home: tenant, id: 'dlv_1', ...stamp('1'), changedRequest: 'r' };
  expect(tracedChange({ table, before: undefined, after: asked })).toEqual({
    ...found,
    before: undefined,
    after: asked,
  });
  expect(tracedChange({ table, before: sent, after: asked })).toEqual({
    ...found,
    before: sent,
    after: asked,
  });
  expect(tracedChange({ table, before: asked, after: sent })).toBeUndefined();
  expect(tracedChange({ table, before: asked, after: asked })).toBeUndefined();
  expect(tracedChange({ table, before: asked, after: undefined })).toBeUndefined();
  expect(resourceChanges([{ table, before: undefined, after: asked }])).toEqual([]);
});

const written = (place: string, id: string) =>
  ({
    table: 'projects',
    key: { tenant: tenant + place, id },
    condition: { kind: 'any' },
    onConditionFailed: 'retry',
  }) as const;
const put = (place: string, id = 'proj_1'): Write => ({
  action: 'PutItem',
  attributes: {},
  ...written(place, id),
});
const remove = (place: string): Write => ({ action: 'DeleteItem', ...written(place, 'proj_1') });

test('a removal leaves one tombstone, unless the resource is put elsewhere', () => {
  const author = { nowMs: 1500 };
  expect(putGone([put('')], author)).toEqual([]);
  expect(putGone([remove(''), put('#deleted')], author)).toEqual([]);
  expect(putGone([remove('#purges')], author)).toEqual([]);
  const tombstones = putGone([remove(''), remove('#deleted')], author);
  expect(tombstones).toMatchObject([
    { key: { tenant: `${tenant}#gone`, id: 'proj_1' }, attributes: { ttl: 2 + 7 * 24 * 3600 } },
  ]);
  expect(putGone([remove(''), put('#deleted', 'proj_2')], author)).toHaveLength(1);
});
