import { expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { statedEvents, statedOf, wasChangedAs } from '../../../lib/audit/stated.ts';

test('the stamp decides, whatever the endpoint is called', () => {
  const item = { changedThrough: 'projects.restore', changedAs: 'deployment.rolled_back' };
  expect(wasChangedAs({ changedThrough: 'projects.restore' }, 'project.restored')).toBe(false);
  expect(wasChangedAs(item, 'project.restored')).toBe(false);
  expect(wasChangedAs({ changedAs: 'project.restored', changedThrough: 'x' }, 'project.restored')).toBe(true);
});

test('an endpoint states one event at most, and each event is stated by one', () => {
  const stated = endpoints.flatMap(({ causes }) => statedOf(causes) ?? []);
  expect(stated.sort()).toEqual([...statedEvents].sort());
});
