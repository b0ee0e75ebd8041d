import * as z from 'zod';
import { invalidField } from '../../lib/errors.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { requireProject } from '../../lib/projects/store.ts';
import { timestamp } from '../../lib/time.ts';
import { refuseUrl } from '../../lib/webhooks/addresses.ts';
import { refuseWebhook } from '../../lib/webhooks/grants.ts';
import {
  WebhookWithSecret,
  webhookDescription,
  webhookEventTypes,
  webhookInclude,
  webhookProjectIds,
  webhookUrl,
} from '../../lib/webhooks/schema.ts';
import { makeSecret } from '../../lib/webhooks/signature.ts';
import { createWebhook, secretContext, showWebhook } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook',
  description:
    'Sends events to a URL from now on, signed as in Standard Webhooks. An organisation can have 50 in each ' +
    'mode.\n\nOnly this response shows the `secret`. To read it again, repeat the request with the same ' +
    'Idempotency-Key and the same credential.',
  auth: 'webhooks:write',
  request: {
    body: z.strictObject({
      url: webhookUrl,
      eventTypes: webhookEventTypes,
      projectIds: webhookProjectIds.nullable().optional(),
      include: webhookInclude.optional(),
      description: webhookDescription.optional(),
      disabled: z.boolean().optional(),
    }),
  },
  responses: { 201: WebhookWithSecret },
  secrets: ['secret'],
  encrypts: true,
  errors: ['insufficient_scope', 'not_found', 'too_many_webhooks'],
  access: { webhooks: ['PutItem', 'UpdateItem'], projects: ['ConditionCheckItem'] },

  async handle({ body, caller, store, nowMs, newId, randomBytes, secretBox, allowLoopback }) {
    const problem = refuseUrl(body.url, { allowLoopback });
    if (problem) throw invalidField('url', problem);
    const projectIds = body.projectIds === undefined ? (caller.projectIds?.slice() ?? null) : body.projectIds;
    const include = body.include ?? [];
    const refusal = refuseWebhook(caller, { projectIds, include });
    if (refusal) return fail('insufficient_scope', refusal);

    const id = newId('webhook');
    const secret = makeSecret(randomBytes);
    const createdAt = timestamp(nowMs);
    const webhook = {
      id,
      url: body.url,
      eventTypes: body.eventTypes,
      projectIds,
      include,
      description: body.description ?? null,
      disabled: body.disabled ?? false,
      disabledReason: body.disabled ? ('requested' as const) : null,
      secretCreatedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.id,
      enabledAt: createdAt,
    };
    const sealed = await secretBox.encrypt(secret, secretContext(caller, id));
    const projects = (body.projectIds ?? []).map((one) => requireProject(store, one, 'not_found'));
    return {
      status: 201,
      data: { ...showWebhook(webhook, nowMs), secret },
      writes: [...createWebhook(store, webhook, sealed), ...projects],
    };
  },
});
