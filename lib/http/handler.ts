/** What a handler gets, and how it fails. */

import type { Caller } from '../base/caller.ts';
import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { IdKind } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { TenantLimits } from '../base/stage-limits.ts';
import type { ProjectStore, Store } from '../dynamodb/store.ts';
import type { RecordRef } from '../idempotency/store.ts';
import type { Network } from '../network/network.ts';
import type { StoredProject } from '../projects/store.ts';
import type { EntityTagTest } from './entity-tags.ts';
import type { Waiting } from './waiting.ts';

/** The input of a handler. It reads through `store`, and gets time, ids and randomness only from here. */
export type Input<P, Q, B, Who, Project = unknown, L = unknown> = {
  params: P;
  query: Q;
  body: B;
  caller: Who;
  /** The project in the path, for an endpoint that declares one. */
  project: Project;
  /** The items that the endpoint loads. They are read again for each retry. */
  loaded: L;
  /** Whether If-Match names this version. Always true without an If-Match. */
  matches: EntityTagTest;
  /** Whether If-None-Match names this version. */
  isKnown: EntityTagTest;
  /** Bound to the caller's tenant, and to the project if the endpoint declares one. */
  store: Project extends StoredProject ? ProjectStore : Store;
  nowMs: number;
  /** With `atMs`, the id sorts by that time instead of now. */
  newId: (kind: IdKind, atMs?: number) => string;
  randomBytes: (size: number) => Uint8Array;
  /** For an endpoint that declares `encrypts`. */
  secretBox: Pick<SecretBox, 'encrypt'>;
  /** For URLs that callers choose. */
  network: Network;
  /** The commit from which the function was built. */
  commit: string;
  /** For an endpoint that declares `waits`. */
  wait: Waiting<L>;
  /** Milliseconds since the start of the request, for work with a time limit. */
  elapsedMs: () => number;
  /** Creates and parses the cursors of this list. */
  cursor: Cursors;
  /** The limits and quotas of the caller's tenant. */
  limits: TenantLimits;
  /** Identifies the idempotency record of this request, if any, so that its response can be erased later. */
  recordRef: RecordRef | undefined;
  /** For an endpoint that declares what it does with files. */
  files: Files;
};

export type Cursors = {
  /**
   * @param pattern the form of the list's positions, if they are not ids with a ULID
   * @throws ApiError validation_error if the cursor belongs to another list
   */
  position(cursor: string | undefined, pattern?: RegExp): string | undefined;
  next(position: string | null): string | null;
};

/** The input that decides whether a request may see a loaded item. */
export type LoadContext<Who = Caller | undefined, Project = StoredProject | undefined> = {
  caller: Who;
  project: Project;
  nowMs: number;
};

/** A failed result: one of the declared errors. */
export type Failure<Code extends ErrorCode> = {
  error: Code;
  message: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
};

export const fail = <const Code extends ErrorCode>(
  error: Code,
  message?: string,
  details?: readonly ErrorDetail[],
): Failure<Code> => ({ error, message, details });
