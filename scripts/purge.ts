/**
 * `npm run purge`: starts the purge of a deleted project, or continues a failed one. The worker does the work; GET
 * /projects/{project_id}/purge shows its progress. Run by the operator, with AWS credentials.
 *
 *   npm run purge -- --table NAME --tenant org_…#live --project proj_…          if it failed, or is due
 *   npm run purge -- --table NAME --tenant org_…#live --project proj_… --now    even if the project could be
 *                                                                               restored, or has been purged
 */

import { idPattern } from '../lib/base/ids.ts';
import { commit } from '../lib/dynamodb/commit.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore } from '../lib/dynamodb/store.ts';
import { tables } from '../lib/dynamodb/tables.ts';
import { beginPurge, getPurge, initialPurgeState, notePurge } from '../lib/projects/purges/store.ts';
import { getDeletedProject, getProject } from '../lib/projects/store.ts';
import { type BaseRuntime, createBaseRuntime } from '../lib/runtime/base-runtime.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run purge -- --table NAME --tenant org_…#live|test --project proj_… [--now]';

type Wanted = { tenant: string; project: string; now: boolean };

/** @returns the result, in one sentence @throws UsageError if the purge is not allowed */
export async function purge(
  { client, tableNames, nowMs, newId }: BaseRuntime,
  { tenant, project: id, now }: Wanted,
): Promise<string> {
  const session = openSession(client, tableNames, {
    projects: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  });
  const store = bindStore(session, tenant);
  const [purge, live, deleted] = await Promise.all([
    getPurge(store, id),
    getProject(store, id),
    // Also a project that is due, and not purged yet.
    getDeletedProject(store, id, 0),
  ]);
  if (live) throw new UsageError(`${id} is not deleted. Delete it first (DELETE /projects/${id}).`);
  if (purge?.status === 'succeeded' && !now) return `${id} was purged at ${purge.finishedAt}.`;
  if (deleted && Date.parse(deleted.purgeAt) > nowMs() && !now) {
    throw new UsageError(`${id} can still be restored until ${deleted.purgeAt}. Add --now to purge it.`);
  }
  const writes = purge
    ? [notePurge(store, id, initialPurgeState, { run: 1 })]
    : beginPurge(
        store,
        id,
        { deletedAt: deleted?.updatedAt ?? null, ...(deleted && { project: deleted }) },
        nowMs(),
      );
  const refusal = await commit(session, writes, {
    changedBy: 'operator',
    changedThrough: 'script:purge',
    changedIn: newId('call', nowMs()),
    nowMs: nowMs(),
  });
  if (refusal) throw new UsageError(`${id} was changed at the same time. Run the command again.`);
  return purge ? `The purge of ${id} continues.` : `The purge of ${id} starts.`;
}

function settings(): Wanted & { table: string } {
  const string = { type: 'string' } as const;
  const options = { table: string, tenant: string, project: string, now: { type: 'boolean' } } as const;
  const { table, tenant, project, now = false } = readOptions(options, usage);
  if (!table || !tenant || !project) throw new UsageError(usage);
  if (!/^org_[0-9A-Z]{26}#(live|test)$/.test(tenant))
    throw new UsageError('--tenant must be like org_…#live.');
  if (!idPattern('project').test(project)) throw new UsageError('--project must be the id of a project.');
  return { table, tenant, project, now };
}

async function main(): Promise<void> {
  const { table, ...wanted } = settings();
  console.log(await purge(createBaseRuntime({ ...process.env, [tables.projects.variable]: table }), wanted));
}

if (import.meta.main) await runCommand(main, explainMistake);
