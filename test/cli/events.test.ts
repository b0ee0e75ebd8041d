/** Events on the command line, and their way to a receiver. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../samples/api.ts';
import eventWriter from '../../workers/event-writer.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli({ workers: [eventWriter] });
const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const json = async (...args: string[]) => jsonLines(await run(...args, '--json'));

type Received = { headers: IncomingMessage['headers']; body: string };
const received: Received[] = [];
let status = 200;
const server = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(status).end('thanks');
});
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let hook = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(() => {
  server.close();
});

/** @returns the id of a new project, when its event is there */
async function created(name: string): Promise<string> {
  const [{ id } = {}] = await json('projects', 'create', '--name', name);
  while ((await json('events', 'list', '--resource', `${id}`)).length === 0);
  return `${id}`;
}

function expectSigned({ headers, body }: Received): Json {
  const event = JSON.parse(body) as Json;
  expect(headers['webhook-id']).toBe(event.id);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  return event;
}

test('list and get', async () => {
  const id = await created('first');
  const [event, ...others] = await json('events', 'list', '--resource', id, '--type', 'project.*');
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'project.created', projectId: id, data: { id, name: 'first' } });
  expect(await json('events', 'get', `${event?.id}`)).toEqual([event]);
  expect((await run('events', 'list', '--resource', id)).stdout).toMatch(
    new RegExp(`project.created +${id}`),
  );
  expect((await run('events', 'list', '--type', 'project.exploded')).code).toBe(2);
});

/** Starts a command that runs until it is interrupted. */
function begin(...args: string[]) {
  const running = cli.start([...args, '--interval', '1', '--json'], { env: cli.project.env });
  return {
    lines: (): Json[] => jsonLines(running.shown()),
    async stop() {
      running.interrupt();
      expect(await running.ended).toMatchObject({ code: 130 });
    },
  };
}

test('tail prints each new event of a type once', async () => {
  const { lines, stop } = begin('events', 'tail', '--type', 'project.updated');
  const id = await created('before');
  // Until it has begun, it does not print what happens.
  while (lines().length === 0) await run('projects', 'update', id, '--name', `name ${Date.now()}`);
  await stop();
  expect(new Set(lines().map(({ type }) => type))).toEqual(new Set(['project.updated']));
  expect(new Set(lines().map((line) => line.id)).size).toBe(lines().length);
});

test('listen forwards the events that it is asked for, signed', { tags: ['long'] }, async () => {
  received.length = 0;
  const { lines, stop } = begin(
    ...['webhooks', 'listen', '--forward-to', hook, '--secret', secret],
    ...['--events', 'avatar.*', '--events', 'project.created'],
  );
  while (lines().length === 0) await created('forwarded');
  await stop();
  expect(lines()[0]).toMatchObject({ type: 'project.created', status: 200, error: null });
  const [first] = received;
  if (!first) throw new Error('nothing was received');
  const event = expectSigned(first);
  expect(event).toMatchObject({ id: lines()[0]?.id, type: 'project.created', data: { name: 'forwarded' } });
  expect(new Set(received.map(({ body }) => (JSON.parse(body) as Json).type))).toEqual(
    new Set(['project.created']),
  );
});

test.each(['nope.*', 'avatar', 'avatar.', 'avatar.exploded', 'Avatar.*', ''])(
  'listen refuses %j, which is no type of events',
  async (pattern) => {
    const listen = ['webhooks', 'listen', '--forward-to', hook, '--secret', secret];
    const ran = await run(...listen, '--events', 'avatar.*', '--events', pattern);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`There are no events ${pattern}.`);
    expect(ran.stderr).toContain('avatar.created');
  },
);

test('trigger sends an example, and fails if the receiver does not take it', async () => {
  received.length = 0;
  const trigger = (type: string, ...rest: string[]) =>
    run('webhooks', 'trigger', type, '--forward-to', hook, '--secret', secret, ...rest);
  expect((await trigger('conversation.ended')).code).toBe(0);
  const [first] = received;
  if (!first) throw new Error('nothing was received');
  expect(expectSigned(first)).toMatchObject({
    type: 'conversation.ended',
    data: { id: expect.stringMatching(/^conv_/) },
  });
  status = 500;
  expect((await trigger('conversation.ended')).code).toBe(1);
  const unknown = await trigger('conversation.exploded');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('conversation.ended');
  expect((await run('webhooks', 'trigger', 'job.failed', '--forward-to', 'ftp://example.com')).code).toBe(2);
});
