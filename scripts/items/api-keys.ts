import { apiKeys } from '../../lib/api-keys/store.ts';
import { organisations } from '../../lib/organisations/store.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

export const apiKeyKinds = [
  kind(organisations, {
    writer: 'bootstrap',
    parents: [],
    tenant: `org_${ulid}`,
    through: 'script:bootstrap',
    item: { id: `org_${ulid}`, name: 'Acme', createdAt: exampleTime },
  }),
  kind(apiKeys, {
    parents: [],
    through: 'api-keys.create',
    removed: '90 days after revocation or expiry, and shown for 30',
    optional: ['ttl'],
    item: {
      id: `key_${ulid}`,
      name: 'nightly report',
      scopes: ['projects:read'],
      projectIds: [`proj_${ulid}`],
      mode: 'live',
      hint: 'sk_live_…x7Qd',
      secretHash: sha256,
      createdBy: `key_${ulid}`,
      createdAt: exampleTime,
      expiresAt: '2026-05-30T09:30:00.000Z',
      revokedAt: null,
      lastUsedAt: exampleTime,
      ttl: 1_787_909_400,
    },
  }),
];
