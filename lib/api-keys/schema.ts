import * as z from 'zod';
import { rateLimit } from '../limits/schema.ts';
import { id, shownCredential, shownTime } from '../schema/common.ts';
import { name } from '../schema/text.ts';
import { allScopes, type Scope } from '../scopes.ts';
import { dayMs, parseDurationMs } from '../time.ts';
import { isCidr } from './addresses.ts';

export const maxLifetimeMs = 365 * dayMs;
export const defaultLifetimeMs = 90 * dayMs;

export const apiKeyName = name(100).meta({ description: 'A display name.', example: 'ci' });

const scope = z.enum(allScopes as [Scope, ...Scope[]]).meta({
  id: 'Scope',
  description: '`<resource>:<permission>`; `write` includes `read`.',
  example: 'projects:read',
});

export const apiKeyScopes = z
  .array(scope)
  .min(1, 'must have at least one scope')
  .max(50, 'must have at most 50 scopes')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must not repeat a scope')
  .meta({ description: 'What the key is allowed to do.', uniqueItems: true, example: ['projects:read'] });

export const apiKeyProjectIds = z
  .array(id('project'))
  .min(1, 'must have at least one project, or be left out')
  .max(50, 'must have at most 50 projects')
  .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a project')
  .meta({
    description:
      'The projects that the key can access. Default: all projects, or those of the creating credential.',
    uniqueItems: true,
  });

export const expiresIn = z
  .string()
  .refine((value) => {
    const lifetimeMs = parseDurationMs(value);
    return lifetimeMs !== undefined && lifetimeMs <= maxLifetimeMs;
  }, 'must be a whole number and a unit (h, d or w), such as 12h, 90d or 4w, at most 365d')
  .meta({
    description:
      'The lifetime of the key: a whole number of hours, days or weeks, at most 365 days. Default: `90d`, ' +
      'but not longer than the creating credential is valid.',
    pattern:
      '^(([1-9]\\d{0,2}|[1-7]\\d{3}|8[0-6]\\d{2}|87[0-5]\\d|8760)h|' +
      '([1-9]\\d?|[12]\\d{2}|3[0-5]\\d|36[0-5])d|([1-9]|[1-4]\\d|5[0-2])w)$',
    example: '90d',
  });

const cidr = z
  .string()
  .refine(isCidr, 'must be a block of addresses, such as 203.0.113.0/24 or 2001:db8::/32')
  .meta({ pattern: '^[0-9A-Fa-f.:]{2,39}/(12[0-8]|1[01]\\d|[1-9]?\\d)$', example: '203.0.113.0/24' });

export const allowedCidrs = z
  .array(cidr)
  .min(1, 'must have at least one block, or be left out')
  .max(20, 'must have at most 20 blocks')
  .refine((cidrs) => new Set(cidrs).size === cidrs.length, 'must not repeat a block')
  .meta({
    description:
      'The addresses from which the key may be used, as CIDR blocks of IPv4 or IPv6; the bits behind the ' +
      'prefix are ignored. From other addresses, it is an unknown key. ' +
      'Default: everywhere, or the addresses of the creating credential.',
    uniqueItems: true,
  });

export const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;

export const ApiKey = z
  .object({
    id: id('apiKey'),
    name: apiKeyName,
    scopes: apiKeyScopes,
    projectIds: apiKeyProjectIds.nullable(),
    allowedCidrs: allowedCidrs.nullable(),
    rateLimit: rateLimit.nullable().meta({ description: 'The limit of the key. Null for none of its own.' }),
    mode: z.enum(['live', 'test']).meta({ description: 'Live and test data are separate.' }),
    hint: z
      .string()
      .meta({ description: 'The first and last characters of the secret.', example: 'sk_live_…x7Qf' }),
    status: z.enum(apiKeyStatuses).meta({ example: 'active' }),
    createdAt: shownTime(),
    createdBy: shownCredential(
      'The API key that created it, `sub:` and the subject of an access token, or `bootstrap` for a root ' +
        'key.',
    ),
    expiresAt: shownTime().nullable().meta({ description: 'Null for a root key, which does not expire.' }),
    revokedAt: shownTime().nullable(),
    childrenRevocation: z
      .object({
        requestedAt: shownTime(),
        finishedAt: shownTime().nullable().meta({ description: 'Null while it runs.' }),
        revoked: z.int().meta({ description: 'How many keys it has revoked.', example: 3 }),
        skipped: z.int().meta({
          description: 'How many keys stay active, because they have a scope that the caller does not have.',
          example: 0,
        }),
      })
      .nullable()
      .meta({
        description: 'The revocation of the keys that this key created. Null if nobody requested it.',
      }),
    previousSecretExpiresAt: shownTime().nullable().meta({
      description: 'Until when the secret from before the last rotation is valid. Null if there is none.',
    }),
    lastUsedAt: shownTime().nullable().meta({ description: 'Accurate to the hour.' }),
    lastUsedFrom: z.string().nullable().meta({
      description: 'The address of the request at `lastUsedAt`, as the gateway saw it.',
      example: '203.0.113.7',
    }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyWithSecret = ApiKey.extend({
  secret: z.string().meta({
    description: 'The key itself. Only this response shows it; the service stores only its hash.',
    example: 'sk_live_01JZ4Y7Q8R5T2V9W3X6B0C1D4E…',
  }),
}).meta({ id: 'ApiKeyWithSecret', description: 'A new API key, with its secret.' });
