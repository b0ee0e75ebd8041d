import { expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { statedEvents, statedOf, wasChangedAs } from '../../../lib/audit/stated.ts';

test('what was changed before there was the stamp is told by its endpoint', () => {
  expect(wasChangedAs({ changedThrough: 'projects.restore' }, 'project.restored')).toBe(true);
  expect(wasChangedAs({ changedThrough: 'deployments.rollback' }, 'deployment.rolled_back')).toBe(true);
  expect(wasChangedAs({ changedThrough: 'projects.update' }, 'project.restored')).toBe(false);
  expect(wasChangedAs({}, 'project.restored')).toBe(false);
});

test('the stamp decides, whatever the endpoint is called', () => {
  const item = { changedThrough: 'projects.restore', changedAs: 'deployment.rolled_back' };
  expect(wasChangedAs(item, 'project.restored')).toBe(false);
  expect(wasChangedAs({ changedAs: 'project.restored', changedThrough: 'x' }, 'project.restored')).toBe(true);
});

test('an endpoint states one event at most, and each event is stated by one', () => {
  const stated = endpoints.flatMap(({ causes }) => statedOf(causes) ?? []);
  expect(stated.sort()).toEqual([...statedEvents].sort());
});
