/**
 * `npm run bootstrap`: the first key, made with the operator's own AWS credentials and printed once.
 *
 *   npm run bootstrap -- --org "Acme"                     a new organisation and its root key
 *   npm run bootstrap -- --org "Acme" --mode test         the same, for test data
 *   npm run bootstrap -- --org org_… --new-root-key       another root key of an organisation, with all current scopes
 *   npm run bootstrap -- --org-id org_…                   the older form of the same
 *
 * The tables are those of the deployed stage (--stage NAME, dev when left out), or the ones that the functions' own
 * variables name (ORGANISATIONS_TABLE, API_KEYS_TABLE).
 */

import type { Mode } from '../lib/base/caller.ts';
import { idPattern } from '../lib/base/ids.ts';
import { bootstrapOrganisation, bootstrapRootKey, type RootKey } from '../lib/credentials/bootstrap.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import { explainMissingStage, openStage, readMode, readName, showRootKey } from './organisations/stage.ts';
import { requireActive } from './organisations/state.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';

const usage =
  'Usage: npm run bootstrap -- --org "Acme" | --org org_… --new-root-key  [--mode live|test] [--stage NAME]';

type Make = (runtime: BaseRuntime) => Promise<RootKey>;

async function main(): Promise<void> {
  const string = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { org: string, 'org-id': string, 'new-root-key': flag, mode: string, stage: string };
  const {
    org,
    'org-id': id,
    'new-root-key': isKeyOnly,
    mode: said,
    stage = 'dev',
  } = readOptions(options, usage);
  const subject = org ?? id;
  if (subject === undefined || (org !== undefined && id !== undefined)) throw new UsageError(usage);
  const mode = readMode(said);
  const make = isKeyOnly || id !== undefined ? rootKeyOf(subject, mode) : organisation(subject, mode);
  const runtime = openStage(stage);
  showRootKey(
    await make(runtime).catch((error: unknown) => {
      throw explainMissingStage(error, runtime);
    }),
  );
}

function organisation(text: string, mode: Mode): Make {
  if (idPattern('organisation').test(text))
    throw new UsageError(`${text} is an id. For another root key of this organisation, add --new-root-key.`);
  const name = readName(text, '--org');
  return (runtime) => bootstrapOrganisation(runtime, name, mode);
}

function rootKeyOf(id: string, mode: Mode): Make {
  if (!idPattern('organisation').test(id)) {
    throw new UsageError(
      `--new-root-key needs the id of an organisation (--org org_…): npm run organisations -- list`,
    );
  }
  return async (runtime) => {
    await requireActive(runtime, id);
    const key = await bootstrapRootKey(runtime, id, mode);
    if (!key)
      throw new UsageError(`The organisation ${id} was changed at the same time. Run the command again.`);
    return key;
  };
}

await runCommand(main, explainMistake);
