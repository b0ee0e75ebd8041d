/** The commands `webhooks listen` and `trigger` test a receiver on this machine. The other commands follow from the API. */

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { PlatformEvent } from '../../../clients/typescript/src/index.ts';
import { ownFetch } from '../../../clients/typescript/src/node.ts';
import type { Define } from '../command.ts';
import { CliError, usageError } from '../errors.ts';
import { safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { follow, type IntervalOption, intervalOption } from '../tail.ts';
import {
  forward,
  isReceived,
  newSecret,
  type Receiver,
  receiverFrom,
  secretFrom,
} from '../webhooks/forward.ts';

type ReceiverOptions = { forwardTo?: URL; secret?: string };
type ListenOptions = ReceiverOptions & IntervalOption & { events?: string[] };

const receiverOptions = [
  ['--forward-to <url>', 'the receiver, such as http://localhost:8080/hook', { parse: receiverFrom }],
  [
    '--secret <secret>',
    'signs with this secret (default: a new secret, which is shown)',
    { parse: secretFrom },
  ],
] as const;

export function addWebhooks(program: Command, define: Define): void {
  const parent = program
    .command('webhooks')
    .summary('Webhooks, and tests of receivers on your machine')
    .description(
      'Webhooks. `listen` and `trigger` need no webhook: they send events to a receiver on your machine, as the ' +
        'service does.',
    );

  define<ListenOptions>(parent, {
    name: 'listen',
    summary: 'Forwards events as they come, until you press Ctrl+C',
    details:
      'The command needs a key with events:read, and no webhook. Each event is sent once, without messages: unlike the service, ' +
      'the command does not try again. The requests are signed like the requests of the service.',
    options: [
      ...receiverOptions,
      ['--events <type>', 'only this type, or project.* for a kind of resource', { repeat: true }],
      intervalOption,
    ],
    examples: [
      'webhooks listen --forward-to http://localhost:8080/hook',
      "webhooks listen --forward-to http://localhost:8080/hook --events 'conversation.*' --events job.succeeded",
    ],
    run: listen,
  });

  define<ReceiverOptions>(parent, {
    name: 'trigger <type>',
    summary: 'Sends an example of an event to your receiver',
    details: 'The command changes nothing in the service. It sends the example of the API description.',
    options: receiverOptions,
    examples: ['webhooks trigger conversation.ended --forward-to http://localhost:8080/hook'],
    run: trigger,
  });
}

/** Shows a new secret, because the receiver needs it. */
function receiverOf({ out }: Session, options: ReceiverOptions): Receiver {
  const { forwardTo: url, secret = newSecret() } = options;
  if (!url) throw usageError('Where to? Add --forward-to http://localhost:8080/hook.');
  if (options.secret === undefined) out.note(`The secret of these requests is ${secret}`);
  return { url, secret };
}

const matches = (type: string, pattern: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

async function listen(session: Session, { interval, events, ...options }: ListenOptions): Promise<void> {
  const { platform, out } = session;
  const types = events === undefined ? [] : Object.keys(await examplesOf(session));
  for (const pattern of events ?? [])
    if (!types.some((type) => matches(type, pattern)))
      throw usageError(`There are no events ${pattern}.`, `There are: ${types.join(', ')}`);
  const receiver = receiverOf(session, options);
  out.note(`Forwarding to ${receiver.url.href}`);
  await follow(session, {
    list: (query) => platform.events.list({ limit: 100, ...query }),
    timeOf: ({ timestamp }: PlatformEvent) => timestamp,
    take: async (event) => {
      if (events === undefined || events.some((pattern) => matches(event.type, pattern)))
        await send(session, receiver, event);
    },
    intervalSeconds: interval,
  });
}

/** @returns whether the receiver has it */
async function send({ out, shell }: Session, receiver: Receiver, event: PlatformEvent): Promise<boolean> {
  const result = await forward(receiver, event, shell.nowMs);
  const { status, durationMs, error } = result;
  const { id, type } = event;
  if (out.json) await out.jsonLine({ id, type, status, durationMs, error });
  else await out.line(safeLine(`${event.timestamp}  ${type}  ${id}  ${error ?? status}  ${durationMs} ms`));
  return isReceived(result);
}

async function trigger(session: Session, options: ReceiverOptions, type = ''): Promise<void> {
  const receiver = receiverOf(session, options);
  const examples = await examplesOf(session);
  const example = examples[type];
  if (!example)
    throw usageError(`There is no event ${type}.`, `There are: ${Object.keys(examples).join(', ')}`);
  const timestamp = new Date(session.shell.nowMs()).toISOString();
  if (!(await send(session, receiver, { ...example, id: newEventId(), timestamp })))
    throw new CliError('failed', 'The receiver has not accepted the event.');
}

/** Each event gets a new id, because receivers skip ids that they know. */
const newEventId = (): string => {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return `evt_0${Array.from(randomBytes(25), (byte) => digits[byte % 32]).join('')}`;
};

type PathItem = { post: { requestBody: { content: { 'application/json': { example: PlatformEvent } } } } };

/** The part of openapi.json that has the examples. Only an older service has the path items in `webhooks` itself. */
type EventDescriptions = {
  webhooks?: Record<string, PathItem>;
  components?: { pathItems?: Record<string, PathItem> };
};

/** @returns the example of each type of events, as the API describes it */
async function examplesOf({ credentials, signal }: Session): Promise<Record<string, PlatformEvent>> {
  const response = await ownFetch(`${credentials.baseUrl}/openapi.json`, { signal });
  const { webhooks = {}, components = {} } = (await response.json()) as EventDescriptions;
  const pathItems = { ...webhooks, ...components.pathItems };
  return Object.fromEntries(
    Object.entries(pathItems).map(([type, { post }]) => [
      type,
      post.requestBody.content['application/json'].example,
    ]),
  );
}
