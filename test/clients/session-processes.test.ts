/** Sessions in processes of their own, in both clients: a journal that the disk refuses, and several processes with one journal. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as client from '../../clients/typescript/src/index.ts';
import * as runtime from '../../clients/typescript/src/runtime/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { environmentOf, interpreters } from '../support/client/pythons.ts';
import { contextOf } from '../support/client/run.ts';
import { deployed } from '../support/client/scenarios/sessions.ts';
import { openService } from '../support/client/suite.ts';

const source = resolve(root, 'clients/typescript/src');

/** They do what each line of their input says, and print what came of it. */
const programs = {
  'program.ts': `
    import { createInterface } from 'node:readline';
    import { Platform } from '${source}/index.ts';
    import { openSession } from '${source}/runtime/index.ts';
    const { project, avatar, externalId, folder } = JSON.parse(process.env.SESSION ?? '');
    const where = { project, environment: 'live', avatar, externalId, folder, patienceMs: 2000 };
    let session: Awaited<ReturnType<typeof openSession>>;
    const acts: Record<string, (text: string) => Promise<unknown>> = {
      open: async () => { session = await openSession(new Platform(), where); },
      append: (text) => session.append({ role: 'user', text }),
      flush: () => session.flush(),
      end: () => session.end(),
    };
    for await (const line of createInterface({ input: process.stdin })) {
      const [act = '', text = ''] = line.split(' ');
      const print = (said: unknown) => console.log(said ?? 'done');
      await acts[act]?.(text).then(print, (error) => print(error.code + ' ' + error.message));
    }`,
  'program.py': `
import json, os, sys
from platform_api import Platform, SessionError
given = json.loads(os.environ["SESSION"])
where = {"project": given["project"], "avatar": given["avatar"], "external_id": given["externalId"], "folder": given["folder"]}
session = None
def opened(_):
    global session
    session = Platform().open_session(environment="live", patience=2, **where)
acts = {
    "open": opened,
    "append": lambda text: session.append({"role": "user", "text": text}),
    "flush": lambda _: session.flush(),
    "end": lambda _: session.end(),
}
for line in sys.stdin:
    act, _, text = line.strip().partition(" ")
    try:
        print(acts[act](text) or "done", flush=True)
    except SessionError as error:
        print(error.code, error, flush=True)
`,
};

let service: Awaited<ReturnType<typeof openService>>;
let work: string;
beforeAll(async () => {
  service = await openService({});
  work = mkdtempSync(join(tmpdir(), 'session-processes-'));
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(work, name), program);
});
afterAll(() => {
  service.close();
  rmSync(work, { recursive: true, force: true });
});

const [python] = interpreters();

describe.each(['program.ts', 'program.py'])('%s', { tags: ['long'], timeout: 300_000 }, (file) => {
  /** A conversation, and the processes that work on it. */
  async function openConversation() {
    const context = contextOf(client, runtime, service);
    const { id, project, avatarId, key, transcript } = await deployed(context);
    const folder = mkdtempSync(join(work, 'folder-'));
    const children: ChildProcess[] = [];
    /** @param maxBlocks of 512 bytes: a file cannot become larger, as on a full disk */
    const start = (maxBlocks?: number) => {
      const command = file.endsWith('.ts') ? process.execPath : (python?.command ?? '');
      const limit = maxBlocks === undefined ? '' : `ulimit -f ${maxBlocks} && `;
      const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', command, join(work, file)], {
        env: {
          PATH: process.env.PATH,
          ...(python && file.endsWith('.py') && environmentOf(python, false)),
          PLATFORM_API_KEY: key.secret,
          PLATFORM_BASE_URL: `${service.origin}/api/v1`,
          SESSION: JSON.stringify({ project: id, avatar: avatarId, externalId: 'call-1', folder }),
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      children.push(child);
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return {
        /** @returns what came of it */
        async does(act: string): Promise<string> {
          child.stdin.write(`${act}\n`);
          return `${(await lines.next()).value}`;
        },
        async kill() {
          const closed = new Promise((done) => child.once('close', done));
          child.kill('SIGKILL');
          await closed;
        },
      };
    };
    const cut = (isCut: boolean) =>
      context.control('faults', { next: isCut ? Array.from({ length: 1000 }, () => 'reset before') : [] });
    const stored = async () => {
      const [conversation] = (await project.conversations.list({ externalId: 'call-1' })).items;
      return { texts: await transcript(conversation?.id ?? ''), status: conversation?.status };
    };
    const close = () => {
      for (const child of children) child.kill('SIGKILL');
    };
    return { start, cut, stored, folder, [Symbol.dispose]: close };
  }

  test.skipIf(file.endsWith('.py') && !python)(
    'a turn that the disk refuses is not taken, and all others are stored after kill -9',
    async () => {
      using conversation = await openConversation();
      const { start, cut, stored } = conversation;
      const first = start(12);
      expect(await first.does('open')).toBe('done');
      expect(await first.does('append before')).toMatch(/^(stored|buffered)$/);
      expect(await first.does('flush')).toBe('done');
      await cut(true);
      const taken: string[] = ['before'];
      let refused = '';
      while (refused === '' && taken.length < 20) {
        const text = `${taken.length}-${'a'.repeat(900)}`;
        const said = await first.does(`append ${text}`);
        if (said === 'buffered') taken.push(text);
        else refused = said;
      }
      expect(refused).toMatch(/^journal_failed .* cannot be written: .*\(EFBIG\)/);
      expect(taken.length).toBeGreaterThan(2);
      await first.kill();
      await cut(false);
      const second = start();
      expect(await second.does('open')).toBe('done');
      expect(await second.does('append after')).toMatch(/^(stored|buffered)$/);
      expect(await second.does('end')).toBe('done');
      expect(await stored()).toEqual({ texts: [...taken, 'after'], status: 'ended' });
    },
  );

  test.skipIf(file.endsWith('.py') && !python)(
    'one of several processes has the journal, and after kill -9 another',
    async () => {
      using conversation = await openConversation();
      const { start, cut, stored, folder } = conversation;
      const first = start();
      expect(await first.does('open')).toBe('done');
      expect(await first.does('append before')).toMatch(/^(stored|buffered)$/);
      expect(await first.does('flush')).toBe('done');
      const others = [start(), start(), start()];
      const openAll = () => Promise.all(others.map((one) => one.does('open')));
      for (const said of await openAll()) expect(said).toMatch(/^journal_locked Another session/);
      await cut(true);
      expect(await first.does('append left')).toBe('buffered');
      await first.kill();
      const said = await openAll();
      expect(said.map((one) => one.split(' ')[0]).sort()).toEqual([
        'done',
        'journal_locked',
        'journal_locked',
      ]);
      await cut(false);
      const second = others[said.indexOf('done')];
      expect(await second?.does('append after')).toMatch(/^(stored|buffered)$/);
      expect(await second?.does('end')).toBe('done');
      expect(await stored()).toEqual({ texts: ['before', 'left', 'after'], status: 'ended' });
      expect(readdirSync(folder).filter((name) => /journal|\.lock/.test(name))).toEqual([]);
    },
  );
});
