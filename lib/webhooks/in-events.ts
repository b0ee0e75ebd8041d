/** Webhooks are resources of events, too. lib/events is below this folder, so the worker passes this to it. */

import { resourceSchemas, type WebhooksInEvents } from '../events/from-changes/read.ts';
import type { EventFamily } from '../events/types.ts';
import { Webhook } from './schema/webhook.ts';
import { getWebhooks, showWebhook } from './store/webhooks.ts';

/** The data of all events, by kind of resource. */
export const eventSchemas = { ...resourceSchemas, webhook: Webhook } as const satisfies Record<
  EventFamily,
  object
>;

export const webhooksInEvents: WebhooksInEvents = {
  schema: Webhook,
  read: async (ids, { store, nowMs }) =>
    (await getWebhooks(store, ids)).map(({ id, webhook, health }) => ({
      id,
      shown: showWebhook(webhook, health, nowMs),
    })),
};
