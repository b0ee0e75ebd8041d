/** The tombstones of deleted resources. lib/dynamodb/commit.ts writes them, in the tables of the resources. */

import { projectCollection, tenantCollection } from '../../lib/dynamodb/collection.ts';
import type { GoneResource } from '../../lib/dynamodb/gone.ts';
import { gonePlace } from '../../lib/dynamodb/resources.ts';
import { kind, ulid } from './kind.ts';

const place = () => [gonePlace];
const described = {
  parents: [],
  removed: '7 days after the deletion',
  about: 'the tombstone of a deleted resource',
} as const;
const ttl = 1_772_962_200;

export const goneKinds = [
  kind(tenantCollection<GoneResource>('projects', place), {
    ...described,
    through: 'worker:project-purger',
    item: { id: `proj_${ulid}`, ttl },
  }),
  kind(projectCollection<GoneResource>('knowledge', place), {
    ...described,
    through: 'knowledge.documents.delete',
    item: { id: `kdoc_${ulid}`, ttl },
  }),
  kind(projectCollection<GoneResource>('avatars', place), {
    ...described,
    through: 'avatars.delete',
    item: { id: `avtr_${ulid}`, ttl },
  }),
  kind(projectCollection<GoneResource>('conversations', place), {
    ...described,
    through: 'conversations.delete',
    item: { id: `conv_${ulid}`, ttl },
  }),
  kind(tenantCollection<GoneResource>('webhooks', place), {
    ...described,
    through: 'webhooks.delete',
    item: { id: `whk_${ulid}`, ttl },
  }),
];
