/**
 * Notes refusals that concern security, for the audit log: of a revoked or expired key, of a key from a wrong address, and of a
 * caller that tries to get or give more than it has. Requests with an unknown credential have no tenant, so they have no log.
 */

import { noteRefusal, type Refusal } from '../audit/store/refusals.ts';
import type { ApiError } from '../base/errors.ts';
import { authorOf } from './author.ts';
import { inBackground } from './background.ts';
import type { Call } from './call.ts';
import { senderOf } from './stages.ts';
import type { Endpoint } from './types.ts';

/** @returns the note of a refused request, with its caller; undefined for any other error */
function refusalOf({ auth }: Endpoint, call: Call, { code, refused }: ApiError) {
  if (refused) {
    const { tenant, keyId, reason } = refused;
    const refusal: Refusal = { tenant, reason, resource: { type: 'api_key', id: keyId } };
    return { by: keyId, refusal };
  }
  const caller = senderOf(call)?.caller;
  if (code !== 'insufficient_scope' || !caller || !auth.startsWith('api-keys:')) return undefined;
  const { tenant, id: by } = caller;
  const params = 'parsedPath' in call ? call.parsedPath.params : undefined;
  const keyId = typeof params?.key_id === 'string' ? params.key_id : by;
  const type = keyId.startsWith('key_') ? ('api_key' as const) : ('access_token' as const);
  const refusal: Refusal = { tenant, reason: 'escalation', resource: { type, id: keyId } };
  return { by, refusal };
}

/** Notes it in the background, if it must be noted. */
export function noteIfRefused(endpoint: Endpoint, call: Call, error: ApiError): void {
  const found = refusalOf(endpoint, call, error);
  if (!found) return;
  inBackground(call, noteRefusal(call.session, found.refusal, authorOf(endpoint, call, found.by)));
}
