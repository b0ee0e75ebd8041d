/** `npm run new`: writes the files of a new endpoint, worker, event or resource, and says which decisions are left. */

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { eventTypeNames } from '../lib/events/types.ts';
import type { Change } from './new/change.ts';
import { newEndpoint } from './new/endpoint.ts';
import { newEvent } from './new/event.ts';
import { indexFiles } from './new/index-file.ts';
import { endpointsInFiles, knownInFiles, workersInFiles } from './new/known.ts';
import { newResource } from './new/resource.ts';
import { newWorker } from './new/worker.ts';
import { readWords, runCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = `Usage: npm run new -- endpoint <id> <METHOD> <path>
       npm run new -- worker <id> <table>
       npm run new -- event <type>
       npm run new -- resource <plural> <singular> <id prefix>
Such as: npm run new -- endpoint projects.transfer POST '/projects/{project_id}/transfer'
         npm run new -- worker avatar-archiver projects
         npm run new -- event avatar.archived
         npm run new -- resource widgets widget wdg`;

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

async function planned([kind, ...words]: readonly string[]): Promise<Change> {
  const [first = '', second = '', third = ''] = words;
  if (kind === 'endpoint' && words.length === 3)
    return newEndpoint({ id: first, method: second, path: third }, await knownInFiles(), read);
  if (kind === 'worker' && words.length === 2) {
    const endpoints = await endpointsInFiles();
    return newWorker(first, second, [...workersInFiles(), ...endpoints.map(({ id }) => id)]);
  }
  if (kind === 'event' && words.length === 1) return newEvent(first, eventTypeNames, read);
  if (kind === 'resource' && words.length === 3) {
    const folders = globSync('lib/*/', { cwd: root }).map((folder) => basename(folder));
    return newResource([first, second, third], folders, read);
  }
  throw new UsageError(usage);
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(resolve(root, file)), { recursive: true });
    writeFileSync(resolve(root, file), text);
  }
}

async function main(): Promise<void> {
  const { created, changed, next } = await planned(readWords(usage));
  const taken = Object.keys(created).find((file) => existsSync(resolve(root, file)));
  if (taken) throw new UsageError(`There is a file ${taken} already.`);
  write({ ...created, ...changed });
  const lists = await indexFiles();
  write(lists);
  const written = [...Object.keys(created), ...Object.keys(changed)];
  const formatted = [...written, ...Object.keys(lists)].filter((file) => file.endsWith('.ts'));
  execFileSync('npx', ['--no', 'biome', 'check', '--write', ...formatted], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const steps = [...next, 'npm run generate && npm run check'];
  console.log(`Wrote ${written.join(', ')}.

Next:
${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}`);
}

await runCommand(main);
