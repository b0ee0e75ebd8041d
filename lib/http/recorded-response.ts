/** Idempotency records store responses. One function seals the secrets of a response, and the other opens them. */

import { ApiError } from '../base/errors.ts';
import type { Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { seal, unseal } from '../idempotency/seal.ts';
import { createIdempotencyRecord, type IdempotencyRecord } from '../idempotency/store.ts';
import type { Recording } from './call.ts';
import type { Endpoint, Outcome, Runtime } from './types.ts';

/** @returns the write that makes the request take effect once, and the outcome with the text that it stores */
export function recordOutcome(
  decision: Outcome,
  recording: Recording,
  store: Store,
  { secrets }: Endpoint,
  { retentionMs, randomBytes }: Runtime,
  nowMs: number,
): { outcome: Outcome; record: Write } {
  const { recordKey, fingerprint, reach } = recording;
  const { status, data } = decision;
  const text = JSON.stringify(data);
  const content = { fingerprint, ...(reach !== undefined && { reach }), status, data: text };
  const write = (record: IdempotencyRecord) =>
    createIdempotencyRecord(store, recordKey, record, { nowMs, retentionMs });
  const outcome = { ...decision, text };
  if (secrets.length === 0) return { outcome, record: write(content) };
  const fields = Object.entries(data as Record<string, unknown>);
  const publicFields = fields.filter(([name]) => !secrets.includes(name));
  const sealed = seal(text, sealingSecrets(recording), fingerprint, randomBytes);
  return {
    outcome,
    record: write({ ...content, data: JSON.stringify(Object.fromEntries(publicFields)), sealed }),
  };
}

/** @returns whether the sender of the request may see what the sender of the recorded request may see */
export const mayReplay = ({ reach }: IdempotencyRecord, recording: Recording): boolean =>
  reach === recording.reach;

/**
 * @returns the stored response
 * @throws ApiError if this is another request, if the resource has been erased, or if a secret belongs to another
 *   credential
 */
export function restoreOutcome(record: IdempotencyRecord, recording: Recording): Outcome {
  if (record.fingerprint !== recording.fingerprint || !mayReplay(record, recording))
    throw new ApiError('idempotency_key_reused');
  const { status, data: text } = record;
  if (text === undefined) throw new ApiError('not_found', 'The resource has been erased.');
  if (!record.sealed) return { status, data: JSON.parse(text), text, replayed: true };
  const data = unseal(record.sealed, sealingSecrets(recording), record.fingerprint);
  if (data === undefined) {
    throw new ApiError('secret_unavailable', undefined, { resource: JSON.parse(text) });
  }
  return { status, data: JSON.parse(data), text: data, replayed: true };
}

const sealingSecrets = ({ credential, key }: Recording) => ({ credential, idempotencyKey: key });
