import * as z from 'zod';
import { maxRequests, type Period, periodsMs, type RateLimit } from '../rate-limit.ts';
import { shownTime } from '../schema/common.ts';

const periods = Object.keys(periodsMs) as [Period, ...Period[]];

const maximum = Math.max(...periods.map(maxRequests));

export const rateLimit = z
  .strictObject({
    requests: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .meta({ description: 'The number of requests.', example: 100, maximum }),
    per: z.enum(periods).meta({ description: 'One second, one minute or one hour.', example: '1m' }),
  })
  .refine(({ requests, per }: RateLimit) => requests <= maxRequests(per), {
    path: ['requests'],
    error: 'must be at most 10 000 per second',
  })
  .meta({
    id: 'RateLimit',
    description: 'How many requests pass in a second, a minute or an hour: at most 10 000 per second.',
  });

const quota = (description: string) =>
  z
    .object({
      limit: z.int().nullable().meta({ description: 'Null if there is no quota.', example: 10_000 }),
      used: z
        .int()
        .nullable()
        .meta({ description: 'Null if it is not counted, or not shown to this key.', example: 1200 }),
      resetsAt: shownTime().nullable().meta({ description: 'Null if the quota is not per day.' }),
    })
    .meta({ description });

export const Usage = z
  .object({
    mode: z.enum(['live', 'test']).meta({ description: 'Live and test data have separate limits.' }),
    rateLimits: z
      .object({
        key: rateLimit.nullable().meta({ description: 'Of the calling key. Null if it has none.' }),
        organisation: rateLimit.nullable().meta({
          description: 'Of all credentials of the organisation in this mode. Null if there is none.',
        }),
      })
      .meta({ id: 'UsageRateLimits', description: 'The limits of requests. Both apply.' }),
    quotas: z
      .object({
        documents: quota('Contents of documents that are stored per day (UTC): created or replaced.'),
        bytes: quota('Bytes, in UTF-8, of these contents and of the texts of messages, per day.'),
        conversations: quota('Conversations that are started per day.'),
        messages: quota('Messages that are added per day.'),
        jobs: quota('Re-indexing jobs that are queued or running at the same time.'),
        waits: quota('Requests that wait (`waitSeconds`) at the same time.'),
      })
      .meta({ id: 'UsageQuotas', description: 'The quotas of the organisation in this mode.' }),
  })
  .meta({
    id: 'Usage',
    description: 'The limits of a credential and of its organisation, and what is used.',
  });
