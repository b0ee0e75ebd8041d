/**
 * An idempotency record has the response of a POST, by tenant, project in the path, and hash of the Idempotency-Key. The
 * project is part of the partition, so the same key in two projects names two records, and all records of a project can be
 * found.
 */

import { hash } from 'node:crypto';
import { canonicalJson } from '../base/json.ts';
import { nowSeconds, ttlSeconds } from '../base/time.ts';
import { type Key, type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import type { Contents } from '../dynamodb/contents.ts';
import type { Page, ProjectStore, Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import type { Sealed } from './seal.ts';

/** `data` is JSON text, because a replay returns the fields in the same order. */
export type IdempotencyRecord = {
  /** The fingerprint stands for method, path, body, and the projects that the credential is bound to. */
  fingerprint: string;
  /** Other credentials that may not see the same resources get no replay. Missing for a credential that sees all of its projects. */
  reach?: string;
  status: number;
  /** The response data without its secrets. They are removed when the resource in them is erased. */
  data?: string;
  /** The whole response data, if it has secrets. */
  sealed?: Sealed;
};

type StoredRecord = Stored<IdempotencyRecord & { id: string; ttl: number }>;

/** A record is in the partition of the tenant, or in that of the project in the path. */
type Partition = [] | [projectId: string];
export type RecordKey = Key<Partition>;

const idempotencyRecords = tenantCollection<StoredRecord, Partition>('idempotency', (...project) => project);

/** @returns the key of a record. The Idempotency-Key is not stored, because sealed data is opened with it */
export function recordKey(idempotencyKey: string, projectId: string | undefined): RecordKey {
  const id = hash('sha256', idempotencyKey, 'base64url');
  return projectId === undefined ? [id] : [id, projectId];
}

/** Identifies a record, so that the response in it can be erased. */
export type RecordRef = {
  /** The id of the call distinguishes records, because an Idempotency-Key can be used again when its record has expired. */
  ref: string;
  expiresAtMs: number;
};

export const recordRef = ([id]: RecordKey, callId: string, expiresAtMs: number): RecordRef => ({
  ref: `${id}.${callId}`,
  expiresAtMs,
});

/** Removes the response from a record, unless it is already gone. The rest of the record still prevents a second execution. */
export function eraseRecordedResponse(store: Store, projectId: string, ref: string): Write<never> {
  const [id = '', changedIn = ''] = ref.split('.');
  const condition = unchanged({ changedIn });
  return idempotencyRecords.at(store, projectId).update(id, {}, { condition, drop: ['data'] });
}

/** @returns a page of the records of requests with this project in the path, including expired ones */
export const pageRecords = (
  store: Store,
  projectId: string,
  after: string | undefined,
): Promise<Page<StoredRecord>> =>
  idempotencyRecords.at(store, projectId).page({ after, limit: 100, order: 'oldest' });

/** @returns the record, strongly consistent, unless it has expired */
export async function getIdempotencyRecord(
  store: Store,
  [id, ...project]: RecordKey,
  nowMs: number,
): Promise<IdempotencyRecord | undefined> {
  const record = await idempotencyRecords.at(store, ...project).get(id);
  return record && record.ttl > nowSeconds(nowMs) ? record : undefined;
}

/** The write is refused while there is an unexpired record. */
export const createIdempotencyRecord = (
  store: Store,
  [id, ...project]: RecordKey,
  record: IdempotencyRecord,
  { nowMs, retentionMs }: { nowMs: number; retentionMs: number },
): Write<never> =>
  idempotencyRecords
    .at(store, ...project)
    .put(
      { id, ...record, ttl: ttlSeconds(nowMs + retentionMs) },
      { condition: { kind: 'absent_or_expired', nowSeconds: nowSeconds(nowMs) } },
    );

/** @returns the records of the requests of a project, for its purge */
export const recordContents = (store: ProjectStore): Contents[] => [
  idempotencyRecords.at(store, store.projectId),
];

/**
 * @param projectIds the bound projects, so that a key for some projects never gets the replay of a key for more
 * @returns a hash of method, path and parsed body. The order of fields and white space do not matter
 */
export const fingerprint = (
  method: string,
  path: string,
  body: unknown,
  projectIds: readonly string[] | null,
): string =>
  hash('sha256', canonicalJson([method, path, body ?? null, projectIds?.toSorted() ?? null]), 'base64url');
