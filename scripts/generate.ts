/**
 * `npm run generate`: writes every file and table that follows from the declarations, and says which files have changed. With
 * `--check` it writes nothing, and fails if a file is stale. `npm run generate -- openapi items` runs only these parts.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureDerived } from './derived/ensure.ts';
import type { Files } from './generate/files.ts';
import { readCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

/** A part imports files that earlier parts have written, so it is loaded only when it runs. */
const parts = {
  index: () => import('./generate/index-files.ts'),
  requests: () => import('./generate/requests.ts'),
  openapi: () => import('./generate/openapi.ts'),
  stacks: () => import('./generate/stacks.ts'),
  items: () => import('./generate/items.ts'),
  documents: () => import('./generate/documents.ts'),
  costs: () => import('./generate/costs.ts'),
} as const;

type Part = keyof typeof parts;

const isPart = (name: string): name is Part => Object.hasOwn(parts, name);

const usage = `Usage: npm run generate [-- [--check] [part …]]
Parts: ${Object.keys(parts).join(', ')}`;

/** `requests` writes what `openapi` writes. */
const everything: readonly Part[] = ['index', 'requests', 'stacks', 'items', 'documents', 'costs'];

const isCurrent = (file: string, text: string) =>
  existsSync(resolve(root, file)) && readFileSync(resolve(root, file), 'utf8') === text;

/** @returns the files that were not current */
async function generate(chosen: readonly Part[], check: boolean): Promise<Set<string>> {
  const stale = new Set<string>();
  const filesOf = async (part: Part): Promise<Files> => {
    if (!chosen.includes(part)) return {};
    if (process.stderr.isTTY) console.error(`generate: ${part}`);
    return (await parts[part]()).generate();
  };
  const settle = (files: Files) => {
    for (const [file, text] of Object.entries(files)) {
      if (isCurrent(file, text)) continue;
      stale.add(file);
      if (!check) writeFileSync(resolve(root, file), text);
    }
  };
  settle(await filesOf('index'));
  // The requests are in a thread, and take longer than the stacks.
  const [requests, stacks] = await Promise.all([filesOf('requests'), filesOf('stacks')]);
  settle({ ...requests, ...stacks });
  for (const part of ['openapi', 'items', 'documents', 'costs'] as const) settle(await filesOf(part));
  return stale;
}

async function main(): Promise<void> {
  const { values, positionals } = readCommand({ check: { type: 'boolean' } }, usage);
  const unknown = positionals.filter((name) => !isPart(name));
  if (unknown.length > 0) throw new UsageError(`There is no part ${unknown.join(', ')}.\n${usage}`);
  const check = values.check ?? false;
  // CDK's own checks of the templates, which test/infra/app.test.ts runs, take more than half of each synthesis.
  process.env.CDK_VALIDATION = 'false';
  // The parts import these files, which follow from what the parts write.
  await ensureDerived();
  const stale = await generate(positionals.length > 0 ? positionals.filter(isPart) : everything, check);
  await ensureDerived();
  const named = [...stale].join(', ');
  if (stale.size === 0) console.log('Everything generated is up to date.');
  else if (!check) console.log(`Changed: ${named}.`);
  else throw new UsageError(`Stale: ${named}. Run npm run generate and commit the result.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
