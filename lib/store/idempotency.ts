/** Idempotency records: what a POST answered, under its tenant and the hash of its Idempotency-Key. */

import { hash } from 'node:crypto';
import type { Sealed } from '../seal.ts';
import { ttlSeconds } from '../time.ts';
import type { Store } from './store.ts';
import type { Write } from './write.ts';

/** `data` is JSON text, because an answer must come back with its members in the order it went out. */
export type IdempotencyRecord = {
  /** What the key stands for: method, path and body. */
  fingerprint: string;
  status: number;
  /** The response data; without its secrets where it has some. None where what it tells of was erased. */
  data?: string;
  /** The whole of the response data, where it has secrets. */
  sealed?: Sealed;
};

/** @returns the id of a key's record. The raw key is not kept: with a credential it opens what is sealed */
export const recordIdOf = (idempotencyKey: string) => hash('sha256', idempotencyKey, 'base64url');

/** A key may be used again once its time is over; the call says which of its records is meant. */
export const recordRefOf = (recordId: string, callId: string): string => `${recordId}.${callId}`;

/**
 * Takes the answer out of a record, unless it is gone, or emptied, already. What is left still keeps its request from
 * taking effect again.
 */
export function eraseRecordedAnswer(store: Store, recordRef: string): Write<never> {
  const [id = '', changedIn = ''] = recordRef.split('.');
  return store.update('idempotency', id, {}, { condition: { kind: 'unchanged', changedIn }, drop: ['data'] });
}

/** @returns the record, strongly consistent, unless its time has passed */
export async function getIdempotencyRecord(
  store: Store,
  recordId: string,
  nowMs: number,
): Promise<IdempotencyRecord | undefined> {
  const record = await store.get('idempotency', recordId);
  if (!record || (record.ttl as number) <= nowSeconds(nowMs)) return undefined;
  return record as unknown as IdempotencyRecord;
}

/** Refused while there is a record that has not expired. */
export const createIdempotencyRecord = (
  store: Store,
  recordId: string,
  record: IdempotencyRecord,
  { nowMs, retentionMs }: { nowMs: number; retentionMs: number },
): Write<never> =>
  store.put(
    'idempotency',
    { id: recordId, ...record, ttl: ttlSeconds(nowMs + retentionMs) },
    { condition: { kind: 'absent_or_expired', nowSeconds: nowSeconds(nowMs) } },
  );

const nowSeconds = (nowMs: number) => Math.floor(nowMs / 1000);
