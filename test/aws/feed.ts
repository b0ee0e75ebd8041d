/** The change feed of the deployed stage: failing and killed workers, dead letters, and how soon a change has its effect. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stackName } from '../../infra/names.ts';
import { sweeper } from '../../lib/conversations/sweep.ts';
import { type TableName, tableNameIn } from '../../lib/dynamodb/tables.ts';
import { dispatcherId } from '../../lib/workers/dispatcher.ts';
import { maxReceives } from '../../lib/workers/notice.ts';
import { deadLettersName, queueName } from '../../lib/workers/worker.ts';
import type { ContractApi, Json } from '../../samples/api.ts';
import { commandOf } from '../../scripts/shared/tools.ts';
import { urlOfQueue } from '../../scripts/workers/queues.ts';
import { workers } from '../../workers/index.ts';
import { type Account, run } from '../support/aws-account.ts';
import { openHarmfulRollouts } from '../support/harmful-rollouts.ts';
import { follow } from './follow.ts';

type Stage = { account: Account; open(): Promise<ContractApi> };

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const minutes = 60_000;
/** The block of docs/runbook.md that every procedure needs. */
const before = 'search_logs() {';

/**
 * @param stage the deployed stage `dev`
 * @returns a function that declares the last test, which waits less the later it runs
 */
export function rehearseFeed(stage: () => Stage): () => void {
  const aws = (...args: string[]) => run(stage().account, commandOf('aws'), args);
  const sqs = () => new SQSClient({});
  const urlOf = (name: string) => urlOfQueue(sqs(), name);

  /** @returns how many messages are in a queue: visible, received and delayed */
  async function countIn(name: string): Promise<number> {
    const names: QueueAttributeName[] = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ];
    const command = new GetQueueAttributesCommand({ QueueUrl: await urlOf(name), AttributeNames: names });
    const { Attributes = {} } = await sqs().send(command);
    return names.reduce((sum, one) => sum + Number(Attributes[one] ?? 0), 0);
  }

  const change = async (name: string, Attributes: Partial<Record<QueueAttributeName, string>>) =>
    sqs().send(new SetQueueAttributesCommand({ QueueUrl: await urlOf(name), Attributes }));

  async function until(
    condition: () => Promise<boolean>,
    timeoutMs = 5 * minutes,
    pauseMs = 200,
  ): Promise<void> {
    const endMs = Date.now() + timeoutMs;
    while (!(await condition())) {
      if (Date.now() > endMs) throw new Error(`not within ${timeoutMs / 1000} s: ${condition}`);
      await sleep(pauseMs);
    }
  }

  async function openConversations() {
    const api = await stage().open();
    const list = `/projects/${await api.createProject()}/conversations`;
    const get = async (query: string) => (await api.call('GET', `${list}/${query}`)).data;
    const created = async (path: string, body: Json): Promise<Json> => {
      const idempotencyKey = crypto.randomUUID();
      for (;;) {
        const answer = await api.call('POST', path, { body, idempotencyKey });
        if (answer.status < 300) return answer.data;
        // A busy emulator.
        if (![429, 500, 502, 503, 504].includes(answer.status)) throw new Error(answer.text);
        await sleep(500);
      }
    };
    return {
      ...api,
      list,
      begin: async (channel: string) => `${list}/${(await created(list, { avatarId, channel })).id}`,
      say: (path: string, text: string) =>
        created(`${path}/messages`, { messages: [{ role: 'user', text }] }),
      end: (path: string) => created(`${path}/end`, { reason: 'done' }),
      count: async (word: string) => {
        let found = 0;
        for (let cursor = ''; ; ) {
          const { items, nextCursor } = await get(
            `search?q=${word}&limit=100${cursor && `&cursor=${cursor}`}`,
          );
          found += (items as Json[]).length;
          if (nextCursor === null) return found;
          cursor = String(nextCursor);
        }
      },
      sums: async () => (await get('stats?groupBy=channel')).items as Json[],
    };
  }

  // It waits up to two minutes for the scheduler, so other tests run in the meantime.
  let waiting: Awaited<ReturnType<typeof openConversations>>;
  const statuses = async () => (await storedOf(waiting, 'conversations')).map(({ status }) => status);

  test('a conversation begins that times out after a minute', async () => {
    waiting = await openConversations();
    const [project = ''] = /proj_\w+/.exec(waiting.list) ?? [];
    const body = { settings: { conversationTimeoutMinutes: 1 } };
    expect((await waiting.call('PATCH', `/projects/${project}`, { body })).status).toBe(200);
    await waiting.begin('web');
    expect((await statuses()).filter(Boolean)).toEqual(['active']);
  });

  test(
    "a failing worker's changes become dead letters, and npm run redrive returns them: nothing is lost",
    async () => {
      const worker = 'message-indexer';
      const values = { WORKER: worker, STAGE: 'dev', STACK: 'PlatformApi-dev' };
      const [queue, dead] = [queueName('dev', worker), deadLettersName('dev', worker)];
      const { begin, say, count } = await openConversations();
      const path = await begin('web');
      await say(path, 'before');
      await until(async () => (await count('before')) === 1);

      const restore = await breakFunction(worker);
      onTestFinished(restore);
      // A notice fails twenty times, in three hours. This is the same, sooner.
      const { Attributes = {} } = await sqs().send(
        new GetQueueAttributesCommand({ QueueUrl: await urlOf(queue), AttributeNames: ['RedrivePolicy'] }),
      );
      const policy = JSON.parse(Attributes.RedrivePolicy ?? '{}') as { maxReceiveCount: number };
      expect(Number(policy.maxReceiveCount)).toBe(maxReceives);
      await change(queue, { RedrivePolicy: JSON.stringify({ ...policy, maxReceiveCount: 2 }) });
      for (let n = 0; n < 5; n += 1) await say(path, `lost${n}`);
      await until(async () => (await countIn(dead)) === 5);
      expect(await countIn(queue)).toBe(0);
      expect(await count('lost0')).toBe(0);

      const letters = await follow(stage().account, 'docs/runbook.md', values, '--list');
      expect(letters).toContain(path.split('/').at(-1));
      expect(letters).not.toContain('lost');

      await restore();
      await change(queue, { RedrivePolicy: JSON.stringify(policy) });
      // Not the block with --list.
      const block = 'npm run redrive -- --worker "$WORKER" --stage "$STAGE"\n';
      const printed = await follow(stage().account, 'docs/runbook.md', values, block);
      expect(printed).toContain(`5 dead letters of ${worker} returned.`);
      for (let n = 0; n < 5; n += 1) await until(async () => (await count(`lost${n}`)) === 1);
      expect(await countIn(dead)).toBe(0);
      const replayed = await follow(stage().account, 'docs/runbook.md', values, before, 'npm run replay');
      expect(replayed).toMatch(new RegExp(`^[1-9]\\d* notices sent to ${worker}\\.$`, 'm'));
    },
    20 * minutes,
  );

  /** Gives the function of a worker a table that does not exist. @returns a function that undoes it */
  async function breakFunction(worker: string): Promise<() => Promise<void>> {
    const query = 'Functions[].FunctionName';
    const names = JSON.parse(await aws('lambda', 'list-functions', '--query', query)) as string[];
    const name = names.find((one) => one.replaceAll('-', '').includes(worker.replaceAll('-', ''))) ?? '';
    const args = ['--function-name', name];
    const found = JSON.parse(
      await aws('lambda', 'get-function-configuration', ...args, '--query', 'Environment'),
    ) as { Variables: Record<string, string> };
    const live = ['--name', 'live', '--query', 'FunctionVersion', '--output', 'text'];
    const good = (await aws('lambda', 'get-alias', ...args, ...live)).trim();
    // The event source uses the alias, which names a version.
    const serve = (version: string) =>
      aws('lambda', 'update-alias', ...args, '--name', 'live', '--function-version', version);
    const broken = { ...found.Variables, CONVERSATION_SEARCH_TABLE: 'nowhere' };
    const text = JSON.stringify({ Variables: broken });
    await aws('lambda', 'update-function-configuration', ...args, '--environment', text);
    const published = ['--query', 'Version', '--output', 'text'];
    await serve((await aws('lambda', 'publish-version', ...args, ...published)).trim());
    return async () => {
      await aws('lambda', 'update-function-configuration', ...args, '--environment', JSON.stringify(found));
      await serve(good);
    };
  }

  test('all workers are killed at random under load; sums, index and timers are correct in the end', {
    tags: ['nightly'],
    timeout: 30 * minutes,
  }, async () => {
    const ids = workers.map(({ id }) => id);
    // After a crash, notices come again after the visibility timeout. This is the same, sooner.
    for (const id of ids) await change(queueName('dev', id), { VisibilityTimeout: '5' });
    const api = await openConversations();
    const { begin, say, end, count, sums } = api;
    const channels = ['web', 'phone', 'chat'];
    let texts = 0;
    let killed = 0;
    let isLoaded = true;
    const killer = (async () => {
      while (isLoaded) {
        killed += killWorkers(stage().account);
        await sleep(300 + Math.random() * 1500);
      }
    })();
    const load = async (channel: string) => {
      for (let n = 0; n < 8; n += 1) {
        const path = await begin(channel);
        for (let m = 0; m < 3; m += 1) await say(path, `common word${texts++}`);
        if (n % 4 === 1) await end(path);
        if (n % 4 === 2) await api.call('DELETE', path);
      }
    };
    await Promise.all(channels.map(load));
    isLoaded = false;
    await killer;
    expect(killed).toBeGreaterThan(10);

    const allEmpty = async () => {
      const counts = await Promise.all(ids.map((id) => countIn(queueName('dev', id))));
      return counts.every((messages) => messages === 0);
    };
    // The dispatcher may still have changes to send, and workers write changes.
    for (let quietMs = 0; quietMs < 5000; quietMs += 500) {
      if (!(await allEmpty())) quietMs = 0;
      await sleep(500);
    }
    for (const id of [...ids, dispatcherId]) expect(await countIn(deadLettersName('dev', id)), id).toBe(0);
    // In each channel, 8 conversations of 3 messages began, and 2 of them were erased.
    const counted = { conversations: 6, messages: 18 };
    expect(await sums()).toMatchObject(channels.toSorted().map((key) => ({ key, ...counted })));
    expect(await count('common')).toBe(texts - 2 * 3 * channels.length);
    const stored = await storedOf(api, 'conversations');
    const active = stored.filter(({ status }) => status === 'active').map(({ id }) => id);
    expect(active).toHaveLength(4 * channels.length);
    expect(timersIn(await storedOf(api, 'schedule')).toSorted()).toEqual(active.toSorted());
    for (const { id, timeoutSeconds, batchingSeconds } of workers) {
      await change(queueName('dev', id), { VisibilityTimeout: String(timeoutSeconds + batchingSeconds) });
    }
  });

  /** @returns every item of the organisation in the table */
  async function storedOf({ organisationId }: ContractApi, table: TableName): Promise<Json[]> {
    const name = tableNameIn(stackName('dev'), table);
    const values = JSON.stringify({ ':organisation': { S: organisationId } });
    const filter = ['--filter-expression', 'begins_with(tenant, :organisation)'];
    const args = [...filter, '--expression-attribute-values', values, '--query', 'Items'];
    const items = JSON.parse(await aws('dynamodb', 'scan', '--table-name', name, ...args)) as Record<
      string,
      { S?: string }
    >[];
    return items.map((item) =>
      Object.fromEntries(Object.entries(item).map(([attribute, { S }]) => [attribute, S])),
    );
  }

  const timersIn = (stored: readonly Json[]) =>
    stored.map(({ id }) => `${id}`.split('#')).flatMap(([worker, id]) => (worker === sweeper ? id : []));

  describe('time from a commit', () => {
    const times = async (act: () => Promise<() => Promise<boolean>>) => {
      const took: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const isDone = await act();
        const begun = performance.now();
        await until(isDone, minutes, 20);
        took.push(performance.now() - begun);
      }
      const sorted = took.toSorted((a, b) => a - b);
      return { medianMs: Math.round(sorted[5] ?? 0), mostMs: Math.round(sorted[9] ?? 0) };
    };

    test(
      'until a message is found',
      async () => {
        const { begin, say, count } = await openConversations();
        const path = await begin('web');
        let round = 0;
        const found = await times(async () => {
          const word = `needle${round++}`;
          await say(path, word);
          return async () => (await count(word)) === 1;
        });
        console.log(`a message is found after ${found.medianMs} ms, at most ${found.mostMs} ms`);
        expect(found.medianMs).toBeLessThan(10_000);
      },
      10 * minutes,
    );

    test(
      'until an event is sent to a webhook: its attempt is stored before the request is sent',
      async () => {
        const api = await stage().open();
        const sent = await times(async () => {
          const project = await api.createProject();
          // Nothing on this machine may be a receiver, so the request goes nowhere. A webhook that fails waits: each is new.
          const body = {
            url: 'https://receiver.invalid/hook',
            eventTypes: ['project.updated'],
            projectIds: [project],
          };
          const { data: webhook } = await api.call('POST', '/webhooks', { body });
          await api.call('PATCH', `/projects/${project}`, { body: { name: 'changed' } });
          return async () => {
            const { items } = (await api.call('GET', `/webhooks/${webhook.id}/deliveries`)).data;
            return (items as Json[]).some(({ attempts }) => (attempts as Json[]).length > 0);
          };
        });
        console.log(`an event is sent after ${sent.medianMs} ms, at most ${sent.mostMs} ms`);
        expect(sent.medianMs).toBeLessThan(10_000);
      },
      10 * minutes,
    );

    test(
      'until a job starts',
      async () => {
        const api = await stage().open();
        const project = await api.createProject();
        const started = await times(async () => {
          const { data } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
          return async () => {
            const job = (await api.call('GET', `/projects/${project}/jobs/${data.id}`)).data;
            return job.startedAt !== null;
          };
        });
        console.log(`a job starts after ${started.medianMs} ms, at most ${started.mostMs} ms`);
        expect(started.medianMs).toBeLessThan(10_000);
      },
      10 * minutes,
    );

    test(
      'until a guard ends a rollout',
      async () => {
        const { prepare } = await openHarmfulRollouts(await stage().open());
        let round = 0;
        const ended = await times(async () => {
          const { breach, status } = await prepare(`stage-${round++}`);
          expect(await status()).toBe('running');
          await breach();
          return async () => (await status()) === 'rolled_back';
        });
        console.log(`a guard ends a rollout after ${ended.medianMs} ms, at most ${ended.mostMs} ms`);
        // Of ten times, the 95th percentile is the longest.
        expect(ended.mostMs).toBeLessThan(30_000);
      },
      20 * minutes,
    );
  });

  return () =>
    test(
      'the scheduler runs every minute: the timeout is stored, although nobody asks',
      async () => {
        await until(async () => (await statuses()).includes('ended'), 6 * minutes, 2000);
        expect(timersIn(await storedOf(waiting, 'schedule'))).toEqual([]);
      },
      10 * minutes,
    );
}

/** Kills the processes of the workers' and the dispatcher's functions: some of them. @returns how many */
function killWorkers({ pid }: Account): number {
  const names = [...workers.map(({ id }) => id), dispatcherId].map((id) => id.replaceAll('-', ''));
  let killed = 0;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The emulator and all of its functions are one process group.
      const [, group] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(1) ?? [];
      if (Number(group) !== pid || Math.random() < 0.5) continue;
      const environment = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0');
      const name =
        environment.find((one) => one.startsWith('AWS_LAMBDA_FUNCTION_NAME='))?.replaceAll('-', '') ?? '';
      if (!names.some((worker) => name.includes(worker))) continue;
      process.kill(Number(entry), 'SIGKILL');
      killed += 1;
    } catch {
      // It has ended meanwhile.
    }
  }
  return killed;
}
