/**
 * Idempotency records: what a POST answered, under its tenant, the project in its path, and the hash of its
 * Idempotency-Key. The project is part of the partition: keys of different projects never meet, and all records of a
 * project can be found.
 */

import { hash } from 'node:crypto';
import type { Page, Partition, Place, Store } from '../dynamodb/store.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import { ttlSeconds } from '../time.ts';
import type { Sealed } from './seal.ts';

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

/** Where the records of requests are whose path names this project, or no project. */
const recordsOf = (projectId: string | undefined): Partition => (projectId === undefined ? [] : [projectId]);

/**
 * @param projectId the project in the request's path
 * @returns where the record of a key is. The raw key is not stored: with a credential it opens what is sealed
 */
export const recordPlaceOf = (idempotencyKey: string, projectId: string | undefined): Place => ({
  id: hash('sha256', idempotencyKey, 'base64url'),
  partition: recordsOf(projectId),
});

/** Names one record, for what must be able to erase the response that it keeps. */
export type RecordRef = {
  /** A key may be used again once its time is over; the call says which of its records is meant. */
  ref: string;
  /** Epoch milliseconds. */
  expiresAtMs: number;
};

export const recordRefOf = ({ id }: Place, callId: string, expiresAtMs: number): RecordRef => ({
  ref: `${id}.${callId}`,
  expiresAtMs,
});

/**
 * Takes the answer out of a record, unless it is gone, or emptied, already. What is left still keeps its request from
 * taking effect again.
 */
export function eraseRecordedAnswer(store: Store, projectId: string, recordRef: string): Write<never> {
  const [id = '', changedIn = ''] = recordRef.split('.');
  const condition = { kind: 'unchanged', changedIn } as const;
  return store.update('idempotency', id, {}, { partition: recordsOf(projectId), condition, drop: ['data'] });
}

/** @returns a page of the records of requests whose path names this project, expired ones among them */
export const pageRecords = (store: Store, projectId: string, after: string | undefined) =>
  store.page('idempotency', {
    partition: recordsOf(projectId),
    from: ' ',
    to: '~',
    after,
    limit: 100,
    order: 'oldest',
  }) as Promise<Page<Item & IdempotencyRecord & { changedIn: string }>>;

/** @returns the record, strongly consistent, unless its time has passed */
export async function getIdempotencyRecord(
  store: Store,
  { id, partition }: Place,
  nowMs: number,
): Promise<IdempotencyRecord | undefined> {
  const record = await store.get('idempotency', id, partition);
  if (!record || (record.ttl as number) <= nowSeconds(nowMs)) return undefined;
  return record as unknown as IdempotencyRecord;
}

/** Refused while there is a record that has not expired. */
export const createIdempotencyRecord = (
  store: Store,
  { id, partition }: Place,
  record: IdempotencyRecord,
  { nowMs, retentionMs }: { nowMs: number; retentionMs: number },
): Write<never> =>
  store.put(
    'idempotency',
    { id, ...record, ttl: ttlSeconds(nowMs + retentionMs) },
    { partition, condition: { kind: 'absent_or_expired', nowSeconds: nowSeconds(nowMs) } },
  );

const nowSeconds = (nowMs: number) => Math.floor(nowMs / 1000);
