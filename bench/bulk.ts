/** All messages of a project: stored by an import of a file, and read by a list with transcripts and by an export. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../clients/typescript/src/index.ts';
import exporter from '../workers/exporter.ts';
import importer from '../workers/importer.ts';
import { type Caller, costOf, serve } from './bulk-service.ts';
import { runFile } from './child.ts';
import { messagesEach } from './conversation-history.ts';
import type { Findings } from './findings.ts';
import { watchMachine } from './machine.ts';
import type { Bench } from './service.ts';
import { count, median, megabytes, progress, spread } from './statistics.ts';

const conversations = 1000;
const messages = conversations * messagesEach;
const rounds = 3;
const atOnce = 8;

type Row = {
  name: string;
  seconds: number;
  requests: number;
  readUnits: number;
  writeUnits: number;
  callerBytes: number;
  workerBytes: number | undefined;
  sentBytes: number;
  cost: number;
};

export async function bulk(bench: Bench): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
  const service = await serve(bench, { tenant: `${bench.organisationId}#live`, folder });
  const platform = new Platform({ baseUrl: service.baseUrl, apiKey: bench.key });
  const measured: Row[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { id: project } = await platform.projects.create({ name: 'Bulk' });
    const rows: Row[] = [];
    const measure = async (name: string, expected: number, args: readonly string[]) => {
      progress(`bulk: round ${round} of ${rounds}, ${name}`);
      await watchMachine();
      const { caller, work } = await service.during(() =>
        runFile<Caller>('bulk-caller.ts', args, {
          PLATFORM_BASE_URL: service.baseUrl,
          PLATFORM_API_KEY: bench.key,
        }),
      );
      if (caller.messages !== expected) throw new Error(`${name}: ${caller.messages} messages`);
      rows.push({
        name,
        seconds: caller.seconds,
        requests: work.requests,
        readUnits: work.readUnits + (work.worker?.readUnits ?? 0),
        writeUnits: work.writeUnits + (work.worker?.writeUnits ?? 0),
        callerBytes: caller.grownBytes,
        workerBytes: work.worker?.grownBytes,
        sentBytes: work.sentBytes,
        cost: costOf(work),
      });
    };
    const file = ['import', project, String(conversations)];
    await measure('an import', messages, file);
    await measure('the same again, which changes nothing', 0, file);
    await measure('a list, and a transcript of each conversation', messages, ['loop', project, '1']);
    await measure(`… ${atOnce} transcripts at the same time`, messages, ['loop', project, String(atOnce)]);
    await measure('an export', messages, ['export', project]);
    measured.push(rows);
  }
  service.stop();
  rmSync(folder, { recursive: true });
  const [first = []] = measured;
  return {
    head: ['', 'time', 'requests', 'read units', 'write units', 'memory: caller, worker', 'sent', 'cost'],
    rows: first.map(({ name }, index) => {
      const of = (field: (row: Row) => number) =>
        measured.map((rows) => (rows[index] ? field(rows[index]) : Number.NaN));
      const worker = of(({ workerBytes }) => workerBytes ?? Number.NaN);
      return [
        name,
        spread(
          of(({ seconds }) => seconds),
          's',
        ),
        count(median(of(({ requests }) => requests))),
        count(median(of(({ readUnits }) => readUnits))),
        count(median(of(({ writeUnits }) => writeUnits))),
        [of(({ callerBytes }) => callerBytes), worker]
          .map(median)
          .filter((bytes) => !Number.isNaN(bytes))
          .map(megabytes)
          .join(', '),
        megabytes(median(of(({ sentBytes }) => sentBytes))),
        `$${median(of(({ cost }) => cost)).toFixed(4)}`,
      ];
    }),
    notes:
      `${count(messages)} messages in ${count(conversations)} conversations, each message with a \`clientMessageId\`. DynamoDB Local, the ` +
      `service, the caller and the workers (${importer.memoryMb} MB and ${exporter.memoryMb} MB) share the machine. Memory is how much a process ` +
      'grew at most after it had loaded its code. Sent is what left the service, compressed. The cost has API Gateway, Lambda, DynamoDB and the ' +
      'transfer to the internet, without logs. S3 is less than a hundredth of it.',
    rounds: `${rounds} rounds, each in a new project`,
    spread: 'medians, with the lowest and the highest time in brackets',
    budgeted: [],
  };
}
