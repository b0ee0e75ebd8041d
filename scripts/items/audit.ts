import { auditEntries, auditEvents, auditOrigins } from '../../lib/audit/store/events.ts';
import { kind, sha256, ulid } from './kind.ts';

const writer = 'worker:audit-writer';
const id = `aud_${ulid}`;
const ttl = 1_803_893_400;

export const auditKinds = [
  kind(auditEvents, {
    writer,
    parents: [],
    about: 'an event',
    removed: '365 days after the event, or as configured',
    item: {
      id,
      actor: { kind: 'key', id: `key_${ulid}`, name: 'ci' },
      action: 'projects.update',
      outcome: 'succeeded',
      reason: null,
      resource: { type: 'project', id: `proj_${ulid}` },
      projectId: `proj_${ulid}`,
      changes: { fields: ['name'], before: { name: 'Support' }, after: { name: 'Sales' }, omitted: [] },
      requestId: '7f1c5d0e-6a39-4f0b-9c55-0d1f5a3f8f10',
      callId: `call_${ulid}`,
      ttl,
    },
  }),
  kind(auditOrigins, {
    writer,
    parents: [],
    about: 'where its request came from',
    removed: '90 days after the event',
    item: { id, address: '203.0.113.7', userAgent: 'curl/8.14.1', ttl: 1_780_133_400 },
  }),
  kind(auditEntries, {
    writer,
    parents: ['actor', `key_${ulid}`],
    about: 'it has this value',
    tenantText: 'org_…#live#by#<filter>#<SHA-256 of the value>',
    varies: ['actor', sha256],
    removed: 'as the event',
    item: { id, ttl },
  }),
];
