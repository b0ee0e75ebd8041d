/** The work of a worker on the notices of a tenant, until it ends, waits, or its turn is over. */

import { inBatches } from '../base/batches.ts';
import { type Mode, type Tenant, tenantOf } from '../base/caller.ts';
import { allowOnly } from '../base/files.ts';
import type { IdKind, NewId } from '../base/ids.ts';
import { writeEach } from '../dynamodb/batch.ts';
import { commit } from '../dynamodb/commit.ts';
import { openSession } from '../dynamodb/session.ts';
import { bindStore } from '../dynamodb/store.ts';
import type { Author } from '../dynamodb/write.ts';
import { noModels } from '../models/models.ts';
import { getOrganisation, isKept } from '../organisations/store.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import type { Notice, Notices } from './notice.ts';
import { hasPlace, NoPlace, type NoticePlaces, type SendAgain, withPlaces } from './places.ts';
import { isActive, Suspended, waitForResumption } from './suspension.ts';
import { TurnOver } from './turn.ts';
import type { Outside, Worker, WorkerInput, Write } from './worker.ts';

/** Work whose turns have stored nothing so often in a row has failed. A job counts its own attempts, and ends before that. */
const maxIdleTurns = 20;
/** The number of notices that begin to wait for the end of a suspension at the same time. */
const waitingAtOnce = 10;

/** @returns how many turns of the notices in a row have stored nothing */
export const idleTurnsOf = (notices: Notices): number =>
  Math.max(...notices.map(({ idleTurns = 0 }) => idleTurns));

const modeOf = (tenant: Tenant): Mode => (tenant.endsWith('#test') ? 'test' : 'live');

/** Each commit is a call of its own. */
function authorOf({ id }: Worker, newId: NewId, nowMs: number): Author {
  const name = `worker:${id}`;
  return { changedBy: name, changedThrough: name, changedIn: newId('call', nowMs), nowMs };
}

/** What a worker may do only while the organisation is active. A worker that continues during a suspension sends nothing outside. */
function gateOf(
  { id, whileSuspended }: Worker,
  readOrganisation: WorkerInput['readOrganisation'],
  outside: Outside,
  takePlace: () => Promise<void>,
): Pick<WorkerInput, 'goOn' | 'outside'> {
  if (whileSuspended === 'continues') {
    const refuse = () => Promise.reject(new Error(`${id} continues while its organisation is suspended`));
    return { goOn: refuse, outside: refuse };
  }
  const goOn = async () => {
    const organisation = await readOrganisation();
    if (!isActive(organisation)) throw new Suspended();
    return organisation;
  };
  return {
    goOn,
    outside: () =>
      goOn()
        .then(takePlace)
        .then(() => outside),
  };
}

/** The notices of work that waits come again when the organisation is resumed. */
async function handleOrWait(worker: Worker, notices: Notices, input: WorkerInput): Promise<void> {
  const waits = worker.whileSuspended === 'waits' && !worker.removes;
  for (let { organisation } = input; ; ) {
    try {
      if (waits && !isActive(organisation)) throw new Suspended();
      return await worker.handle(notices, { ...input, organisation });
    } catch (error) {
      if (!(error instanceof Suspended)) throw error;
    }
    const waiting = await inBatches(notices, waitingAtOnce, ({ table, partition, id }) =>
      waitForResumption(input.store, { worker: worker.id, table, partition, id }, input),
    );
    if (waiting.every((isWaiting) => isWaiting)) return;
    // It has been resumed in the meantime.
    organisation = (await input.readOrganisation()) ?? organisation;
  }
}

/** `over`: it goes on in the next turn. `idle`: as `over`, and has stored nothing. `waits`: it waits in an item for a place. */
export type End = 'done' | 'failed' | 'over' | 'idle' | 'waits';

function endOf(thrown: unknown, hasStored: boolean): End {
  if (thrown instanceof NoPlace) return 'waits';
  if (thrown instanceof TurnOver) return hasStored ? 'over' : 'idle';
  return 'failed';
}

export async function work(
  worker: Worker,
  runtime: BaseRuntime,
  notices: Notices,
  { sendAgain, ...given }: Pick<WorkerInput, 'remainingMs' | 'turn' | 'later'> & { sendAgain: SendAgain },
): Promise<End> {
  const startedMs = runtime.elapsedMs();
  const { client, tableNames, nowMs, newId, sleep, fence } = runtime;
  const { auditDays, secretBox, network, elapsedMs, randomFraction, log } = runtime;
  const outside = { auditDays, secretBox, network, elapsedMs, randomFraction, log };
  const session = openSession(client, tableNames, worker.access);
  const [{ tenant, id: item }] = notices;
  const about = { worker: worker.id, tenant, item };
  let outcome: End = 'done';
  let hasStored = false;
  try {
    // A notice of a deleted organisation, left in a queue, must not cause a write.
    const [organisationId = ''] = tenant.split('#');
    const readOrganisation = () => getOrganisation(session, organisationId);
    const organisation = await readOrganisation();
    if (isKept(organisation)) {
      const files = allowOnly(runtime.files, worker.files);
      const models = worker.models ? runtime.models : noModels;
      const base = {
        inMode: (mode: Mode) => bindStore(session, tenantOf(organisationId, mode)),
        // Each commit is a version of its own: a worker may change the same item several times.
        commit: (writes: readonly Write[]) => commit(session, writes, authorOf(worker, newId, nowMs())),
        sleep,
        nowMs,
        newId: (kind: IdKind) => newId(kind, nowMs()),
        quotas: runtime.limits[modeOf(tenant)].quotas,
      };
      const takesOutside = worker.longPiece?.from === 'outside';
      const inputWith = (
        first: Notice,
        { take, leave }: Pick<NoticePlaces, 'take' | 'leave'>,
      ): WorkerInput => ({
        ...base,
        store: bindStore(session, tenant),
        organisation,
        readOrganisation,
        takePlace: (notice) => hasPlace(take(notice)),
        leavePlace: leave,
        ...gateOf(worker, readOrganisation, { network, models, files }, async () => {
          if (takesOutside) await take(first);
        }),
        async commit(writes) {
          const refusal = await base.commit(writes);
          hasStored ||= refusal === undefined;
          return refusal;
        },
        writeEach(writes, signal) {
          hasStored = true;
          return writeEach(session, writes, { sleep, signal });
        },
        fence,
        files,
        models,
        ...given,
        ...outside,
      });
      await withPlaces(worker, notices, base, sendAgain, (ready, places) =>
        handleOrWait(worker, ready, inputWith(ready[0], places)),
      );
    }
  } catch (thrown) {
    outcome = endOf(thrown, hasStored);
    const isStuck = outcome === 'idle' && idleTurnsOf(notices) >= maxIdleTurns;
    if (isStuck) outcome = 'failed';
    const fault = isStuck ? new Error('the last turns have stored nothing') : thrown;
    if (outcome === 'failed') runtime.log({ level: 'error', message: 'work failed', ...about, fault });
  }
  const durationMs = Math.round(runtime.elapsedMs() - startedMs);
  const counts = { notices: notices.length, failed: outcome === 'failed', durationMs };
  runtime.log({ level: 'info', message: 'work', ...about, ...counts, ...session.usage });
  return outcome;
}
