/**
 * Who calls. Reads Authorization, and beside the credential's record the one of the Idempotency-Key, so that a replay
 * costs no further round trip; and the project in the path, for what is below one. Sets `call.caller`, `call.credential`,
 * `call.idempotency` and `call.project`.
 * May answer `unauthorized`, or `service_unavailable` where the issuer of an access token does not answer.
 */

import { type Call, headerValues, type Middleware, type Request } from '../call.ts';
import type { Tenant } from '../caller.ts';
import { identify } from '../credentials/index.ts';
import type { Endpoint } from '../endpoint.ts';
import { parseIdempotencyKey } from '../idempotency-key.ts';
import { idPattern } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { getIdempotencyRecord, recordPlaceOf } from '../store/idempotency.ts';
import { getProject } from '../store/projects.ts';
import { bindStore, type Place } from '../store/store.ts';

export function authenticate(endpoint: Endpoint, { credentials }: Runtime): Middleware {
  async function authenticateBefore({ event, context: { call } }: Request): Promise<void> {
    if (endpoint.auth === 'public') return;
    const { token, identified } = identify(credentials, headerValues(event, 'authorization'), call.nowMs);
    const { tenant, verify } = await identified;
    const values = headerValues(event, 'idempotency-key');
    // A key that is not valid is `replay`'s to refuse, once it is known who sent it.
    const key = endpoint.idempotent ? parseIdempotencyKey(values) : undefined;
    // What cannot be a project's id is `validate`'s to refuse.
    const inPath = event.pathParameters?.project_id ?? '';
    const projectId = projectIds.test(inPath) ? inPath : undefined;
    const place = key === undefined ? undefined : recordPlaceOf(key, projectId);

    const verified = verify(call.session, call.nowMs).then(({ caller, aside }) => {
      // Taken over at once: the record's read may fail before this is looked at again.
      if (aside) call.aside.push(settled(aside));
      return caller;
    });
    const [caller, record, project] = await Promise.all([
      verified,
      place && readRecord(call, tenant, place),
      endpoint.project && projectId ? getProject(bindStore(call.session, tenant), projectId) : undefined,
    ]);
    call.caller = caller;
    call.credential = token;
    if (project) call.project = project;
    if (key !== undefined && place) call.idempotency = { key, place, record };
  }

  return { before: authenticateBefore };
}

const projectIds = idPattern('project');

const readRecord = (call: Call, tenant: Tenant, place: Place) =>
  getIdempotencyRecord(bindStore(call.session, tenant), place, call.nowMs);

/** A promise that nobody awaits yet must not count as unhandled when it fails. */
function settled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => {});
  return promise;
}
