/** The import of a file, and what it costs. A fifth of the conversations of bench/bulk.ts, because their writes take long. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import importer from '../workers/importer.ts';
import { type Caller, costOf, count, megabytes, run, serve } from './bulk-service.ts';
import { messagesEach } from './conversation-history.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

const conversations = 1000;

export async function bulkImport(bench: Bench): Promise<string> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Import' } });
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  const service = await serve(bench, { tenant: `${bench.organisationId}#live`, folder });
  const rows: string[][] = [];
  for (const name of ['an import', 'the same again, which changes nothing']) {
    progress(`bulk-import: ${name}`);
    const { caller, work } = await service.during(() =>
      run<Caller>('bulk-caller.ts', ['import', String(data.id), String(conversations)], {
        PLATFORM_BASE_URL: service.baseUrl,
        PLATFORM_API_KEY: bench.key,
      }),
    );
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
  }
  service.stop();
  rmSync(folder, { recursive: true });
  const memory = ["caller's memory", "worker's memory"];
  return [
    table(['', 'time', 'requests', 'read units', 'write units', ...memory, 'cost'], rows),
    '',
    `${count(conversations * messagesEach)} messages in ${count(conversations)} conversations, each message with a ` +
      `\`clientMessageId\`, as above. The worker has ${importer.memoryMb} MB.`,
  ].join('\n');
}
