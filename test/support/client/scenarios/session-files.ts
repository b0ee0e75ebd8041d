/** Sessions with a folder: their journals, and the last known configuration. Only where there are files. */

import type * as FileSystem from 'node:fs';
import { equal, ok, rejection, type Scenarios } from '../scenario.ts';
import { deployed, sessionError, turn, turns } from './sessions.ts';

/** Pages and workers have no such module, and their bundler must not look for it. */
const load = async (name: string): Promise<typeof FileSystem> => import(name);
export const withFiles = async (folder: string) => {
  const fs = await load('node:fs');
  const journals = () => fs.readdirSync(folder).filter((name) => name.endsWith('.journal'));
  return { fs, journals };
};

export const sessionFileScenarios: Scenarios = {
  'a journal keeps turns, and another session sends them once': async (context) => {
    const { folder } = context;
    if (!folder) return;
    const { start, transcript } = await deployed(context);
    const { fs, journals } = await withFiles(folder);
    const first = start();
    const session = await first.open('call-1', { folder, patienceMs: 200 });
    await turn(session, 1);
    await session.flush();
    first.cut(true);
    await turn(session, 2);
    await turn(session, 3);
    equal((await sessionError(first.open('call-1', { folder }))).code, 'journal_locked');
    await session.close();
    equal(journals().length, 1);
    for (const name of fs.readdirSync(folder)) {
      equal((fs.statSync(`${folder}/${name}`).mode & 0o777).toString(8), '600', name);
      ok(!/call-1|customer/.test(name), name);
      ok(!fs.readFileSync(`${folder}/${name}`, 'utf8').includes('sk_live'), name);
    }

    const second = start();
    second.cut(true);
    const resumed = await second.open('call-1', { folder, patienceMs: 200 });
    equal(
      resumed.messages.map(({ text }) => text),
      turns(3).slice(2),
    );
    equal(await turn(resumed, 4), 'buffered');
    second.cut(false);
    await resumed.flush();
    equal(
      resumed.messages.map(({ text }) => text),
      turns(4),
    );
    await turn(resumed, 5);
    await resumed.end();
    equal(journals(), []);
    equal(await transcript(resumed.conversationId), turns(5));
  },

  'what a lost response has stored is not stored again by another session': async (context) => {
    const { folder, control } = context;
    if (!folder) return;
    const { start, transcript } = await deployed(context);
    const { journals } = await withFiles(folder);
    const session = await start().open('call-1', { folder, patienceMs: 300 });
    await session.flush();
    await control('faults', { next: Array.from({ length: 9 }, () => 'lost response') });
    equal(await turn(session, 1), 'buffered');
    await session.close();
    await control('faults');
    equal(journals().length, 1);
    const resumed = await start().open('call-1', { folder });
    equal(
      resumed.messages.map(({ text }) => text),
      turns(1),
    );
    await turn(resumed, 2);
    await resumed.close();
    equal(journals(), []);
    equal(await transcript(resumed.conversationId), turns(2));
  },

  'the last known configuration is used for a day while the service is away': async (context) => {
    const { folder, client } = context;
    if (!folder) return;
    const { id, avatarId, start, deploymentId, key, transcript } = await deployed(context);
    const { fs } = await withFiles(folder);
    await (await start().open('call-1', { folder })).close();
    const second = start();
    second.cut(true);
    const session = await second.open('call-2', { folder, patienceMs: 200 });
    equal([session.deploymentId, session.conversationId], [deploymentId, null]);
    equal(await turn(session, 1), 'buffered');
    second.cut(false);
    await session.flush();
    equal(await transcript(session.conversationId), turns(1));
    await session.close();

    const files = fs.readdirSync(folder).filter((name) => name.startsWith('config-'));
    equal(files.length, 2);
    const setAge = (hours: number) => {
      const at = new Date(Date.now() - hours * 3_600_000);
      for (const name of files) fs.utimesSync(`${folder}/${name}`, at, at);
    };
    const openWithoutService = () => {
      const third = start();
      third.cut(true);
      return third.open('call-3', { folder, patienceMs: 200 });
    };
    const closeWithoutService = async (opened: Awaited<ReturnType<typeof openWithoutService>>) =>
      opened.close();
    setAge(23);
    await closeWithoutService(await openWithoutService());
    for (const hours of [25, -2]) {
      setAge(hours);
      const options = { apiKey: key.secret, baseUrl: `${context.origin}/api/v1`, maxRetries: 0 };
      const platform = new client.Platform({
        ...options,
        fetch: async () => {
          throw new TypeError('cut');
        },
      });
      const where = { project: id, environment: 'live', avatar: avatarId, externalId: 'call-4' };
      ok(
        (await rejection(context.runtime.openSession(platform, { ...where, folder }))) instanceof
          client.ConnectionError,
        `${hours}`,
      );
    }
  },

  'a refused key leaves nothing of the configuration, and keeps the journal for another key': async (
    context,
  ) => {
    const { folder, platform } = context;
    if (!folder) return;
    const { start, key, transcript } = await deployed(context);
    const { fs, journals } = await withFiles(folder);
    const configs = () => fs.readdirSync(folder).filter((name) => name.startsWith('config-'));
    const session = await start().open('call-1', { folder });
    await turn(session, 1);
    equal(configs().length, 2);
    const { secret } = await platform.apiKeys.rotate(key.id, { overlap: '0s' });
    equal((await sessionError(turn(session, 2))).code, 'unauthorized');
    equal([configs(), journals().length], [[], 1]);
    equal((await sessionError(start().open('call-1', { folder }))).code, 'unauthorized');
    const resumed = await start(secret).open('call-1', { folder });
    await resumed.end();
    equal(journals(), []);
    equal(await transcript(resumed.conversationId), turns(2));
  },

  'an erased conversation empties its journal': async (context) => {
    const { folder } = context;
    if (!folder) return;
    const { start, project } = await deployed(context);
    const { fs, journals } = await withFiles(folder);
    const { open, cut } = start();
    const session = await open('call-1', { folder, patienceMs: 200 });
    await turn(session, 1);
    await session.flush();
    cut(true);
    await turn(session, 2);
    const text = fs.readFileSync(`${folder}/${journals()[0]}`, 'utf8');
    ok(text.includes('question 2'), 'the journal has what is buffered');
    await project.conversations.delete(session.conversationId ?? '');
    cut(false);
    const error = await sessionError(session.flush());
    equal([error.code, error.unsent.length, journals()], ['conversation_erased', 2, []]);
  },

  'a full disk is a clear error, and no turn is lost': async (context) => {
    const { folder } = context;
    if (!folder) return;
    const { start, transcript } = await deployed(context);
    const { fs } = await withFiles(folder);
    const { open, cut } = start();
    const warnings: string[] = [];
    const onWarning = (sentence: string) => void warnings.push(sentence);
    const session = await open('call-1', { folder, patienceMs: 2000, onWarning });
    await turn(session, 1);
    await session.flush();
    const handle = await fs.promises.open(`${folder}/other`, 'w');
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const { write } = prototype;
    // Half of the line is written.
    const fail = async function (
      this: typeof handle,
      bytes: Uint8Array,
      start: number,
      length: number,
      at: number,
    ) {
      await Reflect.apply(write, this, [bytes, start, Math.floor(length / 2), at]);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    Object.assign(prototype, { write: fail });
    try {
      // The service has it, so it is not lost.
      equal(await turn(session, 2), 'stored');
      ok(/the disk is full/.test(warnings.join()), warnings.join());
      cut(true);
      const error = await sessionError(turn(session, 3));
      equal([error.code, session.buffered], ['journal_failed', 0]);
      ok(error.message.includes('the disk is full'), error.message);
    } finally {
      prototype.write = write;
    }
    equal(await turn(session, 3), 'buffered');
    await session.close();
    cut(false);
    const resumed = await open('call-1', { folder });
    await resumed.end();
    equal(await transcript(resumed.conversationId), turns(3));
  },

  'recoverSessions sends what is left, and ends what was to end': async (context) => {
    const { folder, runtime: kit } = context;
    if (!folder) return;
    const { start, project, transcript } = await deployed(context);
    const { journals } = await withFiles(folder);
    const { open, cut } = start();
    const sessions = await Promise.all(
      ['call-1', 'call-2'].map((id) => open(id, { folder, patienceMs: 100 })),
    );
    const [left, ended] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    await turn(left, 1);
    for (const session of sessions) await session.flush();
    const isOpen = await open('call-3', { folder });
    cut(true);
    await turn(left, 2);
    await turn(ended, 1);
    equal((await sessionError(ended.end('completed', { deadlineMs: 200 }))).code, 'unavailable');
    for (const session of [left, ended]) await session.close();
    const asked = new Set<string>();
    const apart = new context.client.Platform({
      apiKey: context.apiKey,
      baseUrl: `${context.origin}/api/v1`,
      fetch: async (url) => {
        asked.add(`${url}`);
        throw new TypeError('cut');
      },
    });
    const waiting = await kit.recoverSessions(apart, { folder, deadlineMs: 200 });
    // Nobody waits for each journal.
    equal([waiting.map(({ error }) => error?.code), asked.size], [['unavailable', 'unavailable'], 1]);
    const { runtime } = start();
    const recovered = await kit.recoverSessions(runtime, { folder });
    equal(recovered.map(({ externalId, messages, error }) => [externalId, messages, error]).sort(), [
      ['call-1', 2, undefined],
      ['call-2', 2, undefined],
    ]);
    equal(
      [await transcript(left.conversationId), await transcript(ended.conversationId)],
      [turns(2), turns(1)],
    );
    const statuses = await Promise.all(
      [left, ended].map(
        async ({ conversationId }) => (await project.conversations.get(conversationId ?? '')).status,
      ),
    );
    equal(statuses, ['active', 'ended']);
    equal(journals().length, 1);
    cut(false);
    await isOpen.end();
    equal(journals(), []);
  },
};
