import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { overlapMsOf, previousSecretEnd, Rotation } from '../../lib/schema/overlap.ts';
import { refuseWebhook } from '../../lib/webhooks/rules/grants.ts';
import { WebhookWithSecret } from '../../lib/webhooks/schema/webhook.ts';
import { makeSecret } from '../../lib/webhooks/signature.ts';
import {
  rotateSecret,
  secretContext,
  showWebhook,
  webhookAndSecretsInPath,
} from '../../lib/webhooks/store/webhooks.ts';

export default defineEndpoint({
  id: 'webhooks.rotate-secret',
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate-secret',
  summary: "Rotate a webhook's secret",
  description:
    'Replaces the secret. Until `previousSecretExpiresAt`, requests have a signature with each of the two ' +
    'secrets, so that you can replace the old secret everywhere. While the old secret is valid, another rotation ' +
    'is refused (`previous_secret_valid`, with the end of the old secret in the details), unless `endPrevious` is ' +
    'true.\n\nA rotation needs the same scopes as a change of the URL: the scopes that read the data of the ' +
    'events, and for a webhook with messages `conversations:read`.\n\nOnly this response shows the new `secret`. ' +
    'To read it again, repeat the request with the same Idempotency-Key and the same credential.',
  auth: 'webhooks:write',
  environments: 'refused',
  loads: { state: webhookAndSecretsInPath },
  request: {
    params: z.strictObject({ webhook_id: id('webhook') }),
    body: Rotation,
  },
  causes: ['webhook.rotated'],
  responses: { 200: WebhookWithSecret },
  secrets: ['secret'],
  encrypts: true,
  errors: ['insufficient_scope', 'previous_secret_valid', 'service_unavailable'],
  access: { webhooks: ['PutItem', 'UpdateItem'], apiKeys: ['ConditionCheckItem'] },

  async handle({ loaded: { state }, body, caller, store, nowMs, randomBytes, secretBox }) {
    const { previousSecretExpiresAt: _, ...webhook } = state.webhook;
    const refusal = refuseWebhook(caller, webhook);
    if (refusal) return fail('insufficient_scope', refusal);
    const { previousSecretExpiresAt: previousEnd } = showWebhook(state.webhook, state.health, nowMs);
    if (previousEnd !== null && !body.endPrevious) {
      return fail('previous_secret_valid', undefined, previousSecretEnd(previousEnd));
    }
    const overlapMs = overlapMsOf(body);
    const secret = makeSecret(randomBytes);
    const sealedSecret = await secretBox.encrypt(secret, secretContext(caller, webhook.id));
    const now = timestamp(nowMs);
    const changes = { secretCreatedAt: now, secretSetBy: caller.id, updatedAt: now };
    const previousSecretExpiresAt = overlapMs > 0 ? timestamp(nowMs + overlapMs) : undefined;
    const previous = previousSecretExpiresAt === undefined ? {} : { previousSecretExpiresAt };
    return {
      status: 200,
      data: { ...showWebhook({ ...webhook, ...changes, ...previous }, state.health, nowMs), secret },
      writes: [
        ...rotateSecret(store, state, { ...changes, previousSecretExpiresAt }, sealedSecret),
        ...requireCaller(store, caller),
      ],
    };
  },
});
