import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { acceptedUrl } from '../../lib/network/addresses.ts';
import { requireProject } from '../../lib/projects/store.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';
import { readScopes, refuseAnyChange, refuseWebhook, settersAfter } from '../../lib/webhooks/rules/grants.ts';
import {
  Webhook,
  webhookDescription,
  webhookEventTypes,
  webhookInclude,
  webhookProjectIds,
  webhookUrl,
} from '../../lib/webhooks/schema/webhook.ts';
import { changeWebhook, showWebhook, webhookAndHealthInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  summary: 'Update a webhook',
  description:
    'Replaces the fields in the body. Null removes a `description`. With `projectIds` null, the webhook gets the ' +
    'events of all projects. Pending deliveries go to the new URL. While the webhook is `disabled`, events are ' +
    'not sent to it, and pending deliveries fail. Enable it again with `"disabled": false`. If the webhook was ' +
    'disabled with a key (`key_revoked`), rotate its secret before you enable it. Then, and if it has come back from a ' +
    'backup (`restored`), the webhook records the caller that enables it as the setter of its URL and its content.\n\nTo set `url`, `eventTypes`, `projectIds` ' +
    'or `include`, the caller needs the scopes that read the data of all events of the webhook, before and after ' +
    'the change.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: webhookAndHealthInPath },
  request: {
    params: z.strictObject({ webhook_id: id('webhook') }),
    body: atLeastOneField(
      z.strictObject({
        url: webhookUrl.exactOptional(),
        eventTypes: webhookEventTypes.exactOptional(),
        projectIds: webhookProjectIds.nullable().exactOptional(),
        include: webhookInclude.exactOptional(),
        description: webhookDescription.nullable().exactOptional(),
        disabled: z.boolean().exactOptional().meta({ description: 'Whether nothing is sent.' }),
      }),
    ),
  },
  causes: ['webhook.updated', 'webhook.disabled'],
  responses: { 200: Webhook },
  errors: ['insufficient_scope', 'not_found', 'service_unavailable'],
  access: {
    webhooks: ['UpdateItem'],
    projects: ['ConditionCheckItem'],
    apiKeys: ['ConditionCheckItem'],
  },

  async handle({ loaded: { state }, body, caller, store, nowMs, network }) {
    const { webhook, health } = state;
    const url = body.url === undefined ? undefined : acceptedUrl(body.url, network);
    const setters = settersAfter(webhook, body, caller.id);
    const isSet = Object.keys(setters).length > 0;
    // The caller needs the scopes of the webhook before the change, too. Otherwise it could narrow the webhook, redirect it, and
    // wait until its owner widens it again.
    const refusal =
      refuseAnyChange(caller, webhook) ??
      (isSet
        ? (refuseWebhook(caller, webhook) ?? refuseWebhook(caller, { ...webhook, ...body }))
        : undefined);
    if (refusal) return fail('insufficient_scope', refusal);

    const now = timestamp(nowMs);
    const isSwitched = body.disabled !== undefined && body.disabled !== webhook.disabled;
    const isEnabled = isSwitched && !body.disabled;
    const change = {
      ...body,
      ...(url !== undefined && { url }),
      ...(isSwitched && { disabledReason: body.disabled ? ('requested' as const) : null }),
      ...(isEnabled && { enabledAt: now }),
      ...setters,
      ...(isSet && { scopes: readScopes(caller) }),
      updatedAt: now,
    };
    // A key that is being revoked starts nothing any more.
    const guards = isEnabled || isSet ? requireCaller(store, caller) : [];
    const projects = (body.projectIds ?? []).map((one) => requireProject(store, one, 'not_found'));
    return {
      status: 200,
      data: showWebhook({ ...webhook, ...change }, health, nowMs),
      writes: [changeWebhook(store, webhook, change), ...guards, ...projects],
    };
  },
});
