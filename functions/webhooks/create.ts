import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { acceptedUrl } from '../../lib/network/addresses.ts';
import { requireProject } from '../../lib/projects/store.ts';
import { readScopes, refuseWebhook, settersOfNewWebhook } from '../../lib/webhooks/rules/grants.ts';
import {
  WebhookWithSecret,
  webhookDescription,
  webhookEventTypes,
  webhookInclude,
  webhookProjectIds,
  webhookUrl,
} from '../../lib/webhooks/schema/webhook.ts';
import { makeSecret } from '../../lib/webhooks/signature.ts';
import { createWebhook, secretContext, showWebhook } from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook',
  description:
    'Creates a webhook, which sends events to a URL from now on, signed as in Standard Webhooks. An organisation ' +
    'can have 50 webhooks in each mode.\n\nOnly this response shows the `secret`. To read it again, repeat the ' +
    'request with the same Idempotency-Key and the same credential.\n\nThe receiver gets the data of all events ' +
    'of `eventTypes`. So the request requires the scopes that read this data, and 403 `insufficient_scope` names ' +
    'the missing scopes.',
  auth: 'webhooks:write',
  environments: 'refused',
  request: {
    body: z.strictObject({
      url: webhookUrl,
      eventTypes: webhookEventTypes,
      projectIds: webhookProjectIds
        .nullable()
        .optional()
        .meta({
          description:
            'Only events of these projects are sent. Default: the projects of the creating credential, or null for all ' +
            'events, including events that belong to no project.',
        }),
      include: webhookInclude.optional(),
      description: webhookDescription.optional(),
      disabled: z.boolean().optional().meta({ description: 'Whether nothing is sent yet. Default: false.' }),
    }),
  },
  causes: ['webhook.created'],
  responses: { 201: WebhookWithSecret },
  secrets: ['secret'],
  encrypts: true,
  errors: ['insufficient_scope', 'not_found', 'service_unavailable', 'too_many_webhooks'],
  access: {
    webhooks: ['PutItem', 'UpdateItem'],
    projects: ['ConditionCheckItem'],
    apiKeys: ['ConditionCheckItem'],
  },

  async handle({ body, caller, store, nowMs, newId, randomBytes, secretBox, network }) {
    const url = acceptedUrl(body.url, network);
    const projectIds = body.projectIds === undefined ? (caller.projectIds?.slice() ?? null) : body.projectIds;
    const include = body.include ?? [];
    const refusal = refuseWebhook(caller, { eventTypes: body.eventTypes, projectIds, include });
    if (refusal) return fail('insufficient_scope', refusal);

    const id = newId('webhook');
    const secret = makeSecret(randomBytes);
    const createdAt = timestamp(nowMs);
    const webhook = {
      id,
      url,
      eventTypes: body.eventTypes,
      projectIds,
      include,
      description: body.description ?? null,
      disabled: body.disabled ?? false,
      disabledReason: body.disabled ? ('requested' as const) : null,
      scopes: readScopes(caller),
      secretCreatedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.principal,
      ...settersOfNewWebhook(caller.id),
      enabledAt: createdAt,
    };
    const sealedSecret = await secretBox.encrypt(secret, secretContext(caller, id));
    const projects = (body.projectIds ?? []).map((one) => requireProject(store, one, 'not_found'));
    return {
      status: 201,
      data: { ...showWebhook(webhook, undefined, nowMs), secret },
      writes: [...createWebhook(store, webhook, sealedSecret), ...requireCaller(store, caller), ...projects],
    };
  },
});
