/** Sessions of runtimes. */

import type { Fetch } from '../../../../clients/typescript/src/index.ts';
import type {
  Session,
  SessionError,
  SessionOptions,
} from '../../../../clients/typescript/src/runtime/index.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios, sleep } from '../scenario.ts';

/** What the key of a runtime may do. */
export const runtimeScopes = ['runtime:write'] as const;

const prompts = ['You help customers of a shop.', 'You speak in rhymes.'] as const;

/**
 * A deployed avatar, and the key of its runtime.
 * @param isIndexed whether the avatar knows a document
 */
export async function deployed(context: Context, { isIndexed = false } = {}) {
  const { client, origin, control, platform, newProject } = context;
  const { id, project } = await newProject();
  const index = async () => {
    await control('work', { project: id, job: (await project.knowledge.reindex()).id });
  };
  const add = async (title: string, content: string, tag: string) =>
    (await project.knowledge.documents.create({ title, content, tags: [tag] })).id;
  let returns = '';
  if (isIndexed) {
    returns = await add('Returns', 'Send anything back within thirty days.', 'shop');
    await add('Staff', 'Send nothing back.', 'staff');
    await index();
  }
  const avatar = await project.avatars.create({
    name: 'Clara',
    persona: { prompt: prompts[0] },
    knowledgeTags: ['shop'],
  });
  const deploy = async (promote = true) =>
    (await project.deployments.create({ environment: 'live', promote })).id;
  const deploymentId = await deploy();
  const newKey = (projectId = id) =>
    platform.apiKeys.create({ name: 'runtime', scopes: [...runtimeScopes], projectIds: [projectId] });
  const key = await newKey();

  /** A process: it counts its requests, and can be cut off. */
  const start = (apiKey: string | (() => string) = key.secret) => {
    const requests: string[] = [];
    let isCut = false;
    const cutOff: Fetch = async (url, init) => {
      if (isCut) throw new TypeError('cut');
      return fetch(url, init);
    };
    const runtime = new client.Platform({
      apiKey,
      baseUrl: `${origin}/api/v1`,
      fetch: cutOff,
      timeoutMs: 1500,
      onRequest: ({ method, url }) => void requests.push(`${method} ${what(url)}`),
    });
    const open = (externalId: string, options: Partial<SessionOptions> = {}) =>
      context.runtime.openSession(runtime, {
        project: id,
        environment: 'live',
        avatar: avatar.id,
        externalId,
        externalUserId: 'customer-1',
        // A busy machine is not away.
        patienceMs: 20_000,
        onWarning: () => {},
        ...options,
      });
    const cut = (value: boolean) => {
      isCut = value;
    };
    return { runtime, open, cut, requested: () => requests.splice(0) };
  };

  /**
   * The deployment changes: another prompt, and the document is gone.
   * @param promote whether it is served
   */
  const change = async (promote = true) => {
    await project.avatars.update(avatar.id, { persona: { prompt: prompts[1] } });
    if (isIndexed) {
      await project.knowledge.documents.delete(returns);
      await index();
    }
    return deploy(promote);
  };
  const transcript = async (conversationId: string | null) =>
    (await collect(project.conversations.messages(conversationId ?? ''))).map(({ text }) => text);
  return { id, project, avatarId: avatar.id, returns, key, newKey, deploymentId, start, change, transcript };
}

const what = (url: string) => {
  const { pathname } = new URL(url);
  return (
    pathname
      .split('/')
      .at(-1)
      ?.replace(/^(call-.*)$/, 'conversation') ?? ''
  );
};

export const turn = (session: Session, number: number) =>
  session.append({ role: 'user', text: `question ${number}` }, { role: 'avatar', text: `answer ${number}` });

export const turns = (last: number) =>
  Array.from({ length: last }, (_, index) => [`question ${index + 1}`, `answer ${index + 1}`]).flat();

export const sessionError = async (act: Promise<unknown>) =>
  (await rejection(act)) as unknown as SessionError;

/** Waits for the background. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 1200) throw new Error('it did not happen');
    await sleep(50);
  }
}

export const sessionScenarios: Scenarios = {
  'a turn of a session needs one request, and one more for a search': async (context) => {
    const { returns, start, transcript, project, deploymentId } = await deployed(context, {
      isIndexed: true,
    });
    const { open, requested } = start();
    const session = await open('call-1');
    equal(requested(), ['GET config', 'PUT conversation']);
    equal([session.prompt, session.deploymentId, session.messages], [prompts[0], deploymentId, []]);
    const hits = await session.search('How do I send something back?');
    equal(
      hits.map(({ documentId }) => documentId),
      [returns],
    );
    equal(
      await session.append(
        { role: 'user', text: 'question 1' },
        { role: 'avatar', text: 'answer 1', citations: hits },
      ),
      'stored',
    );
    equal(requested(), ['GET search', 'POST messages']);
    equal(await turn(session, 2), 'stored');
    equal(requested(), ['POST messages']);
    equal(await session.search('?!'), []);
    equal(
      session.messages.map(({ text }) => text),
      turns(2),
    );
    requested();
    await session.end();
    equal(requested(), ['POST end']);
    const stored = await collect(project.conversations.messages(session.conversationId ?? ''));
    equal(
      stored.map(({ text, clientMessageId }) => [text, clientMessageId]),
      turns(2).map((text, index) => [text, `session-${index + 1}`]),
    );
    equal(stored[1]?.citations[0]?.documentId, returns);
    const conversation = await project.conversations.get(session.conversationId ?? '');
    equal([conversation.status, conversation.endReason], ['ended', 'completed']);
    equal([conversation.deploymentId, conversation.externalUserId], [deploymentId, 'customer-1']);
    equal(await transcript(session.conversationId), turns(2));
    equal((await sessionError(turn(session, 3))).code, 'session_closed');
  },

  'all sessions of a client ask for the configuration once in thirty seconds': async (context) => {
    const { start, change } = await deployed(context);
    const { open, requested } = start();
    await Promise.all([1, 2, 3, 4, 5].map((number) => open(`call-${number}`)));
    equal(requested().filter((one) => one === 'GET config').length, 1);
    await open('call-6');
    equal(requested(), ['PUT conversation']);
    const now = performance.now.bind(performance);
    try {
      performance.now = () => now() + 31_000;
      await open('call-7');
      equal(requested(), ['GET config', 'PUT conversation']);
      await change();
      performance.now = () => now() + 62_000;
      equal((await open('call-8')).prompt, prompts[1]);
    } finally {
      performance.now = now;
    }
  },

  'a conversation keeps its deployment, its prompt and its knowledge': async (context) => {
    const { start, change, deploymentId, returns, project } = await deployed(context, { isIndexed: true });
    const first = await start().open('call-1');
    await turn(first, 1);
    const later = await change();
    await turn(first, 2);
    const resumed = await start().open('call-1');
    equal([resumed.deploymentId, resumed.prompt], [deploymentId, prompts[0]]);
    const hits = await resumed.search('send back');
    equal(
      hits.map(({ documentId }) => documentId),
      [returns],
    );
    equal((await project.conversations.get(resumed.conversationId ?? '')).deploymentId, deploymentId);
    const other = await start().open('call-2');
    equal([other.deploymentId, other.prompt, await other.search('send back')], [later, prompts[1], []]);
  },

  'turns are stored once and in order, with random faults': async (context) => {
    const { start, transcript } = await deployed(context);
    const session = await start().open('call-1', { patienceMs: 2000 });
    await context.control('faults', { rate: 0.4, seed: 5 });
    for (let number = 1; number <= 15; number += 1) await turn(session, number);
    await session.flush();
    await context.control('faults');
    equal(await transcript(session.conversationId), turns(15));
    equal(session.buffered, 0);
  },

  'turns are buffered while the service is away, up to a limit, and nothing is lost': async (context) => {
    const { start, transcript } = await deployed(context, { isIndexed: true });
    const { open, cut } = start();
    const session = await open('call-1', { buffer: { turns: 3 }, patienceMs: 200 });
    await turn(session, 1);
    await session.flush();
    cut(true);
    for (const number of [2, 3, 4]) equal(await turn(session, number), 'buffered');
    const full = await sessionError(turn(session, 5));
    equal([full.code, session.buffered], ['buffer_full', 3]);
    equal(await session.search('send back', { whileAway: 'empty' }), []);
    equal((await sessionError(session.search('send back'))).code, 'unavailable');
    const away = await sessionError(session.flush({ deadlineMs: 300 }));
    equal([away.code, away.unsent.map(({ text }) => text)], ['unavailable', turns(4).slice(2)]);
    cut(false);
    await until(() => session.buffered === 0);
    await turn(session, 5);
    await session.flush();
    equal(await transcript(session.conversationId), turns(5));
    const other = await open('call-2', { buffer: { bytes: 1000 }, patienceMs: 200 });
    cut(true);
    equal(await turn(other, 1), 'buffered');
    const large = await sessionError(other.append({ role: 'user', text: 'a'.repeat(1000) }));
    equal([large.code, other.buffered], ['buffer_full', 1]);
    equal((await sessionError(other.close())).code, 'unavailable');
  },

  'another process continues a session from the service alone, and the first one notices it': async (
    context,
  ) => {
    const { start, transcript } = await deployed(context);
    const first = await start().open('call-1');
    await turn(first, 1);
    await turn(first, 2);
    const second = await start().open('call-1');
    equal(
      second.messages.map(({ role, text }) => [role, text]),
      turns(2).map((text, index) => [index % 2 ? 'avatar' : 'user', text]),
    );
    await turn(second, 3);
    const error = await sessionError(first.append({ role: 'user', text: 'something else' }));
    equal([error.code, error.unsent.map(({ text }) => text)], ['other_process', ['something else']]);
    ok(error.message.includes('Another process'), error.message);
    equal((await sessionError(turn(first, 4))).code, 'other_process');
    await turn(second, 4);
    equal(await transcript(second.conversationId), turns(4));
  },

  'messages that others add do not disturb a session': async (context) => {
    const { start, project, transcript } = await deployed(context);
    const session = await start().open('call-1');
    const note = (text: string) =>
      project.conversations.append(session.conversationId ?? '', { messages: [{ role: 'system', text }] });
    await note('a note');
    await turn(session, 1);
    await note('another note');
    const resumed = await start().open('call-1');
    await turn(resumed, 2);
    equal(await transcript(session.conversationId), [
      'a note',
      ...turns(1),
      'another note',
      ...turns(2).slice(2),
    ]);
  },

  'a session ends with a clear error if its conversation is erased or has ended': async (context) => {
    const { start, project } = await deployed(context);
    const { open } = start();
    const erased = await open('call-1');
    await turn(erased, 1);
    await project.conversations.delete(erased.conversationId ?? '');
    const error = await sessionError(turn(erased, 2));
    equal([error.code, error.unsent.length], ['conversation_erased', 2]);
    equal((await sessionError(erased.search('send back'))).code, 'conversation_erased');
    equal((await sessionError(open('call-1'))).code, 'conversation_erased');
    const ended = await open('call-2');
    await project.conversations.end(ended.conversationId ?? '', { reason: 'completed' });
    equal((await sessionError(turn(ended, 1))).code, 'conversation_ended');
    equal((await sessionError(open('call-2'))).code, 'conversation_ended');
    await open('call-3');
    equal(
      (await sessionError(open('call-3', { externalUserId: 'customer-2' }))).code,
      'conversation_mismatch',
    );
    const unknown = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    equal((await sessionError(open('call-4', { avatar: unknown }))).code, 'avatar_not_deployed');
    equal((await sessionError(open('call-5', { environment: 'none' }))).code, 'not_found');
  },

  'an external id of another credential is a clear error': async (context) => {
    const { start, newKey, project, avatarId, transcript } = await deployed(context);
    const first = await start().open('call-1');
    await turn(first, 1);
    const notMine = await project.conversations.create({ avatarId, externalId: 'call-2' });
    const { open, requested } = start((await newKey()).secret);
    for (const externalId of ['call-1', 'call-2']) {
      requested();
      const error = await sessionError(open(externalId));
      equal([error.code, requested().at(-1)], ['external_id_taken', 'PUT conversation']);
      ok(error.message.includes('Another credential has used this external id'), error.message);
      const { id } = notMine;
      ok(![id, first.conversationId ?? ''].some((one) => error.message.includes(one)), error.message);
    }
    await turn(first, 2);
    equal(await transcript(first.conversationId), turns(2));
    await turn(await open('call-3'), 1);
  },

  'a key that ends ends its sessions': async (context) => {
    const { start, key } = await deployed(context);
    const { open } = start();
    const session = await open('call-1');
    await context.platform.apiKeys.revoke(key.id, {});
    const error = await sessionError(turn(session, 1));
    equal([error.code, error.unsent.length], ['unauthorized', 2]);
    ok(!JSON.stringify(error).includes('question'), 'what was said is not printed');
    ok(!`${error.message}${error.stack}${JSON.stringify(error)}`.includes(key.secret), 'nor the key');
    equal((await sessionError(session.search('send back'))).code, 'unauthorized');
    equal((await sessionError(open('call-2'))).code, 'unauthorized');
  },

  'a wrong turn is refused before it is taken, and the session goes on': async (context) => {
    const { start, transcript } = await deployed(context);
    const session = await start().open('call-1');
    await turn(session, 1);
    const wrong = [
      [],
      [{ role: 'user' as const, text: '' }],
      [{ role: 'user' as const, text: 'é'.repeat(8193) }],
      [{ role: 'user' as const, text: 'a\ud800' }],
      Array.from({ length: 26 }, () => ({ role: 'user' as const, text: 'a' })),
    ];
    for (const messages of wrong)
      ok((await rejection(session.append(...messages))) instanceof TypeError, JSON.stringify(messages));
    // Only the service knows this limit.
    const metadata = { name: 'a'.repeat(3000) };
    const refused = await rejection(session.append({ role: 'user', text: 'a', metadata }));
    ok(refused instanceof context.client.ValidationError, refused.message);
    await turn(session, 2);
    const resumed = await start().open('call-1');
    await turn(resumed, 3);
    equal(await transcript(session.conversationId), turns(3));
  },

  'a message that is delivered again has its answer': async (context) => {
    const { start, transcript } = await deployed(context);
    const first = await start().open('call-1');
    equal(first.answerTo('event-1'), undefined);
    await first.append(
      { role: 'user', text: 'question 1', clientMessageId: 'event-1' },
      { role: 'avatar', text: 'answer 1' },
    );
    await turn(first, 2);
    const second = await start().open('call-1');
    for (const session of [first, second]) equal(session.answerTo('event-1'), 'answer 1');
    equal(second.answerTo('event-2'), undefined);
    equal(await transcript(first.conversationId), turns(2));
  },

  'a large buffer is sent in several requests, in order': async (context) => {
    const { start, transcript } = await deployed(context);
    const { open, cut, requested } = start();
    const session = await open('call-1', { patienceMs: 2000 });
    cut(true);
    for (let number = 1; number <= 30; number += 1) await turn(session, number);
    for (let number = 0; number < 20; number += 1)
      await session.append({ role: 'user', text: `${number}${'a'.repeat(16_000)}` });
    cut(false);
    requested();
    await session.flush();
    const sent = requested().length;
    ok(sent >= 4 && sent <= 12, `${sent} requests`);
    const stored = await transcript(session.conversationId);
    equal(stored.slice(0, 60), turns(30));
    equal(
      stored.slice(60).map((text) => Number.parseInt(text, 10)),
      Array.from({ length: 20 }, (_, index) => index),
    );
    equal(session.messages.length, 80);
  },
};
