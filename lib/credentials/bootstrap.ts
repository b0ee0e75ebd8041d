/** An operator creates an organisation and its root key. */

import { newApiKey } from '../api-keys/key.ts';
import { createApiKey } from '../api-keys/store.ts';
import type { Mode } from '../base/caller.ts';
import { tenantOf } from '../base/caller.ts';
import { rootScopes } from '../base/scopes.ts';
import { timestamp } from '../base/time.ts';
import { commit } from '../dynamodb/commit.ts';
import { openSession } from '../dynamodb/session.ts';
import { bindStore } from '../dynamodb/store.ts';
import type { Access } from '../dynamodb/tables.ts';
import { createOrganisation, getOrganisation, requireUnchanged } from '../organisations/store.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { makeApiKey } from './api-key.ts';

const access: Access = { organisations: ['GetItem', 'PutItem', 'ConditionCheckItem'], apiKeys: ['PutItem'] };

export type RootKey = { organisationId: string; keyId: string; secret: string };

/** @returns the root key of a new organisation; its secret is not stored */
export async function bootstrapOrganisation(
  runtime: BaseRuntime,
  name: string,
  mode: Mode,
): Promise<RootKey> {
  const nowMs = runtime.nowMs();
  const id = runtime.newId('organisation', nowMs);
  const organisation = createOrganisation(storeOf(runtime, id), { id, name, createdAt: timestamp(nowMs) });
  return issue(runtime, { organisationId: id, mode, nowMs }, [organisation]);
}

/**
 * Creates another root key, with all current scopes. It is for the other mode, or replaces a key that is lost or lacks newer
 * scopes. The organisation must not change meanwhile, so an organisation that is being deleted gets no key.
 * @returns undefined if the organisation does not exist, or is suspended
 */
export async function bootstrapRootKey(
  runtime: BaseRuntime,
  organisationId: string,
  mode: Mode,
): Promise<RootKey | undefined> {
  const organisation = await getOrganisation(sessionOf(runtime), organisationId);
  if (!organisation || organisation.suspendedAt !== undefined) return undefined;
  const check = requireUnchanged(storeOf(runtime, organisationId), organisation);
  return issue(runtime, { organisationId, mode, nowMs: runtime.nowMs() }, [check]);
}

async function issue(
  runtime: BaseRuntime,
  { organisationId, mode, nowMs }: { organisationId: string; mode: Mode; nowMs: number },
  writes: Parameters<typeof commit>[1],
): Promise<RootKey> {
  const keyId = runtime.newId('apiKey', nowMs);
  const { secret, secretHash, hint } = makeApiKey({ mode, organisationId, keyId }, runtime.randomBytes);
  const key = newApiKey({
    id: keyId,
    name: 'root',
    scopes: rootScopes,
    projectIds: null,
    environments: null,
    allowedCidrs: null,
    rateLimit: null,
    limitedBy: [],
    mode,
    hint,
    secretHash,
    createdBy: 'bootstrap',
    createdAtMs: nowMs,
    expiresAtMs: null,
  });
  const write = createApiKey(storeOf(runtime, tenantOf(organisationId, mode)), key);
  const refusal = await commit(sessionOf(runtime), [...writes, write], {
    changedBy: 'bootstrap',
    changedThrough: 'script:bootstrap',
    changedIn: runtime.newId('call', nowMs),
    nowMs,
  });
  if (refusal) throw new Error('the tables refused the new key; nothing was written, run it again');
  return { organisationId, keyId, secret };
}

const sessionOf = (runtime: BaseRuntime) => openSession(runtime.client, runtime.tableNames, access);
const storeOf = (runtime: BaseRuntime, tenant: string) => bindStore(sessionOf(runtime), tenant);
