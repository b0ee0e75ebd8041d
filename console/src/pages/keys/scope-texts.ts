/** The meanings of scopes, for people who choose them. */

import { type ScopeResource, scopeResources } from '../../../../lib/base/scopes.ts';

/** `write` says what the scope for writing adds to the scope for reading. It is null if no operation needs that scope. */
type Texts = { title: string; read: string; write: string | null };

const texts: Readonly<Record<ScopeResource, Texts>> = {
  projects: {
    title: 'Projects',
    read: 'Sees projects and their settings.',
    write: 'Creates, changes, archives, deletes and restores projects.',
  },
  avatars: {
    title: 'Avatars',
    read: 'Sees avatars with their prompts, and all versions.',
    write: 'Creates, changes and deletes avatars.',
  },
  knowledge: {
    title: 'Knowledge',
    read: 'Reads, searches and exports documents. Sees their jobs.',
    write: 'Uploads, changes and deletes documents. Re-indexes.',
  },
  conversations: {
    title: 'Conversations',
    read: 'Reads, searches and exports transcripts. They may contain personal data.',
    write:
      'Starts, continues and scores conversations. Imports, deletes and erases them. Changes evaluators.',
  },
  deploy: {
    title: 'Deployments',
    read: 'Sees deployments, and what each environment serves.',
    write: 'Deploys, promotes and rolls back.',
  },
  'api-keys': {
    title: 'API keys',
    read: 'Sees keys without their secrets.',
    write: 'Creates, changes, rotates and revokes keys. It can grant only what it has.',
  },
  webhooks: {
    title: 'Webhooks',
    read: 'Sees webhooks and their deliveries.',
    write: 'Creates, changes, tests and deletes webhooks. Sends deliveries again.',
  },
  events: {
    title: 'Events',
    read: 'Sees the events of what its other scopes can read.',
    write: null,
  },
  audit: {
    title: 'Audit log',
    read: 'Sees who changed what. Exports the log.',
    write: null,
  },
};

export type ScopeText = Texts & { resource: ScopeResource };

/** The texts of all resources. The scopes that people choose most are first. */
export const scopeTexts: readonly ScopeText[] = (Object.keys(texts) as ScopeResource[])
  .filter((resource) => resource in scopeResources)
  .map((resource) => ({ resource, ...texts[resource] }));
