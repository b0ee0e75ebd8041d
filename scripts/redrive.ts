/**
 * `npm run redrive`: returns the dead letters of a worker to its queue, after the cause is fixed. Run by the operator, with AWS
 * credentials.
 *
 *   npm run redrive -- --worker message-indexer                  in the stage dev
 *   npm run redrive -- --worker message-indexer --stage prod
 *   npm run redrive -- --worker dispatcher                       the notices that a queue has refused
 *   npm run redrive -- --worker message-indexer --list           only shows dead letters, one per line
 *
 * It receives, sends, and then deletes, so nothing is lost if it is interrupted. Then a notice may come twice, which workers
 * allow. (SQS's own StartMessageMoveTask does the same, but drops the MessageGroupId† and is unknown to emulators.)
 */

import { type Message, SQSClient } from '@aws-sdk/client-sqs';
import { dispatcherId, type Letter } from '../lib/workers/dispatcher.ts';
import { type Notice, readNotice } from '../lib/workers/notice.ts';
import { sendNotices } from '../lib/workers/sqs.ts';
import { deadLettersName, queueName } from '../lib/workers/worker.ts';
import { workers } from '../workers/index.ts';
import { explainMistake } from './shared/mistakes.ts';
import { readOptions, runCommand, UsageError } from './shared/options.ts';
import { drain, urlOfQueue } from './workers/queues.ts';

const usage = 'Usage: npm run redrive -- --worker ID [--stage NAME] [--list]';

/** @returns how many dead letters went back, and how many stay because they name no notice */
export async function redrive(
  client: SQSClient,
  { worker, stage }: { worker: string; stage: string },
): Promise<{ returned: number; left: number }> {
  const counts = { returned: 0, left: 0 };
  const urls = new Map<string, string>();
  await drain(client, await urlOfQueue(client, deadLettersName(stage, worker)), async (messages) => {
    const readable = messages.flatMap((message) => {
      const letter = readLetter(worker, message);
      return letter ? [{ message, ...letter }] : [];
    });
    counts.left += messages.length - readable.length;
    const sent: Message[] = [];
    for (const [to, letters] of Map.groupBy(readable, (letter) => letter.to)) {
      const url = urls.get(to) ?? (await urlOfQueue(client, queueName(stage, to)));
      urls.set(to, url);
      const notices = letters.map(({ notice }) => notice);
      const refused = new Set(await sendNotices(client, url, notices));
      sent.push(...letters.filter(({ notice }) => !refused.has(notice)).map(({ message }) => message));
      counts.left += refused.size;
    }
    counts.returned += sent.length;
    return sent;
  });
  return counts;
}

/** Shows dead letters, and leaves them where they are. */
export async function listDeadLetters(
  client: SQSClient,
  { worker, stage }: { worker: string; stage: string },
  show: (body: string) => void,
): Promise<void> {
  const url = await urlOfQueue(client, deadLettersName(stage, worker));
  const showAll = async (messages: readonly Message[]) => {
    for (const { Body = '' } of messages) show(Body);
    return [];
  };
  await drain(client, url, showAll, 0);
}

/** @returns the notice in a dead letter, and the worker that it is for; undefined if there is none */
function readLetter(worker: string, { Body = '' }: Message): { to: string; notice: Notice } | undefined {
  try {
    if (worker !== dispatcherId) return { to: worker, notice: readNotice(Body) };
    const letter = JSON.parse(Body) as Partial<Letter>;
    return letter.worker && letter.notice ? { to: letter.worker, notice: letter.notice } : undefined;
  } catch {
    return undefined;
  }
}

function settings(): { worker: string; stage: string; list: boolean } {
  const string = { type: 'string' } as const;
  const options = { worker: string, stage: string, list: { type: 'boolean' } } as const;
  const { worker, stage = 'dev', list = false } = readOptions(options, usage);
  const known = [...workers.map(({ id }) => id), dispatcherId];
  if (!worker) throw new UsageError(usage);
  if (!known.includes(worker)) throw new UsageError(`--worker must be one of: ${known.join(', ')}.`);
  return { worker, stage, list };
}

async function main(): Promise<void> {
  const { worker, stage, list } = settings();
  if (list) return listDeadLetters(new SQSClient({}), { worker, stage }, (body) => console.log(body));
  const { returned, left } = await redrive(new SQSClient({}), { worker, stage });
  console.log(`${returned} dead letters of ${worker} returned.`);
  if (left > 0) {
    console.log(
      `${left} stay, because they name no notice. Read them, and run npm run replay for their table.`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.main) await runCommand(main, explainMistake);
