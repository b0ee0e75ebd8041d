/** A worker's bundled function in processes that can be killed. */

import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { filesVariable } from '../../lib/base/files.ts';
import { numbered } from '../../lib/dynamodb/places.ts';
import { type Notice, organisationOf } from '../../lib/workers/notice.ts';
import { placesOf } from '../../lib/workers/places.ts';
import { queueVariable, type Worker } from '../../lib/workers/worker.ts';
import { testRuntime } from '../../samples/api.ts';
import { queueEvent } from '../../samples/lambda-queue.ts';
import { localSettings, testTables } from '../../samples/tables.ts';
import { functionFolder } from '../../scripts/bundle/bundle.ts';
import { type AwsBeside, openAwsBeside } from './aws-beside.ts';

/**
 * Call this at the top of a test file. It kills what still runs at the end.
 * @param env additional variables
 * @returns a function that processes a batch in a new process, which is killed after the given milliseconds
 */
export function killable(worker: Worker, env: Readonly<Record<string, string>> = {}) {
  const children = new Set<ChildProcess>();
  let aws: AwsBeside;
  beforeAll(async () => {
    aws = await openAwsBeside();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await aws.close();
  });

  function startChild() {
    const child = fork(resolve(import.meta.dirname, 'worker-child.ts'), {
      env: {
        ...process.env,
        ...localSettings(),
        ...testTables(),
        AWS_ENDPOINT_URL_SQS: aws.url,
        AWS_ENDPOINT_URL_S3: aws.url,
        [queueVariable(worker.id)]: `${aws.url}/queue`,
        [filesVariable]: 'files',
        WORKER: resolve(functionFolder(worker), 'index.mjs'),
        ...env,
      },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.add(child);
    const exited = once(child, 'exit').then(([code, signal]) => {
      children.delete(child);
      return signal ?? `exit ${code}`;
    });
    return { child, exited, ready: once(child, 'message') };
  }

  /** Starts while the previous one works. */
  let next: ReturnType<typeof startChild> | undefined;

  /**
   * @returns the end, the duration, the notices that come next, and those that the process has sent to its queue. The end is `done`,
   *   `again` if notices went back to the queue, `failed`, or the signal
   */
  return async function run(notices: readonly Notice[], killAfterMs = Number.POSITIVE_INFINITY) {
    const { child, exited, ready } = next ?? startChild();
    next = startChild();
    await ready;
    const begun = performance.now();
    const said = once(child, 'message').then(([message]) => message as string);
    child.send(queueEvent(notices));
    if (killAfterMs < Number.POSITIVE_INFINITY) {
      const isOver = await Promise.race([said, exited, sleep(killAfterMs)]);
      if (!isOver) child.kill('SIGKILL');
    }
    const outcome = await Promise.race([said, exited]);
    const tookMs = performance.now() - begun;
    child.kill('SIGKILL');
    await exited;
    const sent = aws.takeNotices();
    if (outcome !== 'done') {
      await expirePlaces(worker, notices);
      return { end: outcome, tookMs, left: notices, sent };
    }
    return { end: sent.length > 0 ? 'again' : 'done', tookMs, left: sent, sent };
  };
}

/** The places of a killed function expire when its time is over. The processes have a real clock, so that would take minutes. */
async function expirePlaces(worker: Worker, [notice]: readonly Notice[]): Promise<void> {
  if (!worker.longPiece || !notice) return;
  const { client, tableNames } = testRuntime();
  const tenant = `${organisationOf(notice)}#live#places#${worker.id}`;
  const keys = numbered(placesOf(worker)).map((id) => ({ tenant, id }));
  await Promise.all(
    keys.map((Key) => client.send(new DeleteCommand({ TableName: tableNames.schedule, Key }))),
  );
}

/** @returns a generator of numbers from 0 to below 1, the same for the same seed */
export function chanceOf(seed: number) {
  let drawn = 0;
  return () => Number.parseInt(hash('sha256', `${seed} ${drawn++}`).slice(0, 8), 16) / 2 ** 32;
}
