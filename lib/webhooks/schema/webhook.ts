import * as z from 'zod';
import { eventTypePattern } from '../../events/schema.ts';
import { maxUrlLength } from '../../network/url-form.ts';
import { id, shownCredential, shownTime } from '../../schema/common.ts';
import { failure } from '../../schema/failure.ts';
import { text } from '../../schema/text.ts';

export const maxWebhooks = 50;

/** The rules of a URL depend on the environment, so the handler checks them. */
export const webhookUrl = z
  .string()
  .max(maxUrlLength, `must be at most ${maxUrlLength} characters`)
  .meta({
    format: 'uri',
    description:
      'Where events are sent: an `https://` URL with a public host, without user name, password and fragment, with ' +
      'the port 443 or a port above 1023. It is stored and shown in its normal form: `https:Example.com` becomes ' +
      '`https://example.com/`.',
    example: 'https://acme.example/hooks/platform',
  });

const noRepeats = (values: readonly string[]) => new Set(values).size === values.length;

export const webhookEventTypes = z
  .array(eventTypePattern)
  .min(1, 'must have at least one event type')
  .max(50, 'must have at most 50 event types')
  .refine(noRepeats, 'must not repeat an event type')
  .meta({
    description:
      'The events to send: event types, `project.*` for all of a resource, or `*` for all. To set them, a credential needs ' +
      'the scopes that read the data of all these events.',
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
      'Only events of these projects are sent. Null for all events, also those that belong to no project.',
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
  description: 'The purpose of the webhook.',
  example: 'Closes tickets in the help desk.',
});

const disabledReasons = ['requested', 'gone', 'failing', 'key_revoked', 'restored'] as const;

export const WebhookHealth = z
  .object({
    status: z
      .enum(['unknown', 'healthy', 'slow', 'failing'])
      .meta({
        id: 'WebhookHealthStatus',
        isOpen: true,
        description: 'How the last attempt to reach the receiver has ended.',
      })
      .meta({
        description:
          'How the last attempt has ended: it has failed, or no request can reach the `url` (`failing`), it has succeeded (`healthy`), or it has succeeded and took ' +
          'more than 3 seconds (`slow`). `unknown` if no attempt has ended since the webhook was last enabled.',
        example: 'healthy',
      }),
    failures: z
      .int()
      .meta({ description: 'The number of attempts that have failed since the last success.', example: 0 }),
    failingSince: shownTime().nullable().meta({
      description: 'When the first of these attempts failed. Null if there are none.',
      example: null,
    }),
    reason: failure
      .nullable()
      .meta({ description: 'Why no request can reach the `url`. Null if a request may reach it.' }),
  })
  .meta({
    id: 'WebhookHealth',
    description:
      'How the receiver has answered since the webhook was last enabled. A disabled webhook keeps the health that it ' +
      'had before.',
  });

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
      .meta({ id: 'DisabledReason', isOpen: true, description: 'Why nothing is sent.' })
      .nullable()
      .meta({
        description:
          'Why nothing is sent: a request has `requested` it, the receiver has answered 410 (`gone`), every ' +
          'attempt of five days has failed (`failing`), a key that had set its URL, its content or its secret ' +
          'was revoked with `children=true` (`key_revoked`), or the webhook was lost and came back from a backup ' +
          '(`restored`). Null if it is not disabled.',
        example: null,
      }),
    health: WebhookHealth,
    secretCreatedAt: shownTime().meta({ description: 'When the secret was created or last rotated.' }),
    previousSecretExpiresAt: shownTime()
      .nullable()
      .meta({
        description:
          'Until when requests are also signed with the secret from before the last rotation. Null if there is no such ' +
          'secret.',
      }),
    recovery: z
      .object({
        since: shownTime().meta({
          description: 'Deliveries of events at this time or later are requested again.',
        }),
        requestedAt: shownTime().meta({ description: 'When it was requested.' }),
        finishedAt: shownTime().nullable().meta({ description: 'When it ended. Null while it runs.' }),
        deliveries: z
          .int()
          .meta({ description: 'The number of deliveries that it has requested.', example: 12 }),
      })
      .meta({
        id: 'WebhookRecovery',
        description: 'A recovery: it sends events again that the webhook has missed.',
      })
      .nullable()
      .meta({ description: 'The last `recover`. Null if nobody requested one.' }),
    scopes: z.array(z.string()).meta({
      description:
        'The scopes of the credential that last set the `url`, `eventTypes`, `projectIds` or `include`. Events whose ' +
        'data needs another scope are not sent, such as events of new kinds of resources: set the `eventTypes` again ' +
        'to get these events.',
      example: ['knowledge:read', 'conversations:read', 'audit:read'],
    }),
    createdAt: shownTime().meta({ description: 'When the webhook was created.' }),
    updatedAt: shownTime().meta({ description: 'When the webhook was last changed.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token.',
    }),
    urlSetBy: shownCredential().meta({ description: 'The credential that set its `url` last.' }),
    contentSetBy: shownCredential().meta({
      description: 'The credential that set its `eventTypes`, `projectIds` or `include` last.',
    }),
    secretSetBy: shownCredential().meta({
      description: 'The credential that created or rotated its secret last.',
    }),
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
