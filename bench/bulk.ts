/**
 * All messages of a project: by a list and a transcript of each conversation, as callers did before there were exports, and by
 * an export; and their import.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inBatches } from '../lib/base/batches.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import exporter from '../workers/exporter.ts';
import { type Caller, costOf, count, megabytes, run, serve, type Worker } from './bulk-service.ts';
import { fillConversation, messagesEach } from './conversation-history.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

const conversations = 5000;
const messages = conversations * messagesEach;
const atOnce = 8;

export async function bulk(bench: Bench): Promise<string> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Bulk' } });
  const project = data as StoredProject;
  const tenant = `${bench.organisationId}#live`;
  const target = { tenant, project, terms: new Set<string>() };
  const numbers = Array.from({ length: conversations }, (_, number) => number);
  progress(`bulk: filling ${conversations} conversations`);
  const nowMs = Date.now();
  await inBatches(numbers, atOnce, (number) => fillConversation(bench.runtime, target, number, nowMs));
  const folder = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
  const service = await serve(bench, { tenant, folder });
  const ways = [
    ['a list, and a transcript of each conversation', 'loop', 1],
    [`the same, ${atOnce} at the same time`, 'loop', atOnce],
    ['an export', 'export', 1],
  ] as const;
  const rows: string[][] = [];
  let worker: Worker | undefined;
  for (const [name, way, lanes] of ways) {
    progress(`bulk: ${name}`);
    const { caller, work } = await service.during(() =>
      run<Caller>('bulk-caller.ts', [way, project.id, String(lanes)], {
        PLATFORM_BASE_URL: service.baseUrl,
        PLATFORM_API_KEY: bench.key,
      }),
    );
    if (caller.messages !== messages) throw new Error(`${name}: ${caller.messages} messages`);
    worker = work.worker ?? worker;
    rows.push([
      name,
      `${caller.seconds.toFixed(1)} s`,
      count(work.requests),
      count(work.readUnits + (work.worker?.readUnits ?? 0)),
      megabytes(caller.grownBytes),
      megabytes(work.sentBytes),
      `$${costOf(work).toFixed(4)}`,
    ]);
  }
  service.stop();
  rmSync(folder, { recursive: true });
  const head = ['', 'time', 'requests', 'read units', "caller's memory", 'sent', 'cost'];
  return [
    table(head, rows),
    '',
    `${count(messages)} messages in ${count(conversations)} conversations, with DynamoDB Local, the service and the caller on one ` +
      `machine. The export's worker took ${worker?.seconds.toFixed(1)} s and ${megabytes(worker?.grownBytes ?? 0)}, of ` +
      `the ${exporter.memoryMb} MB that it has. Memory is how much a process grew at most after it had loaded its code. Sent is what left ` +
      'the service, compressed. The cost has API Gateway, Lambda, DynamoDB and the transfer to the internet, without logs. ' +
      'S3 is less than a hundredth of it.',
  ].join('\n');
}
