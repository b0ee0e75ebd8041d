import * as z from 'zod';
import { sendErrors } from '../../network/network.ts';
import { id, shownTime } from '../../schema/common.ts';

export const deliveryStatus = z.enum(['pending', 'succeeded', 'failed']).meta({
  id: 'DeliveryStatus',
  description: 'Whether the receiver has the event: `pending` while attempts are left.',
  example: 'succeeded',
});

export const DeliveryAttempt = z
  .object({
    at: shownTime().meta({ description: 'When the request was sent.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the response. Null if there was no response.', example: 200 }),
    durationMs: z
      .int()
      .nullable()
      .meta({ description: 'How long it took, in milliseconds. Null while it runs.', example: 84 }),
    body: z
      .string()
      .nullable()
      .meta({
        description:
          'The first 16 KB of the response. Null if there was no response, if later attempts need the space, or if the ' +
          'webhook sends messages and the caller does not have `conversations:read`.',
        example: 'ok',
      }),
    error: z
      .enum([...sendErrors, 'interrupted'])
      .meta({ id: 'DeliveryError', description: 'Why an attempt led to no usable response.' })
      .nullable()
      .meta({
        description:
          'Why there is no usable response. `interrupted` if the attempt still runs, or if its end is unknown. Null with a usable response.',
        example: null,
      }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to the receiver.' });

export const Delivery = z
  .object({
    id: id('delivery'),
    eventId: id('event').meta({
      description: 'The id of the event, which is the `webhook-id` of the request.',
    }),
    eventType: z.string().meta({ description: 'The type of the event.', example: 'conversation.ended' }),
    status: deliveryStatus,
    attempts: z
      .array(DeliveryAttempt)
      .meta({ description: 'The attempts to send it, oldest first: at most the last 20.' }),
    nextAttemptAt: shownTime()
      .nullable()
      .meta({ description: 'When the next attempt is due. Null unless it is pending.' }),
    createdAt: shownTime().meta({ description: 'When the delivery was created.' }),
  })
  .meta({ id: 'Delivery', description: 'An event for one webhook, with the attempts to send it.' });

export type Delivery = z.infer<typeof Delivery>;
