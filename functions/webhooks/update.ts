import * as z from 'zod';
import { invalidField } from '../../lib/errors.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { requireProject } from '../../lib/projects/store.ts';
import { id } from '../../lib/schema/common.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { timestamp } from '../../lib/time.ts';
import { refuseUrl } from '../../lib/webhooks/addresses.ts';
import { refuseWebhook } from '../../lib/webhooks/grants.ts';
import {
  Webhook,
  webhookDescription,
  webhookEventTypes,
  webhookInclude,
  webhookProjectIds,
  webhookUrl,
} from '../../lib/webhooks/schema.ts';
import { changeWebhook, showWebhook, webhookInPath } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  summary: 'Update a webhook',
  description:
    'Replaces the fields in the body. A `description` of null removes it; `projectIds` of null sends the events ' +
    'of all projects. Pending deliveries go to the new URL. While the webhook is `disabled`, events are not sent ' +
    'to it, and pending deliveries fail. Enable it again with `"disabled": false`.',
  auth: 'webhooks:write',
  loads: { webhook: webhookInPath },
  request: {
    params: z.strictObject({ webhook_id: id('webhook') }),
    body: atLeastOneField(
      z.strictObject({
        url: webhookUrl.exactOptional(),
        eventTypes: webhookEventTypes.exactOptional(),
        projectIds: webhookProjectIds.nullable().exactOptional(),
        include: webhookInclude.exactOptional(),
        description: webhookDescription.nullable().exactOptional(),
        disabled: z.boolean().exactOptional(),
      }),
    ),
  },
  responses: { 200: Webhook },
  errors: ['insufficient_scope', 'not_found'],
  access: { webhooks: ['UpdateItem'], projects: ['ConditionCheckItem'] },

  async handle({ loaded: { webhook }, body, caller, store, nowMs, allowLoopback }) {
    const problem = body.url === undefined ? undefined : refuseUrl(body.url, { allowLoopback });
    if (problem) throw invalidField('url', problem);
    // Deliveries of the webhook as it is can be sent again to the new URL.
    const refusal = refuseWebhook(caller, webhook) ?? refuseWebhook(caller, { ...webhook, ...body });
    if (refusal) return fail('insufficient_scope', refusal);

    const now = timestamp(nowMs);
    const isSwitched = body.disabled !== undefined && body.disabled !== webhook.disabled;
    const change = {
      ...body,
      ...(isSwitched && { disabledReason: body.disabled ? ('requested' as const) : null }),
      ...(isSwitched && !body.disabled && { enabledAt: now }),
      updatedAt: now,
    };
    const projects = (body.projectIds ?? []).map((one) => requireProject(store, one, 'not_found'));
    return {
      status: 200,
      data: showWebhook({ ...webhook, ...change }, nowMs),
      writes: [changeWebhook(store, webhook, change), ...projects],
    };
  },
});
