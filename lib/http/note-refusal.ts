/**
 * Refusals that concern security are noted for the audit log: of a key or a workload identity that has ended, is suspended or
 * comes from a wrong address, and of a caller that tries to get or give more than it has. Requests with an unknown credential
 * have no tenant, so they have no log.
 */

import { noteRefusal, type Refusal } from '../audit/store/refusals.ts';
import { credentialKind } from '../base/caller.ts';
import type { ApiError } from '../base/errors.ts';
import { setsIn } from '../base/scopes.ts';
import { authorOf } from './author.ts';
import type { Call } from './call.ts';
import { inBackground, senderOf } from './stages.ts';
import type { Endpoint } from './types.ts';

const concernsKeys = (auth: Endpoint['auth']) =>
  setsIn(auth)
    .flat()
    .some((scope) => scope.startsWith('api-keys:'));

const resourceOf = (id: string) => ({ type: credentialKind(id), id });

/** @returns the note of a refused request, with its caller; undefined for any other error */
function refusalOf({ auth }: Endpoint, call: Call, { code, refused }: ApiError) {
  if (refused) {
    const { tenant, keyId, by = keyId, reason } = refused;
    const refusal: Refusal = { tenant, reason, resource: resourceOf(keyId) };
    return { by, refusal };
  }
  const caller = senderOf(call)?.caller;
  if (code !== 'insufficient_scope' || !caller || !concernsKeys(auth)) return undefined;
  const { tenant, id, principal: by } = caller;
  const params = 'parsedPath' in call ? call.parsedPath.params : undefined;
  const idInPath = params?.key_id ?? params?.identity_id;
  const keyId = typeof idInPath === 'string' ? idInPath : id;
  const refusal: Refusal = { tenant, reason: 'escalation', resource: resourceOf(keyId) };
  return { by, refusal };
}

export function noteIfRefused(endpoint: Endpoint, call: Call, error: ApiError): void {
  const note = refusalOf(endpoint, call, error);
  if (!note) return;
  inBackground(call, noteRefusal(call.session, note.refusal, authorOf(endpoint, call, note.by)));
}
