/**
 * `npm run generate`: writes every file and table that follows from the declarations, and says which files have changed. With
 * `--check` it writes nothing, and fails if a file is stale. `npm run generate -- openapi items` runs only these parts.
 */

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ensureDerived } from './openapi/derived.ts';
import { type Files, withTables } from './shared/markdown.ts';
import { readCommand, runCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

/** The part measures the templates, which contain the bundles. */
const bundled = async (): Promise<unknown> => (await import('./bundle/bundle.ts')).bundle();

/** A part imports files that earlier parts have written, so it is loaded only when it runs. */
const parts = {
  /** The lists of the files in functions/ and workers/. */
  index: async () => (await import('./new/index-file.ts')).indexFiles(),
  /** A thread sends the requests, so other parts can compute at the same time. */
  requests: async () => {
    const thread = new Worker(new URL('./generate/requests-thread.ts', import.meta.url));
    // The promise is rejected if the thread fails.
    const [files] = await once(thread, 'message');
    return files;
  },
  /** The OpenAPI document with the examples that it has already, and everything that is made from it: quick, without a database. */
  openapi: async () => (await import('./openapi/outputs.ts')).writtenFiles(),
  /** The sizes of the stacks, the limits of AWS, and the waits for a place. */
  stacks: async () => {
    const { limitTable, stackTable } = await import('../measures/limits.ts');
    const { placesTable } = await import('../measures/places.ts');
    await bundled();
    return withTables('docs/capacity.md', {
      limits: limitTable(),
      stacks: stackTable(),
      places: placesTable(),
    });
  },
  items: async () => (await import('./generate/documents.ts')).items(),
  documents: async () => (await import('./generate/documents.ts')).documents(),
  /** The costs of the requests and of the stacks: from the templates, and from the table in docs/storage.md. */
  costs: async () => {
    const { costTables } = await import('../measures/costs.ts');
    await bundled();
    return withTables('docs/costs.md', { costs: costTables() });
  },
} satisfies Record<string, () => Promise<Files>>;

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
    return parts[part]();
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

await runCommand(main);
