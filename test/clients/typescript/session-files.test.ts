/** The files of a session: its journal and its lock. */

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Files, openFolder } from '../../../clients/typescript/src/runtime/folder.ts';
import { Journal, type JournalHead } from '../../../clients/typescript/src/runtime/journal.ts';
import { lock } from '../../../clients/typescript/src/runtime/lock.ts';
import { Outbox } from '../../../clients/typescript/src/runtime/outbox.ts';
import { lastNumberOf } from '../../../clients/typescript/src/runtime/turn.ts';

let folder: string;
let files: Files;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'session-files-'));
  files = await openFolder(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((done) => child.once('close', done));
  return child.pid ?? 0;
}

describe('a lock', () => {
  const write = (holder: object, secondsAgo = 0) => {
    const path = join(folder, 'a.lock');
    writeFileSync(path, JSON.stringify(holder));
    const at = new Date(Date.now() - secondsAgo * 1000);
    utimesSync(path, at, at);
  };
  const isLocked = () =>
    lock(files, 'a.lock').then(
      async (unlock) => {
        await unlock();
        return false;
      },
      (error) => error.code === 'journal_locked',
    );

  test('is held until it is released, in the same process too', async () => {
    const unlock = await lock(files, 'a.lock');
    expect(await isLocked()).toBe(true);
    await unlock();
    expect(await isLocked()).toBe(false);
    expect(existsSync(join(folder, 'a.lock'))).toBe(false);
  });

  test('of a process that has ended is stale', async () => {
    write({ id: 'a', pid: await endedPid(), host: hostname() });
    expect(await isLocked()).toBe(false);
  });

  test('of a living process is held', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const stat = existsSync('/proc/self/stat') ? readFileSync(`/proc/${child.pid}/stat`, 'utf8') : '';
      const started = stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] : undefined;
      write({ id: 'a', pid: child.pid, host: hostname(), started }, 3600);
      expect(await isLocked()).toBe(true);
      // Another process has had this number before.
      write({ id: 'a', pid: child.pid, host: hostname(), started: '1' }, 3600);
      expect(await isLocked()).toBe(!stat);
    } finally {
      child.kill();
    }
  });

  test('of a process with the number of this one, as in a container that has restarted, is stale', async () => {
    write({ id: 'a', pid: process.pid, host: hostname(), started: '1' });
    expect(await isLocked()).toBe(false);
  });

  test.each([
    ['another machine', { id: 'a', pid: 1, host: 'another' }],
    ['a process that is writing it', {}],
  ])('of %s is stale after 30 seconds of silence', async (_, holder) => {
    write(holder, 20);
    expect(await isLocked()).toBe(true);
    write(holder, 40);
    expect(await isLocked()).toBe(false);
  });

  test('that is stale is taken by one of many at once', async () => {
    const pid = await endedPid();
    for (let round = 0; round < 20; round += 1) {
      write({ id: `${round}`, pid, host: hostname() });
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lock(files, 'a.lock')));
      const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(taken.length).toBe(1);
      await taken[0]?.();
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});

describe('a journal', () => {
  const head: JournalHead = {
    version: 1,
    baseUrl: 'http://localhost/api/v1',
    project: 'proj_1',
    environment: 'live',
    externalId: 'call-1',
    start: { avatarId: 'avtr_1' },
    conversationId: null,
    deploymentId: null,
    endReason: null,
  };
  const limits = { turns: 10, bytes: 10_000 };
  const say = (text: string) => [{ role: 'user' as const, text }];
  const path = () => join(folder, 'a.journal');
  const kept = async () => {
    const journal = await Journal.open(files, 'a.journal');
    await journal.release();
    return journal.kept.map(({ first, messages }) => [first, messages[0]?.text]);
  };

  test('has the turns that are left, also if turns are added and removed at the same time', async () => {
    const outbox = new Outbox(limits);
    outbox.enter(4, 0);
    const journal = await Journal.open(files, 'a.journal');
    await journal.keep(head, () => outbox.turns);
    const first = outbox.add(say('a'));
    await journal.add(first);
    outbox.stored([first], 5);
    const removing = journal.keep(head, () => outbox.turns);
    await Promise.all([removing, journal.add(outbox.add(say('b')))]);
    await journal.add(outbox.add(say('c')));
    await journal.release();
    expect(await kept()).toEqual([
      [6, 'b'],
      [7, 'c'],
    ]);
  });

  test('leaves out a line that was not written completely', async () => {
    const outbox = new Outbox(limits);
    const journal = await Journal.open(files, 'a.journal');
    await journal.keep(head, () => outbox.turns);
    for (const text of ['a', 'b']) await journal.add(outbox.add(say(text)));
    await journal.release();
    const whole = readFileSync(path(), 'utf8');
    for (let bytes = whole.length - 1; bytes > whole.lastIndexOf('{"first"'); bytes -= 7) {
      writeFileSync(path(), whole.slice(0, bytes));
      expect(await kept()).toEqual([[undefined, 'a']]);
    }
    writeFileSync(path(), '{"version":1');
    expect(await kept()).toEqual([]);
  });

  test('is as it was after a write that a full disk refuses', async () => {
    const outbox = new Outbox(limits);
    const journal = await Journal.open(files, 'a.journal');
    await journal.keep(head, () => outbox.turns);
    await journal.add(outbox.add(say('a')));
    const handle = await files.fs.open(join(folder, 'other'), 'w');
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const { datasync } = prototype;
    // The line is written, and then it is not on the disk.
    prototype.datasync = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    try {
      await expect(journal.add(outbox.add(say('b')))).rejects.toMatchObject({
        code: 'journal_failed',
        message: expect.stringContaining('the disk is full'),
      });
    } finally {
      prototype.datasync = datasync;
    }
    await journal.release();
    expect(await kept()).toEqual([[undefined, 'a']]);
  });

  test.each(['{"version":2}\n', 'nonsense\n', '{"version":1}\n{"first":1,\n'])(
    'refuses %j',
    async (content) => {
      writeFileSync(path(), content);
      await expect(kept()).rejects.toMatchObject({ code: 'journal_failed' });
      expect(readdirSync(folder)).toEqual(['a.journal']);
    },
  );
});

describe('the numbers of messages', () => {
  const limits = { turns: 10, bytes: 10_000 };
  const say = (count: number) => Array.from({ length: count }, () => ({ role: 'user' as const, text: 'a' }));
  const ids = (outbox: Outbox) => outbox.messages.map(({ clientMessageId }) => clientMessageId);

  test('continue those of the conversation', () => {
    const outbox = new Outbox(limits);
    outbox.add(say(2));
    expect(ids(outbox)).toEqual([undefined, undefined]);
    outbox.enter(7, 0);
    const second = outbox.add(say(1));
    expect(ids(outbox)).toEqual(['session-8', 'session-9', 'session-10']);
    outbox.takeBack(second);
    outbox.add(say(1));
    expect(ids(outbox)).toEqual(['session-8', 'session-9', 'session-10']);
    // Others have added messages, too.
    outbox.stored(outbox.batch(), 14);
    outbox.add(say(1));
    expect(ids(outbox)).toEqual(['session-15']);
  });

  test('are higher than those of all stored messages, also if a restore has lost some', () => {
    const outbox = new Outbox(limits);
    const stored = ['session-1', null, 'event-9', 'session-12', 'session-', 'session-1e9', undefined];
    const lastNumber = lastNumberOf(stored.map((clientMessageId) => ({ clientMessageId })));
    outbox.enter(stored.length, lastNumber);
    outbox.add(say(1));
    expect(ids(outbox)).toEqual(['session-13']);
    expect(lastNumberOf([])).toBe(0);
  });

  test('of a journal stay as they are', () => {
    const outbox = new Outbox(limits, [{ first: 3, messages: say(2) }]);
    outbox.enter(9, 0);
    outbox.add(say(1));
    expect(ids(outbox)).toEqual(['session-3', 'session-4', 'session-10']);
  });

  test('a batch has at most 25 messages and 200 KB, and at least one turn', () => {
    const outbox = new Outbox({ turns: 100, bytes: 10_000_000 });
    for (let count = 0; count < 20; count += 1) outbox.add(say(2));
    expect(outbox.batch().length).toBe(12);
    const large = new Outbox({ turns: 100, bytes: 10_000_000 });
    for (let count = 0; count < 5; count += 1) large.add([{ role: 'user', text: 'a'.repeat(150_000) }]);
    expect(large.batch().length).toBe(1);
  });
});
