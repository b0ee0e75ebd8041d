import * as z from 'zod';
import { allScopes, type Scope } from '../base/scopes.ts';
import { dayMs, parseDurationMs } from '../base/time.ts';
import { rateLimit } from '../limits/schema/usage.ts';
import { flag, id, mode, shownCredential, shownTime } from '../schema/common.ts';
import { environmentName } from '../schema/names.ts';
import { name } from '../schema/text.ts';
import { isCidr } from './addresses.ts';

export const maxLifetimeMs = 365 * dayMs;
export const defaultLifetimeMs = 90 * dayMs;

export const apiKeyName = name(100).meta({ description: 'A display name.', example: 'ci' });

export const scope = z.enum(allScopes as [Scope, ...Scope[]]).meta({
  id: 'Scope',
  description: '`<resource>:<permission>`; `write` includes `read`.',
  example: 'projects:read',
});

export const apiKeyScopes = z
  .array(scope)
  .min(1, 'must have at least one scope')
  .max(50, 'must have at most 50 scopes')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must not repeat a scope')
  .meta({ description: 'The permissions of the key.', uniqueItems: true, example: ['projects:read'] });

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

export const maxEnvironments = 20;

/** The environments do not have to exist, because a first deployment creates them. */
export const boundEnvironments = z
  .array(environmentName)
  .min(1, 'must have at least one environment, or be left out')
  .max(maxEnvironments, `must have at most ${maxEnvironments} environments`)
  .refine((names) => new Set(names).size === names.length, 'must not repeat an environment')
  .meta({
    description:
      'The environments that the key can access, by name, in each of its projects. Conversations follow their deployment. ' +
      'Default: all environments, or those of the creating credential. They cannot be changed.',
    uniqueItems: true,
    example: ['staging'],
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
      'The addresses from which the key may be used, as CIDR blocks of IPv4 or IPv6; the bits behind the prefix are ' +
      'ignored. From other addresses, the key is treated as unknown. Default: everywhere, or the addresses of the ' +
      'creating credential.',
    uniqueItems: true,
  });

export const apiKeyStatus = z.enum(['active', 'revoked', 'expired']).meta({
  id: 'ApiKeyStatus',
  description: 'Whether the key is accepted: only an `active` key is accepted.',
  example: 'active',
});

export const ChildrenRevocation = z
  .object({
    requestedAt: shownTime().meta({ description: 'When it was last requested.' }),
    finishedAt: shownTime().nullable().meta({ description: 'When it ended. Null while it runs.' }),
    revoked: z.int().meta({
      description: 'How many keys it has revoked, and how many workload identities it has deleted.',
      example: 3,
    }),
    skipped: z.int().meta({
      description:
        'How many keys and identities stay active, because they have a scope that the caller does not have.',
      example: 0,
    }),
    webhookIds: z
      .array(id('webhook'))
      .max(50)
      .meta({
        description:
          'The webhooks that are disabled (`key_revoked`), because this credential or an ended credential below it had set ' +
          'their URL, content or secret. If this credential is bound to projects, the list has only the webhooks of its projects.',
        uniqueItems: true,
      }),
  })
  .meta({
    id: 'ChildrenRevocation',
    description:
      'The end of the keys and workload identities that a credential created, and of those that they created.',
  });

export const ApiKey = z
  .object({
    id: id('apiKey'),
    name: apiKeyName,
    scopes: apiKeyScopes,
    projectIds: apiKeyProjectIds
      .nullable()
      .meta({ description: 'The projects that the key can access. Null for all projects.' }),
    environments: boundEnvironments
      .nullable()
      .meta({ description: 'The environments that the key can access. Null for all environments.' }),
    allowedCidrs: allowedCidrs
      .nullable()
      .meta({ description: 'The addresses from which the key may be used. Null for everywhere.' }),
    rateLimit: rateLimit.nullable().meta({
      description:
        'The limit of the key. Null if the key has no limit of its own. Its requests also count in the limits of the ' +
        'keys above it.',
    }),
    mode: mode.meta({ description: 'Whether the key accesses live or test data. They are separate.' }),
    hint: z
      .string()
      .meta({ description: 'The first and last characters of the secret.', example: 'sk_live_…x7Qf' }),
    status: apiKeyStatus,
    createdAt: shownTime().meta({ description: 'When the key was created.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token. `bootstrap` for a root key.',
    }),
    expiresAt: shownTime()
      .nullable()
      .meta({ description: 'When the key expires. Null for a root key, which does not expire.' }),
    revokedAt: shownTime().nullable().meta({ description: 'When it was revoked. Null if it was not.' }),
    childrenRevocation: ChildrenRevocation.nullable().meta({
      description:
        'The revocation of the keys and identities that this key created, and of their webhooks. Null if nobody requested it.',
    }),
    previousSecretExpiresAt: shownTime().nullable().meta({
      description: 'The end of the secret from before the last rotation. Null if there is no such secret.',
    }),
    lastUsedAt: shownTime()
      .nullable()
      .meta({ description: 'When the key was last used, accurate to the hour. Null if it was not used.' }),
    lastUsedFrom: z.string().nullable().meta({
      description:
        'The address of the request at `lastUsedAt`, as the gateway saw it. Null if there is no address.',
      example: '203.0.113.7',
    }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

export type ApiKey = z.infer<typeof ApiKey>;

/** The resources that a key or a workload identity has started, in the response to its end. */
export const started = {
  webhooks: z.int().meta({
    description:
      'The number of enabled webhooks whose URL, content or secret the credential has set. They stay on, unless the ' +
      'request has `children=true`. With `dryRun=true` and `children=true`, the number includes the webhooks of the ' +
      'credentials below it. A caller that is bound to projects counts only webhooks of these projects.',
    example: 1,
  }),
  children: z
    .int()
    .nullable()
    .meta({
      description:
        'The number of active keys and workload identities below it that the caller may end, among the 1000 that were created ' +
        'after it. Null without `dryRun=true`.',
      example: null,
    }),
  sources: z
    .int()
    .nullable()
    .meta({
      description:
        'The number of sources of documents that act on behalf of the credential and are not paused. `children=true` pauses ' +
        'them. With `children=true`, the number includes the sources of the credentials below it. At most 100 sources of each ' +
        'credential count. A caller that is bound to projects counts only sources of these projects. Null without `dryRun=true`.',
      example: null,
    }),
  evaluators: z
    .int()
    .nullable()
    .meta({
      description:
        'The number of evaluators that score conversations by themselves on behalf of the credential. `children=true` pauses ' +
        'them. They are counted as `sources` are. Null without `dryRun=true`.',
      example: null,
    }),
  rollouts: z
    .int()
    .nullable()
    .meta({
      description:
        'The number of rollouts that act on behalf of the credential, have not ended and are not paused. `children=true` pauses ' +
        'them. They are counted as `sources` are. Null without `dryRun=true`.',
      example: null,
    }),
};

/** The query of a request that ends a key or a workload identity. */
export const endQuery = {
  children: flag().meta({
    description:
      'Whether the keys and workload identities below it end too (those that it created, and those that they created), their ' +
      'webhooks are disabled, and their sources, evaluators and rollouts paused. Default: false.',
  }),
  force: flag().meta({
    description: 'Whether to end it even if no key is left that can create keys. Default: false.',
  }),
  dryRun: flag().meta({
    description: 'Whether to only show the effects, without any change. Default: false.',
  }),
};

export const RevokedApiKey = ApiKey.extend(started).meta({
  id: 'RevokedApiKey',
  description: 'An API key, and the resources that it created or set.',
});

export const ApiKeyWithSecret = ApiKey.extend({
  secret: z.string().meta({
    description: 'The key itself. Only this response shows it; the service stores only its hash.',
    example: 'sk_live_01JZ4Y7Q8R5T2V9W3X6B0C1D4E…',
  }),
}).meta({ id: 'ApiKeyWithSecret', description: 'A new API key, with its secret.' });
