import { eventEntries, events } from '../../lib/events/store/events.ts';
import { kind, sha256, ulid } from './kind.ts';

const id = `evt_${ulid}`;
const ttl = 1_774_949_400;

export const eventKinds = [
  kind(events, {
    parents: [],
    isUnstamped: true,
    about: 'an event',
    removed: '30 days after the event',
    item: {
      id,
      type: 'avatar.deleted',
      resourceId: `avtr_${ulid}`,
      projectId: `proj_${ulid}`,
      data: JSON.stringify({ id: `avtr_${ulid}` }),
      ttl,
    },
  }),
  kind(eventEntries, {
    parents: ['type', 'avatar.deleted'],
    isUnstamped: true,
    about: 'it has this value',
    tenantText: 'org_…#live#by#<filter>#<SHA-256 of the value>',
    varies: ['type', sha256],
    removed: 'as the event',
    item: { id, ttl },
  }),
];
