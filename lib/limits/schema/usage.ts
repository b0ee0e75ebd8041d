import * as z from 'zod';
import { maxRequests, type Period, periodsMs, type RateLimit } from '../../base/rate-limit.ts';
import { credentialId, mode, shownTime } from '../../schema/common.ts';

const periods = Object.keys(periodsMs) as [Period, ...Period[]];

const maximum = Math.max(...periods.map(maxRequests));

export const rateLimit = z
  .strictObject({
    requests: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .meta({ description: 'The number of requests.', example: 100, maximum }),
    per: z.enum(periods).meta({
      id: 'RateLimitPeriod',
      description: 'The period: a second, a minute or an hour.',
      example: '1m',
    }),
  })
  .refine(({ requests, per }: RateLimit) => requests <= maxRequests(per), {
    path: ['requests'],
    error: 'must be at most 10 000 per second',
  })
  .meta({
    id: 'RateLimit',
    description: 'How many requests pass in a second, a minute or an hour: at most 10 000 per second.',
  });

const quota = z
  .object({
    limit: z.int().nullable().meta({ description: 'The quota. Null if there is no quota.', example: 10_000 }),
    used: z.int().nullable().meta({
      description:
        'The usage, even without a quota. Null if the usage is not counted, or not shown to this key.',
      example: 1200,
    }),
    countedThrough: shownTime()
      .nullable()
      .meta({
        description:
          'The time up to which the usage is counted. With a quota, the usage is exact, and this is the time of the ' +
          'request. Without a quota, this is the time of the latest counted change, and a change is usually counted ' +
          'within seconds. Null if no change is counted yet.',
      }),
    resetsAt: shownTime()
      .nullable()
      .meta({ description: 'When the count starts again. Null if the quota is not per day.' }),
  })
  .meta({ id: 'Quota', description: 'A quota and its usage.' });

const cost = z
  .object({
    limit: z.number().nullable().meta({ description: 'The quota. Null if there is no quota.', example: 25 }),
    used: z
      .number()
      .nullable()
      .meta({
        description:
          'What is spent, with what is reserved for calls that are under way, even without a quota. Null if it is not shown to ' +
          'this key.',
        example: 3.128405,
      }),
    countedThrough: shownTime().nullable().meta({
      description: 'The time of the request. Null if nothing is shown.',
    }),
    resetsAt: shownTime().meta({ description: 'When the count starts again.' }),
  })
  .meta({ id: 'CostQuota', description: 'A quota of money, and what is spent, in US dollars.' });

export const Usage = z
  .object({
    mode: mode.meta({ description: 'The mode of the credential. Live and test data have separate limits.' }),
    rateLimits: z
      .object({
        key: rateLimit
          .nullable()
          .meta({ description: 'The limit of the calling credential. Null if it has no limit of its own.' }),
        parents: z
          .array(
            z
              .object({
                keyId: credentialId(),
                rateLimit: rateLimit.meta({ description: 'Its limit.' }),
              })
              .meta({
                id: 'UsageParentLimit',
                description: 'The limit of a key or of a workload identity above the calling credential.',
              }),
          )
          .meta({
            description:
              'The limits of the keys and workload identities above the calling credential, the topmost first: its creator, ' +
              'the creator of its creator, and so on. Empty if none of them has a limit.',
            maxItems: 4,
          }),
        organisation: rateLimit.nullable().meta({
          description:
            'The limit of all credentials of the organisation in this mode together. Null if there is no such limit.',
        }),
      })
      .meta({ id: 'UsageRateLimits', description: 'The limits of requests. All apply.' }),
    quotas: z
      .object({
        documents: quota.meta({
          description: 'Contents of documents that are stored per day (UTC): created or replaced.',
        }),
        bytes: quota.meta({
          description: 'Bytes, in UTF-8, of these contents and of the texts of messages, per day.',
        }),
        conversations: quota.meta({ description: 'Conversations that are started per day.' }),
        messages: quota.meta({ description: 'Messages that are added per day.' }),
        jobs: quota.meta({
          description:
            'Re-indexing jobs that are queued or running at the same time. Counted only with a quota.',
        }),
        waits: quota.meta({
          description: 'Requests that wait (`waitSeconds`) at the same time.',
        }),
        modelCostUsd: cost.meta({
          description: 'What evaluations by models cost per day (UTC), in US dollars.',
        }),
      })
      .meta({ id: 'UsageQuotas', description: 'The quotas of the organisation in this mode.' }),
  })
  .meta({
    id: 'Usage',
    description: 'The limits of a credential and of its organisation, and the usage.',
  });
