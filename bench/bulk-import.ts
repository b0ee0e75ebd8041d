/** The import of a file, and of an export; and what they cost. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../clients/typescript/src/index.ts';
import type { Json } from '../scripts/local/call.ts';
import { copiedContent } from '../test/support/copied-content.ts';
import importer from '../workers/importer.ts';
import { type Caller, costOf, count, megabytes, run, serve } from './bulk-service.ts';
import { messagesEach } from './conversation-history.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

const conversations = 5000;
const messages = conversations * messagesEach;

export async function bulkImport(bench: Bench): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  const service = await serve(bench, { tenant: `${bench.organisationId}#live`, folder });
  const platform = new Platform({ baseUrl: service.baseUrl, apiKey: bench.key });
  const [source, target] = await Promise.all(
    ['Import', 'Copy'].map(async (name) => (await platform.projects.create({ name })).id),
  );
  if (!source || !target) throw new Error('two projects are needed');
  const rows: string[][] = [];
  const measure = async (name: string, stored: number, args: readonly string[]) => {
    progress(`bulk-import: ${name}`);
    const { caller, work } = await service.during(() =>
      run<Caller>('bulk-caller.ts', args, {
        PLATFORM_BASE_URL: service.baseUrl,
        PLATFORM_API_KEY: bench.key,
      }),
    );
    if (caller.messages !== stored) throw new Error(`${name}: ${caller.messages} messages`);
    rows.push([
      name,
      `${caller.seconds.toFixed(1)} s`,
      count(work.requests),
      count(work.readUnits + (work.worker?.readUnits ?? 0)),
      count(work.writeUnits + (work.worker?.writeUnits ?? 0)),
      megabytes(caller.grownBytes),
      megabytes(work.worker?.grownBytes ?? 0),
      `$${costOf(work).toFixed(4)}`,
    ]);
  };
  const exported = async (project: string) => {
    progress('bulk-import: an export to compare');
    const { exports, jobs } = platform.projects(project);
    const { id } = await jobs.waitForSuccess(exports.create({ what: 'conversations' }));
    const lines: Json[] = [];
    for await (const line of exports.lines<Json>(id)) lines.push(line);
    return { id, content: copiedContent(lines) };
  };
  const file = ['import', source, String(conversations)];
  await measure('an import', messages, file);
  await measure('the same again, which changes nothing', 0, file);
  const original = await exported(source);
  await measure('its export, into another project', messages, ['copy', target, source, original.id]);
  const copy = await exported(target);
  if (original.content.length !== conversations) throw new Error(`${original.content.length} lines`);
  if (copy.content.some((line, index) => line !== original.content[index])) throw new Error('a copy differs');
  service.stop();
  rmSync(folder, { recursive: true });
  const memory = ["caller's memory", "worker's memory"];
  return [
    table(['', 'time', 'requests', 'read units', 'write units', ...memory, 'cost'], rows),
    '',
    `${count(messages)} messages in ${count(conversations)} conversations, each message with a ` +
      `\`clientMessageId\`, as above. The worker has ${importer.memoryMb} MB. An export of the other project ` +
      `has the same ${count(copy.content.length)} lines, except for ids and storage times: the benchmark compares them.`,
  ].join('\n');
}
