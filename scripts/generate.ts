/**
 * `npm run generate`: writes every file and table that follows from the declarations, and says which files have changed. With
 * `--check` it writes nothing, and fails if a file is stale. `npm run generate -- openapi items` runs only these parts.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureDerived } from './derived/ensure.ts';
import { stopDatabase } from './generate/database.ts';
import { type Files, partNames, parts } from './generate/parts.ts';
import { readCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = `Usage: npm run generate [-- [--check] [part …]]
Parts: ${partNames.join(', ')}`;

const isCurrent = (file: string, text: string) =>
  existsSync(resolve(root, file)) && readFileSync(resolve(root, file), 'utf8') === text;

/** @returns the files whose text was not current */
function settle(files: Files, check: boolean): string[] {
  const stale = Object.entries(files).filter(([file, text]) => !isCurrent(file, text));
  if (!check) for (const [file, text] of stale) writeFileSync(resolve(root, file), text);
  return stale.map(([file]) => file);
}

async function main(): Promise<void> {
  const { values, positionals } = readCommand({ check: { type: 'boolean' } }, usage);
  const unknown = positionals.filter((name) => !partNames.includes(name));
  if (unknown.length > 0) throw new UsageError(`There is no part ${unknown.join(', ')}.\n${usage}`);
  const check = values.check ?? false;
  const stale = new Set<string>();
  // The parts import these files.
  await ensureDerived();
  for (const [name, load] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    if (process.stderr.isTTY) console.error(`generate: ${name}`);
    // A part imports files that earlier parts have written, so it is loaded only now.
    const { generate } = await load();
    for (const file of settle(await generate(), check)) stale.add(file);
  }
  await ensureDerived();
  const named = [...stale].join(', ');
  if (stale.size === 0) console.log('Everything generated is up to date.');
  else if (!check) console.log(`Changed: ${named}.`);
  else throw new UsageError(`Stale: ${named}. Run npm run generate and commit the result.`);
}

try {
  await main().finally(stopDatabase);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
