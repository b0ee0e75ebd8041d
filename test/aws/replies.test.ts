/** Replies of a deployed stage that lists a model of Bedrock, for which a server on this machine answers. */

import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stackName } from '../../infra/names.ts';
import { bootstrapOrganisation } from '../../lib/credentials/bootstrap.ts';
import { tableVariables } from '../../lib/dynamodb/tables.ts';
import { createRuntime } from '../../lib/http/runtime.ts';
import type { CallOptions, Json } from '../../samples/api.ts';
import { asSent } from '../../scripts/local/call.ts';
import { type Account, cdk, startAccount } from '../support/aws-account.ts';
import { requestDeployed } from '../support/deployed-request.ts';
import { type InstantBedrock, startInstantBedrock } from '../support/instant-bedrock.ts';

const stack = stackName('dev');
const modelId = 'amazon.nova-lite-v1:0';
const question = 'How do I send something back?';
const rounds = 10;
const settings = {
  models: JSON.stringify([{ id: modelId, inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 }]),
  'limits.live.quotas.modelCostUsd': '10',
  'limits.test.quotas.modelCostUsd': '10',
};

let bedrock: InstantBedrock;
let account: Account;

beforeAll(async () => {
  bedrock = await startInstantBedrock(['You can send it back ', 'within ten days. [1', ']']);
  account = await startAccount(4566, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url });
  Object.assign(process.env, account.env);
}, 300_000);
afterAll(() => Promise.all([account?.stop(), bedrock?.stop()]));

describe('replies of a deployed stage', { tags: ['nightly'], timeout: 1_200_000 }, () => {
  test('are answered once, with citations, and this is their time by part', async () => {
    const avatar = await deployAvatar();
    // The first replies wait for cold functions.
    for (let count = 0; count < 2; count += 1) await reply(avatar);
    const times: Awaited<ReturnType<typeof reply>>[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await reply(avatar));
    const sorted = (of: (time: (typeof times)[number]) => number) => times.map(of).sort((a, b) => a - b);
    const show = (part: string, of: (time: (typeof times)[number]) => number) =>
      console.log(`${part}: ${sorted(of)[rounds / 2]} ms, at most ${sorted(of).at(-1)} ms`);
    show('a reply is accepted after', ({ acceptedMs }) => acceptedMs);
    show('… a worker begins', ({ claimedMs, acceptedMs }) => claimedMs - acceptedMs);
    show('… the model is asked', ({ askedMs, claimedMs }) => askedMs - claimedMs);
    show('… the client has the first text', ({ firstMs, askedMs }) => firstMs - askedMs);
    show('together, until the first text', ({ firstMs }) => firstMs);
    show('together, until it is done', ({ doneMs }) => doneMs);
    expect(sorted(({ firstMs }) => firstMs)[rounds / 2]).toBeLessThan(10_000);
  });
});

/** @returns whether a reply has not ended, and `isMissing` something */
const isOpen = (reply: Json, isMissing: (reply: Json) => boolean = () => true): boolean =>
  ['queued', 'running'].includes(String(reply.status)) && isMissing(reply);

type Avatar = Awaited<ReturnType<typeof deployAvatar>>;

/** Asks in a new conversation. @returns the milliseconds since the request */
async function reply({ read, conversations, avatarId }: Avatar) {
  const { id } = await read('POST', conversations, { body: { avatarId } });
  const replies = `${conversations}/${id}/replies`;
  const earlier = bedrock.asked.length;
  const begunMs = Date.now();
  const body = { input: { text: question }, target: { environment: 'production' } };
  const path = `${replies}/${(await read('POST', replies, { body })).id}`;
  const acceptedMs = Date.now();
  while (isOpen(await read('GET', `${path}?waitSeconds=20`), ({ text }) => text === ''));
  const firstMs = Date.now();
  while (isOpen(await read('GET', `${path}?after=9999&waitSeconds=20`)));
  const doneMs = Date.now();

  const whole = await read('GET', path);
  expect(whole).toMatchObject({
    status: 'done',
    failure: null,
    text: 'You can send it back within ten days.',
  });
  expect(whole.citations).toHaveLength(1);
  const [asked, ...again] = bedrock.asked.slice(earlier);
  expect(again).toEqual([]);
  expect(asked?.path).toBe(`/model/${encodeURIComponent(modelId)}/converse-stream`);
  expect(asked?.body).toContain('within 3 days');
  const { messages } = await read('GET', `${conversations}/${id}/transcript`);
  expect((messages as Json[]).map(({ role }) => role)).toEqual(['user', 'avatar']);
  // The worker may begin before the client has the response.
  const claimedMs = Math.max(acceptedMs, Date.parse(String(whole.startedAt)));
  const askedMs = Math.max(acceptedMs, asked?.atMs ?? 0);
  const since = (atMs: number) => atMs - begunMs;
  return {
    acceptedMs: since(acceptedMs),
    claimedMs: since(claimedMs),
    askedMs: since(askedMs),
    firstMs: since(firstMs),
    doneMs: since(doneMs),
  };
}

/** Deploys the stage with the model. @returns an avatar that knows some documents, with the calls of its root key */
async function deployAvatar() {
  await cdk(account, 'bootstrap');
  const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await cdk(account, 'deploy', '--all', '--require-approval', 'never', ...context);
  const found = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stack }));
  const outputs = found.Stacks?.[0]?.Outputs ?? [];
  const baseUrl = outputs.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '';
  const runtime = createRuntime({ ...process.env, ...tableVariables(stack) });
  const { secret: key } = await bootstrapOrganisation(runtime, 'Replies', 'live');

  /** Repeats a request that a busy emulator did not answer. */
  async function read(method: string, path: string, options: CallOptions = {}): Promise<Json> {
    const idempotencyKey = method === 'POST' ? crypto.randomUUID() : undefined;
    const { headers, text } = asSent({ key, ...(idempotencyKey && { idempotencyKey }), ...options });
    for (;;) {
      const answer = await requestDeployed({ account, baseUrl }, { method, path, headers, body: text });
      if (answer.status < 300) return answer.data;
      if (![429, 500, 502, 503, 504].includes(answer.status)) throw new Error(answer.text);
      await sleep(500);
    }
  }

  const { id } = await read('POST', '/projects', { body: { name: 'replies' } });
  const project = `/projects/${id}`;
  for (let number = 1; number <= 3; number += 1) {
    const content = `Send anything of shop ${number} back within ${number} days.`;
    const body = { title: `Returns ${number}`, content, tags: ['shop'] };
    await read('POST', `${project}/knowledge/documents`, { body });
  }
  const job = await read('POST', `${project}/knowledge/reindex`);
  for (let status: unknown; status !== 'succeeded'; ) {
    status = (await read('GET', `${project}/jobs/${job.id}?waitSeconds=20`)).status;
    if (status === 'failed') throw new Error('the index was not made');
  }
  const persona = { prompt: 'You help customers of a shop.' };
  const avatar = { name: 'Clara', persona, knowledgeTags: ['shop'], model: { modelId } };
  const { id: avatarId } = await read('POST', `${project}/avatars`, { body: avatar });
  await read('POST', `${project}/deployments`, { body: { environment: 'production' } });
  return { read, avatarId, conversations: `${project}/conversations` };
}
