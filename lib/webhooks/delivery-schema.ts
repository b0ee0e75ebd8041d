import * as z from 'zod';
import { id, shownTime } from '../schema/common.ts';
import { attemptErrors } from './send.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const DeliveryAttempt = z
  .object({
    at: shownTime(),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The status of the response. Null without one.', example: 200 }),
    durationMs: z.int().nullable().meta({ description: 'Null while it runs.', example: 84 }),
    body: z.string().nullable().meta({
      description: 'The first 16 KB of the response. Null without one, or if later attempts need the space.',
      example: 'ok',
    }),
    error: z.enum(attemptErrors).nullable().meta({
      description:
        'Why there is no usable response. `interrupted` if the attempt still runs, or if its end is unknown.',
      example: null,
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to the receiver.' });

export const Delivery = z
  .object({
    id: id('delivery'),
    eventId: id('event').meta({ description: 'The `webhook-id` of the request.' }),
    eventType: z.string().meta({ example: 'conversation.ended' }),
    status: z.enum(deliveryStatuses).meta({ example: 'succeeded' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The last 20 at most, oldest first.' }),
    nextAttemptAt: shownTime().nullable().meta({ description: 'Null unless it is pending.' }),
    createdAt: shownTime(),
  })
  .meta({ id: 'Delivery', description: 'An event for one webhook, with the attempts to send it.' });

export type Delivery = z.infer<typeof Delivery>;
