/**
 * `npm run organisations`: the commands of an operator for organisations, with AWS credentials.
 *
 *   npm run organisations -- list                                 id, status, creation and name of each
 *   npm run organisations -- create "Acme" [--mode test]          a new one; prints its root key, once
 *   npm run organisations -- suspend org_…                        its next requests get 403
 *   npm run organisations -- resume org_…
 *   npm run organisations -- export org_… --to FOLDER             JSON lines of all tables, without hashes of secrets
 *   npm run organisations -- delete org_… --confirm "Acme"        all data, for good; it must be suspended
 *
 * The tables are those of the deployed stage (--stage NAME, dev when left out), or the ones that the functions' own variables
 * name (ORGANISATIONS_TABLE, …).
 */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { idPattern } from '../lib/base/ids.ts';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import { organisations, type StoredOrganisation } from '../lib/organisations/store.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import { deleteOrganisation } from './organisations/deletion.ts';
import { exportOrganisation } from './organisations/export.ts';
import { explainMissingStage, openStage, readMode, readName, showRootKey } from './organisations/stage.ts';
import { requireExisting, resume, statusOf, suspend } from './organisations/state.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readCommand, runCommand, UsageError } from './shared/options.ts';

const usage = `Usage: npm run organisations -- list
                                create NAME [--mode live|test]
                                suspend ORGANISATION
                                resume ORGANISATION
                                export ORGANISATION --to FOLDER
                                delete ORGANISATION --confirm NAME
All take [--stage NAME].`;

const commands: Record<string, (runtime: BaseRuntime, input: Input) => Promise<void>> = {
  async list(runtime, { subject }) {
    if (subject !== undefined) throw new UsageError(usage);
    for (const organisation of await listOrganisations(runtime)) {
      const { id, name, createdAt } = organisation;
      console.log([id, statusOf(organisation).padEnd(13), createdAt, name].join('  '));
    }
  },
  async create(runtime, { subject = '', mode }) {
    showRootKey(await bootstrapOrganisation(runtime, readName(subject, 'The name'), readMode(mode)));
  },
  async suspend(runtime, { subject }) {
    console.log(await suspend(runtime, readId(subject)));
  },
  async resume(runtime, { subject }) {
    console.log(await resume(runtime, readId(subject)));
  },
  async export(runtime, { subject, to }) {
    const organisationId = readId(subject);
    if (to === undefined) throw new UsageError(usage);
    await requireExisting(runtime, organisationId);
    const { tables } = await exportOrganisation(runtime, { organisationId, folder: to });
    for (const { table, items, sha256 } of tables) console.log(`${table}  ${items} items  ${sha256}`);
    console.error(`${to} has everything that is stored of ${organisationId}. It is private: mode 0600.`);
  },
  async delete(runtime, { subject, confirm }) {
    const organisationId = readId(subject);
    const proof = await deleteOrganisation(runtime, { organisationId, confirm }, (line) =>
      console.error(line),
    );
    for (const { table, removed, left } of proof) console.log(`${table}  ${removed} removed  ${left} left`);
    console.error(`Nothing of ${organisationId} is stored in the tables. See docs/runbook.md for copies.`);
  },
};

type Input = {
  /** The argument of the command: an id or a name. */
  subject: string | undefined;
  mode: string | undefined;
  /** The folder of an export. */
  to: string | undefined;
  /** The name of the organisation that is deleted. */
  confirm: string | undefined;
};

function readId(id: string | undefined): string {
  if (id === undefined) throw new UsageError(usage);
  if (!idPattern('organisation').test(id))
    throw new UsageError(`${id} is not the id of an organisation, org_…: npm run organisations -- list`);
  return id;
}

async function main(): Promise<void> {
  const string = { type: 'string' } as const;
  const { values, positionals } = readCommand(
    { mode: string, stage: string, to: string, confirm: string },
    usage,
  );
  const [command = '', subject, ...rest] = positionals;
  const act = commands[command];
  if (!act || rest.length > 0) throw new UsageError(usage);
  const runtime = openStage(values.stage ?? 'dev');
  const { mode, to, confirm } = values;
  await act(runtime, { subject, mode, to, confirm }).catch((error: unknown) => {
    throw explainMissingStage(error, runtime);
  });
}

await runCommand(main, explainMistake);

/** The table has one small item for each organisation, so it is read completely. */
async function listOrganisations({ client, tableNames }: BaseRuntime): Promise<StoredOrganisation[]> {
  const command = new ScanCommand({ TableName: tableNames.organisations, ConsistentRead: true });
  const found: StoredOrganisation[] = [];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    const own = (Items as Item[]).filter(({ tenant, id }) => tenant === id);
    found.push(...own.map(organisations.read));
    command.input.ExclusiveStartKey = LastEvaluatedKey;
  } while (command.input.ExclusiveStartKey);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
