import * as z from 'zod';
import { eventTypePattern } from '../events/schema.ts';
import { id, shownCredential, shownTime } from '../schema/common.ts';
import { text } from '../schema/text.ts';

export const maxWebhooks = 50;

/** Its rules depend on the environment, so the handler checks it. */
export const webhookUrl = z
  .string()
  .max(2048, 'must be at most 2048 characters')
  .meta({
    format: 'uri',
    description:
      'Where events are sent: an `https://` URL with a public host, without user name, password and fragment, ' +
      'with the port 443 or one above 1023.',
    example: 'https://acme.example/hooks/platform',
  });

const noRepeats = (values: readonly string[]) => new Set(values).size === values.length;

export const webhookEventTypes = z
  .array(eventTypePattern)
  .min(1, 'must have at least one event type')
  .max(50, 'must have at most 50 event types')
  .refine(noRepeats, 'must not repeat an event type')
  .meta({
    description: 'The events to send: event types, `project.*` for all of a resource, or `*` for all.',
    uniqueItems: true,
    example: ['conversation.ended', 'job.*'],
  });

export const webhookProjectIds = z
  .array(id('project'))
  .min(1, 'must have at least one project, or be left out')
  .max(50, 'must have at most 50 projects')
  .refine(noRepeats, 'must not repeat a project')
  .meta({
    description:
      'Only events of these projects. Default: those of the creating credential, or null for all events, ' +
      'including those that belong to no project.',
    uniqueItems: true,
  });

export const webhookInclude = z
  .array(z.enum(['messages']))
  .max(1)
  .meta({
    description:
      '`messages` adds the transcript to `conversation.ended`. It requires the scope `conversations:read`.',
    uniqueItems: true,
    example: [],
  });

export const webhookDescription = text(500).meta({
  description: 'What it is for.',
  example: 'Closes tickets in the help desk.',
});

export const disabledReasons = ['requested', 'gone', 'failing'] as const;

export const Webhook = z
  .object({
    id: id('webhook'),
    url: webhookUrl,
    eventTypes: webhookEventTypes,
    projectIds: webhookProjectIds.nullable(),
    include: webhookInclude,
    description: webhookDescription.nullable(),
    disabled: z.boolean().meta({ description: 'Whether nothing is sent.', example: false }),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .meta({
        description:
          'Why nothing is sent: a request has `requested` it, the receiver has answered 410 (`gone`), or every ' +
          'attempt of five days has failed (`failing`). Null if it is not disabled.',
        example: null,
      }),
    secretCreatedAt: shownTime().meta({ description: 'When the secret was created or last rotated.' }),
    previousSecretExpiresAt: shownTime()
      .nullable()
      .meta({
        description:
          'Until when requests are also signed with the secret from before the last rotation. Null if there is ' +
          'none.',
      }),
    recovery: z
      .object({
        since: shownTime(),
        requestedAt: shownTime(),
        finishedAt: shownTime().nullable().meta({ description: 'Null while it runs.' }),
        deliveries: z.int().meta({ description: 'How many it has requested.', example: 12 }),
      })
      .nullable()
      .meta({ description: 'The last `recover`. Null if nobody requested one.' }),
    createdAt: shownTime(),
    updatedAt: shownTime(),
    createdBy: shownCredential('The API key that created it, or `sub:` and the subject of an access token.'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of events, without its secret.' });

export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description:
      'Verifies the signatures of requests (Standard Webhooks). Only this response shows it; the service ' +
      'stores it encrypted.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw4hTuIkEYv1U=',
  }),
}).meta({ id: 'WebhookWithSecret', description: 'A webhook, with its new secret.' });
