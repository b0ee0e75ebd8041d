import { idempotencyRecords } from '../../lib/idempotency/store.ts';
import { callerPlaces, tenantPlaces } from '../../lib/limits/waits/store.ts';
import { kind, sha256, ulid } from './kind.ts';

const record = {
  id: sha256,
  fingerprint: sha256,
  status: 201,
  data: '{"id":"…"}',
  sealed: { salt: 'Zm9…', iv: 'YmF…', box: 'cXV…' },
  ttl: 1_772_443_800,
};
const described = {
  removed: 'after 24 hours, or as configured',
  idText: 'SHA-256 of the Idempotency-Key',
  optional: ['data', 'sealed'],
} as const;

export const idempotencyKinds = [
  kind(idempotencyRecords, { ...described, parents: [], about: 'for paths without a project', item: record }),
  kind(idempotencyRecords, {
    ...described,
    parents: [`proj_${ulid}`],
    about: 'for paths with this project',
    item: record,
  }),
  kind(tenantPlaces, {
    parents: [],
    about: "a waiting request's place among those of its tenant",
    removed: '30 seconds after it was taken, if not returned before',
    item: { id: 'tenant#00', callerPlace: `key_${ulid}#0`, ttl: 1_772_357_430 },
  }),
  kind(callerPlaces, {
    parents: [],
    about: 'its place among those of its credential',
    removed: '30 seconds after it was taken, if not returned before',
    item: { id: `key_${ulid}#0`, ttl: 1_772_357_430 },
  }),
];
