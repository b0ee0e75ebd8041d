/**
 * `npm run upgrade`: rewrites the items that earlier versions of the service have stored, so that they have all attributes of
 * items of this version. `npm run replay` does not fit: it sends items to workers, and rewrites none. Run by the operator, with AWS
 * credentials, before the deploy of this version and after a restore (docs/runbook.md, docs/restore.md).
 *
 *   npm run upgrade -- --stage prod                                     all tables of the stage
 *   npm run upgrade -- --table PlatformApi-prod-projects-restored       one table, of a stage or restored
 *
 * It reads the tables completely. It may run while the API is open, and may be interrupted and repeated: items that are complete
 * stay as they are.
 */

import { tableNames as allTables, type TableName } from '../lib/dynamodb/tables.ts';
import { explainMissingStage, openStage } from './organisations/stage.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';
import { upgradedTables } from './upgrade/rules.ts';
import { upgradeTable } from './upgrade/upgrade.ts';

const usage = 'Usage: npm run upgrade -- --stage NAME | --table NAME';

async function main(): Promise<void> {
  const { stage, table } = readOptions({ stage: { type: 'string' }, table: { type: 'string' } }, usage);
  if ((stage === undefined) === (table === undefined)) throw new UsageError(usage);
  const runtime = openStage(stage ?? 'dev');
  const names =
    table === undefined
      ? upgradedTables.map((one) => [one, runtime.tableNames[one] ?? ''] as const)
      : [[tableIn(table), table] as const];
  for (const [one, name] of names) {
    const { read, rewritten } = await upgradeTable(runtime.client, {
      table: one,
      name,
      note: console.log,
    }).catch((error: unknown) => {
      throw explainMissingStage(error, runtime);
    });
    console.log(`${name}: ${rewritten} of ${read} items rewritten`);
  }
}

/** @param name of a table of a stage, or of one that is restored beside it */
function tableIn(name: string): TableName {
  const found = allTables.find((table) => name.replace(/-restored$/, '').endsWith(`-${table}`));
  if (!found) throw new UsageError(`${name} is not a table of a stage. ${usage}`);
  return found;
}

await runCommand(main, explainMistake);
