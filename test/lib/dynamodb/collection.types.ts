/** Code that must not compile. `npm run check` type-checks this file and fails if an expected error is missing. */

import * as z from 'zod';
import { projectCollection, type Stored, tenantCollection } from '../../../lib/dynamodb/collection.ts';
import { load } from '../../../lib/dynamodb/load.ts';
import type { ProjectStore, Store } from '../../../lib/dynamodb/store.ts';
import { defineEndpoint, optional } from '../../../lib/http/endpoint.ts';

declare const store: ProjectStore;
declare const tenantStore: Store;

type StoredThing = Stored<{ id: string; name: string; count: number; ttl?: number }>;
const things = projectCollection<StoredThing, [parentId: string]>('avatars', (parentId) => [parentId]);
const tops = tenantCollection<StoredThing>('projects');
const thing = { id: 'a', name: 'b', count: 1 };

things.at(store, 'parent').put(thing);
things.at(store, 'parent').put({ ...thing, ttl: 1 });
tops.at(tenantStore).update('a', { name: 'c' }, { condition: { kind: 'present' }, add: { count: 1 } });
tops.at(tenantStore).update('a', {}, { condition: { kind: 'lacks', attribute: 'ttl' }, drop: ['ttl'] });
/** An item that was read can be put back. */
export const putBack = (read: StoredThing) => tops.at(tenantStore).put({ ...read, name: 'c' });

// @ts-expect-error an attribute is missing
tops.at(tenantStore).put({ id: 'a', name: 'b' });

// @ts-expect-error an attribute is undefined
tops.at(tenantStore).put({ ...thing, ttl: undefined });

// @ts-expect-error an unknown attribute
tops.at(tenantStore).put({ ...thing, colour: 'red' });

const coloured = { ...thing, colour: 'red' };
// @ts-expect-error an unknown attribute that comes from elsewhere
tops.at(tenantStore).put(coloured);

// @ts-expect-error an attribute of another type
tops.at(tenantStore).update('a', { count: 'many' }, { condition: { kind: 'present' } });

// @ts-expect-error an unknown attribute
tops.at(tenantStore).update('a', { colour: 'red' }, { condition: { kind: 'present' } });

// @ts-expect-error an attribute that every item has
tops.at(tenantStore).update('a', {}, { condition: { kind: 'present' }, drop: ['name'] });

// @ts-expect-error an attribute that is no number
tops.at(tenantStore).update('a', {}, { condition: { kind: 'present' }, add: { name: 1 } });

// @ts-expect-error a condition on an unknown attribute
tops.at(tenantStore).remove('a', { condition: { kind: 'lacks', attribute: 'colour' } });

// @ts-expect-error a parent is missing
things.at(store);

// @ts-expect-error a store that is bound to no project
things.at(tenantStore, 'parent');

const common = {
  id: 'things.get',
  method: 'GET',
  path: '/projects/{project_id}/things/{thing_id}',
  summary: 'Get a thing',
  description: 'For the type checker.',
  auth: 'projects:read',
  request: { params: z.strictObject({ project_id: z.string(), thing_id: z.string() }) },
  responses: { 200: z.object({ id: z.string() }) },
} as const;
const thingInPath = load({
  from: [things],
  read: (get, { thing_id }: { thing_id: string }) => get(things, thing_id, 'parent'),
});

defineEndpoint({
  ...common,
  project: 'existing',
  loads: { thing: thingInPath },
  handle: async ({ loaded }) => ({ status: 200, data: loaded.thing }),
});

defineEndpoint({
  ...common,
  loads: { thing: optional(thingInPath) },
  // @ts-expect-error an item that may not be there
  handle: async ({ loaded }) => ({ status: 200, data: loaded.thing }),
});

defineEndpoint({
  ...common,
  loads: { thing: thingInPath },
  // @ts-expect-error an item that is not loaded
  handle: async ({ loaded }) => ({ status: 200, data: loaded.other }),
});

defineEndpoint({
  ...common,
  request: { params: z.strictObject({ project_id: z.string() }) },
  // @ts-expect-error an item that the path does not name
  loads: { thing: thingInPath },
  handle: async () => ({ status: 200, data: { id: 'a' } }),
});

defineEndpoint({
  ...common,
  loads: {
    // @ts-expect-error a load that needs the project, for an endpoint that declares none
    thing: load({
      from: [things],
      read: (get, { thing_id }: { thing_id: string }) => get(things, thing_id, 'parent'),
      find: (found, { project }: { project: { id: string } }) =>
        project.id === found?.id ? found : undefined,
    }),
  },
  handle: async () => ({ status: 200, data: { id: 'a' } }),
});
