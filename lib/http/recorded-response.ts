/** Stores a response in an idempotency record, and restores it: one function seals, the other opens. */

import { ApiError } from '../base/errors.ts';
import type { Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { seal, unseal } from '../idempotency/seal.ts';
import { createIdempotencyRecord, type IdempotencyRecord } from '../idempotency/store.ts';
import type { Call, Outcome } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Runtime } from './runtime.ts';

/** The write that makes a request with an Idempotency-Key take effect once. */
export function recordOutcome(
  { status, data }: Outcome,
  { endpoint, runtime, call, store }: { endpoint: Endpoint; runtime: Runtime; call: Call; store: Store },
): Write[] {
  const { idempotency, fingerprint, credential } = call;
  if (!idempotency || fingerprint === undefined || credential === undefined) return [];
  const text = JSON.stringify(data);
  const record = { fingerprint, status, data: text };
  const retention = { nowMs: call.nowMs, retentionMs: runtime.retentionMs };
  if (endpoint.secrets.length === 0) {
    return [createIdempotencyRecord(store, idempotency.recordKey, record, retention)];
  }
  const fields = Object.entries(data as Record<string, unknown>);
  const open = fields.filter(([name]) => !endpoint.secrets.includes(name));
  const secrets = { credential, idempotencyKey: idempotency.key };
  const sealed = seal(text, secrets, fingerprint, runtime.randomBytes);
  const kept = { ...record, data: JSON.stringify(Object.fromEntries(open)), sealed };
  return [createIdempotencyRecord(store, idempotency.recordKey, kept, retention)];
}

/**
 * @returns the stored response
 * @throws ApiError if this is another request, if the resource has been erased, or if a secret belongs to another
 *   credential
 */
export function restoreOutcome(record: IdempotencyRecord, call: Call): Outcome {
  if (record.fingerprint !== call.fingerprint) throw new ApiError('idempotency_key_reused');
  const { status, data: text } = record;
  if (text === undefined) throw new ApiError('not_found', 'The resource has been erased.');
  if (!record.sealed) return { status, data: JSON.parse(text), replayed: true };
  const { credential = '', idempotency } = call;
  const secrets = { credential, idempotencyKey: idempotency?.key ?? '' };
  const data = unseal(record.sealed, secrets, record.fingerprint);
  if (data === undefined) {
    throw new ApiError('secret_unavailable', undefined, { resource: JSON.parse(text) });
  }
  return { status, data: JSON.parse(data), replayed: true };
}
