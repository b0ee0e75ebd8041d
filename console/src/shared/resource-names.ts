/** The names of resources for pages that have only ids. Each name is read once in a session, and few at the same time. */

import { type Signal, signal } from '@preact/signals';
import type { Scope } from '../../../lib/base/scopes.ts';
import { can, onSignOut, platform } from '../session/session.ts';
import { labelOf } from './deployment-name.tsx';

type Kind = { scope: Scope; read: (id: string, project: string) => PromiseLike<string> };

/** The kinds of resources, by the prefix of their ids. */
const kinds: Readonly<Record<string, Kind>> = {
  key: { scope: 'api-keys:read', read: async (id) => (await platform().apiKeys.get(id)).name },
  whk: {
    scope: 'webhooks:read',
    async read(id) {
      const { description, url } = await platform().webhooks.get(id);
      return description ?? url;
    },
  },
  kdoc: {
    scope: 'knowledge:read',
    read: async (id, project) => (await platform().projects(project).knowledge.documents.get(id)).title,
  },
  src: {
    scope: 'knowledge:read',
    read: async (id, project) => (await platform().projects(project).knowledge.sources.get(id)).url,
  },
  dep: {
    scope: 'deploy:read',
    read: async (id, project) => labelOf(await platform().projects(project).deployments.get(id)),
  },
};

type Name = Signal<string | undefined>;
const names = new Map<string, Name>();
const queue: (() => Promise<void>)[] = [];
onSignOut(() => {
  names.clear();
  queue.length = 0;
});

const maxAtOnce = 4;
let running = 0;

async function work(): Promise<void> {
  if (running >= maxAtOnce) return;
  running += 1;
  for (let next = queue.shift(); next; next = queue.shift()) await next();
  running -= 1;
}

/**
 * @param project the project of the resource; null for a resource of the organisation
 * @returns the name; undefined until it is read, and for a resource that the credential cannot read
 */
export function resourceName(id: string, project: string | null = null): string | undefined {
  const storedName = names.get(id);
  if (storedName) return storedName.value;
  const kind = kinds[id.split('_')[0] ?? ''];
  const name: Name = signal(undefined);
  if (!kind || !can(kind.scope)) return undefined;
  names.set(id, name);
  queue.push(async () => {
    try {
      name.value = await kind.read(id, project ?? '');
    } catch {
      // The resource is gone, or belongs to another creator: the id says enough.
    }
  });
  void work();
  return name.value;
}
