/** Suspends and resumes an organisation. */

import { timestamp } from '../../lib/base/time.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession, type Session } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import {
  getOrganisation,
  type Organisation,
  resumeOrganisation,
  type StoredOrganisation,
  suspendOrganisation,
} from '../../lib/organisations/store.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { UsageError } from '../shared/options.ts';

export type Status = 'active' | 'suspended' | 'being deleted';

export function statusOf({ suspendedAt, deletionBeganAt }: Organisation): Status {
  if (deletionBeganAt !== undefined) return 'being deleted';
  return suspendedAt === undefined ? 'active' : 'suspended';
}

/** Every request that starts after this is refused. @throws UsageError if it does not exist */
export async function suspend(runtime: BaseRuntime, id: string): Promise<string> {
  const session = openFor(runtime);
  const organisation = await read(session, id);
  if (organisation.suspendedAt !== undefined)
    return `${id} (${organisation.name}) is suspended since ${organisation.suspendedAt}.`;
  const suspendedAt = timestamp(runtime.nowMs());
  await write(runtime, session, suspendOrganisation(bindStore(session, id), organisation, { suspendedAt }));
  return `${id} (${organisation.name}) is suspended: requests with its keys and tokens get 403.`;
}

/** @throws UsageError if it does not exist, or its deletion has begun */
export async function resume(runtime: BaseRuntime, id: string): Promise<string> {
  const session = openFor(runtime);
  const organisation = await read(session, id);
  const { name, suspendedAt, deletionBeganAt } = organisation;
  if (deletionBeganAt !== undefined)
    throw new UsageError(`The deletion of ${id} began at ${deletionBeganAt}. It cannot be resumed.`);
  if (suspendedAt === undefined) return `${id} (${name}) is active.`;
  await write(
    runtime,
    session,
    resumeOrganisation(bindStore(session, id), organisation, timestamp(runtime.nowMs())),
  );
  return `${id} (${name}) is active again. It was suspended since ${suspendedAt}.`;
}

/** @throws UsageError if it does not exist */
export async function requireExisting(runtime: BaseRuntime, id: string): Promise<void> {
  await read(openFor(runtime), id);
}

/** @throws UsageError if it does not exist, or is suspended */
export async function requireActive(runtime: BaseRuntime, id: string): Promise<void> {
  const status = statusOf(await read(openFor(runtime), id));
  if (status !== 'active') throw new UsageError(`The organisation ${id} is ${status}.`);
}

/** Marks the beginning of a deletion, once. @returns the organisation with the mark */
export async function beginDeletion(
  runtime: BaseRuntime,
  organisation: StoredOrganisation,
): Promise<StoredOrganisation & { deletionBeganAt: string }> {
  const { id, deletionBeganAt } = organisation;
  if (deletionBeganAt !== undefined) return { ...organisation, deletionBeganAt };
  const session = openFor(runtime);
  const began = { deletionBeganAt: timestamp(runtime.nowMs()) };
  await write(runtime, session, suspendOrganisation(bindStore(session, id), organisation, began));
  return { ...organisation, ...began };
}

async function read(session: Session, id: string): Promise<StoredOrganisation> {
  const organisation = await getOrganisation(session, id);
  if (!organisation) throw new UsageError(`The organisation ${id} does not exist.`);
  return organisation;
}

async function write(runtime: BaseRuntime, session: Session, change: Write<never>): Promise<void> {
  const nowMs = runtime.nowMs();
  const refusal = await commit(session, [change], {
    changedBy: 'operator',
    changedThrough: 'script:organisations',
    changedIn: runtime.newId('call', nowMs),
    nowMs,
  });
  if (refusal) throw new UsageError('The organisation was changed at the same time. Run the command again.');
}

const openFor = ({ client, tableNames }: BaseRuntime) =>
  openSession(client, tableNames, { organisations: ['GetItem', 'UpdateItem'] });
