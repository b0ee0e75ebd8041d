/**
 * Who calls. Reads Authorization, and beside the credential's record the one of the Idempotency-Key, so that a replay
 * costs no further round trip; and the project in the path, for what is below one. Sets `call.caller`, `call.credential`,
 * `call.idempotency` and `call.project`.
 * May answer `unauthorized`, or `service_unavailable` where the issuer of an access token does not answer.
 */

import type { Tenant } from '../../caller.ts';
import { identify } from '../../credentials/index.ts';
import { bindStore, type Place } from '../../dynamodb/store.ts';
import { parseIdempotencyKey } from '../../idempotency/key.ts';
import { getIdempotencyRecord, recordPlaceOf } from '../../idempotency/store.ts';
import { projectIdOf, readCaller, readProject } from '../admission.ts';
import { type Call, headerValues, type Middleware, type Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Runtime } from '../runtime.ts';

export function authenticate(endpoint: Endpoint, { credentials }: Runtime): Middleware {
  async function authenticateBefore({ event, context: { call } }: Request): Promise<void> {
    if (endpoint.auth === 'public') return;
    const { token, identified } = identify(credentials, headerValues(event, 'authorization'), call.nowMs);
    const known = await identified;
    const { tenant } = known;
    const values = headerValues(event, 'idempotency-key');
    // A key that is not valid is `replay`'s to refuse, once it is known who sent it.
    const key = endpoint.idempotent ? parseIdempotencyKey(values) : undefined;
    const projectId = projectIdOf(event.pathParameters?.project_id);
    const place = key === undefined ? undefined : recordPlaceOf(key, projectId);

    const [caller, record, project] = await Promise.all([
      readCaller(call, known, call.nowMs),
      place && readRecord(call, tenant, place),
      endpoint.project && projectId ? readProject(call, tenant, projectId) : undefined,
    ]);
    call.caller = caller;
    call.credential = token;
    if (project) call.project = project;
    if (key !== undefined && place) call.idempotency = { key, place, record };
  }

  return { before: authenticateBefore };
}

const readRecord = (call: Call, tenant: Tenant, place: Place) =>
  getIdempotencyRecord(bindStore(call.session, tenant), place, call.nowMs);
