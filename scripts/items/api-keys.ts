import { apiKeys } from '../../lib/api-keys/store.ts';
import { refusals } from '../../lib/audit/store/refusals.ts';
import { deletedOrganisations, deletedTenant, organisations } from '../../lib/organisations/store.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

/** The SHA-256 of an id, in hex. */
const sha256Hex = '0b2f4d9c7c1f4f0d8f7b6a5e4d3c2b1a0f9e8d7c6b5a49382716f5e4d3c2b1a0';

export const apiKeyKinds = [
  kind(organisations, {
    writer: 'bootstrap',
    parents: [],
    tenant: `org_${ulid}`,
    through: 'script:bootstrap',
    optional: ['suspendedAt', 'suspensions', 'deletionBeganAt'],
    item: {
      id: `org_${ulid}`,
      name: 'Acme',
      createdAt: exampleTime,
      suspendedAt: '2026-05-30T09:30:00.000Z',
      suspensions: [{ from: '2026-04-30T09:30:00.000Z', until: '2026-05-01T09:30:00.000Z' }],
      deletionBeganAt: '2026-06-30T09:30:00.000Z',
    },
  }),
  kind(deletedOrganisations, {
    parents: [],
    tenant: deletedTenant,
    about: 'a deleted organisation, so that a restore does not bring it back',
    idText: 'SHA-256 of its id',
    writer: 'operator',
    item: { id: sha256Hex, deletionBeganAt: exampleTime },
  }),
  kind(apiKeys, {
    parents: [],
    through: 'api-keys.create',
    removed: '90 days after revocation or expiry, and shown for 30',
    optional: [
      'allowedCidrs',
      'rateLimit',
      'limitedBy',
      'childrenRevocation',
      'previousSecret',
      'rotatedAt',
      'lastUsedFrom',
      'ttl',
    ],
    item: {
      id: `key_${ulid}`,
      name: 'nightly report',
      scopes: ['projects:read'],
      projectIds: [`proj_${ulid}`],
      allowedCidrs: ['203.0.113.0/24'],
      rateLimit: { requests: 100, per: '1m' },
      limitedBy: [{ keyId: `key_${ulid}`, rateLimit: { requests: 1000, per: '1m' } }],
      mode: 'live',
      hint: 'sk_live_…x7Qd',
      secretHash: sha256,
      rotatedAt: exampleTime,
      previousSecret: { hash: sha256, expiresAt: '2026-03-02T09:30:00.000Z' },
      createdBy: `key_${ulid}`,
      createdAt: exampleTime,
      expiresAt: '2026-05-30T09:30:00.000Z',
      revokedAt: null,
      lastUsedAt: exampleTime,
      lastUsedFrom: '203.0.113.7',
      childrenRevocation: {
        requestedAt: exampleTime,
        scopes: ['api-keys:write', 'projects:write'],
        projectIds: null,
        finishedAt: null,
        revoked: 0,
        skipped: 0,
        webhookIds: [`whk_${ulid}`],
      },
      ttl: 1_787_909_400,
    },
  }),
  kind(refusals, {
    parents: [],
    removed: '2 days after the refusal',
    about: 'a refused request, for the audit log',
    varies: ['key_revoked', '2026-03-01T09'],
    idText: '<credential>#<reason>#<hour>',
    item: {
      id: `key_${ulid}#key_revoked#2026-03-01T09`,
      reason: 'key_revoked',
      action: 'projects.list',
      resourceType: 'api_key',
      resourceId: `key_${ulid}`,
      requestId: '7f1c5d0e-6a39-4f0b-9c55-0d1f5a3f8f10',
      address: '203.0.113.7',
      userAgent: 'curl/8.14.1',
      ttl: 1_772_530_200,
    },
  }),
];
