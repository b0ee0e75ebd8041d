/**
 * The programs of docs/runtime.md, as they are there, with a model of this test. They are killed in the middle of turns, the network
 * drops all packets for ten seconds, and somebody deploys between two turns. In the end, the conversation has each message once.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Platform } from '../../clients/typescript/src/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { installClient } from '../support/client/installed.ts';
import { environmentOf, interpreters } from '../support/client/pythons.ts';
import { runtimeScopes } from '../support/client/scenarios/sessions.ts';
import { serveApi } from '../support/served-api.ts';

const text = readFileSync(resolve(root, 'docs/runtime.md'), 'utf8');
const programIn = (file: string) => {
  const [, program = ''] =
    new RegExp(`^cat > my-runtime/${file} <<'SCRIPT'\n([^]*?)^SCRIPT$`, 'm').exec(text) ?? [];
  return program;
};

test.each(['runtime.ts', 'runtime.py'])('%s has at most 20 lines', (file) => {
  const lines = programIn(file).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(20);
});

/** They think until they are killed, once, and say their prompt. */
const models = {
  'model.ts': `
    import { existsSync, writeFileSync } from 'node:fs';
    export async function answer(prompt: string, before: readonly object[], passages: { title: string }[], text: string) {
      if (text.includes('slowly') && !existsSync('thinking')) {
        writeFileSync('thinking', '');
        await new Promise((done) => setTimeout(done, 3_600_000));
      }
      return [prompt, before.length, passages.map(({ title }) => title).join() || '-', text].join('|');
    }`,
  'model.py': `
import os, time
def answer(prompt, before, passages, text):
    if "slowly" in text and not os.path.exists("thinking"):
        open("thinking", "w").close()
        time.sleep(3600)
    return "|".join([prompt, str(len(before)), ",".join(one.title for one in passages) or "-", text])
`,
};

/** Bytes between the program and the service. */
async function openNetwork(port: number) {
  let isCut = false;
  let isDeaf = false;
  const broken = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1');
    for (const socket of [client, service]) socket.on('error', () => {});
    client.on('data', (bytes) => (isCut ? broken.add(client) : service.write(bytes)));
    service.on('data', (bytes) => (isCut || isDeaf ? broken.add(client) : client.write(bytes)));
    client.on('close', () => service.destroy());
    service.on('close', () => isCut || client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    /** Drops all packets. */
    cut: () => {
      isCut = true;
    },
    /** Drops those of responses. */
    deafen: () => {
      isDeaf = true;
    },
    /** What has lost bytes cannot go on. */
    mend: () => {
      isCut = false;
      isDeaf = false;
      for (const socket of broken) socket.destroy();
      broken.clear();
    },
    close: () => server.close(),
  };
}

/** A running program. */
function run(command: readonly string[], cwd: string, env: Record<string, string>) {
  const [file = '', ...args] = command;
  const child: ChildProcess = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('no streams');
  let printed = '';
  stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const lines: string[] = [];
  let arrived = () => {};
  createInterface({ input: stdout }).on('line', (line) => {
    lines.push(line);
    arrived();
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return {
    send: (id: string, said: string) => void stdin.write(`${JSON.stringify({ id, text: said })}\n`),
    /** The next answer. */
    async answer(): Promise<string> {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) return line;
        const next = new Promise<void>((done) => {
          arrived = done;
        });
        const code = await Promise.race([next, ended]);
        if (lines.length === 0) throw new Error(`It ended with ${code}: ${printed}`);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async end() {
      stdin.end();
      return { code: await ended, printed };
    },
  };
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 1200) throw new Error('it did not happen');
    await sleep(50);
  }
}

let service: Awaited<ReturnType<typeof serveApi>>;
let installed: ReturnType<typeof installClient> | undefined;
beforeAll(async () => {
  service = await serveApi();
});
afterAll(() => {
  service?.close();
  installed?.remove();
});

const [python] = interpreters();

test.for(['runtime.ts', 'runtime.py'])(
  '%s stores each message once, whatever happens',
  { tags: ['long'], timeout: 300_000 },
  async (file, { skip }) => {
    if (file.endsWith('.py') && !python) return skip('Python is missing');
    installed ??= installClient();
    const folder = mkdtempSync(join(file.endsWith('.ts') ? installed.user : tmpdir(), 'runtime-'));
    const platform = new Platform({ apiKey: service.apiKey, baseUrl: service.baseUrl });
    const { id } = await platform.projects.create({ name: 'Shop' });
    const project = platform.projects(id);
    await project.knowledge.documents.create({
      title: 'Returns',
      content: 'Send anything back.',
      tags: ['shop'],
    });
    await service.api.workOff(id, (await project.knowledge.reindex()).id);
    const avatar = await project.avatars.create({
      name: 'Clara',
      persona: { prompt: 'Be kind.' },
      knowledgeTags: ['shop'],
    });
    const { id: deploymentId } = await project.deployments.create({ environment: 'production' });
    const { secret } = await platform.apiKeys.create({
      name: 'runtime',
      scopes: [...runtimeScopes],
      projectIds: [id],
    });
    const network = await openNetwork(Number(new URL(service.origin).port));
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), programIn(file));
      for (const [name, model] of Object.entries(models)) writeFileSync(join(folder, name), model);
      const command = file.endsWith('.ts') ? [process.execPath, file] : [python?.command ?? '', file];
      const start = () =>
        run(command, folder, {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          ...(python && file.endsWith('.py') && environmentOf(python, false)),
          PLATFORM_BASE_URL: `${network.origin}/api/v1`,
          PLATFORM_API_KEY: secret,
          PLATFORM_PROJECT: id,
          AVATAR: avatar.id,
          CALL: 'call-1',
        });
      const stored = async () => {
        const [conversation] = (await project.conversations.list({ externalId: 'call-1' })).items;
        const found: string[] = [];
        for await (const message of project.conversations.messages(conversation?.id ?? ''))
          found.push(message.text);
        return { conversation, texts: found };
      };

      let program = start();
      program.send('m-1', 'send back 1');
      expect(await program.answer()).toBe('Be kind.|0|Returns|send back 1');

      await project.avatars.update(avatar.id, { persona: { prompt: 'Be brief.' } });
      await project.deployments.create({ environment: 'production' });
      program.send('m-2', 'send back 2');
      expect(await program.answer()).toBe('Be kind.|2|Returns|send back 2');

      // It is killed while the model thinks. The message is delivered again.
      program.send('m-3', 'send back 3, slowly');
      await until(() => existsSync(join(folder, 'thinking')));
      await program.kill();
      program = start();
      program.send('m-3', 'send back 3, slowly');
      expect(await program.answer()).toBe('Be kind.|4|Returns|send back 3, slowly');

      // It is killed when the service has stored the turn, and the program does not know it.
      network.deafen();
      program.send('m-4', 'send back 4');
      await until(async () => (await stored()).texts.length === 8);
      await program.kill();
      network.mend();
      program = start();
      program.send('m-4', 'send back 4');
      const fourth = await program.answer();
      expect(fourth).toMatch(/^Be kind\.\|6\|(Returns|-)\|send back 4$/);

      network.cut();
      const cutMs = performance.now();
      program.send('m-5', 'send back 5');
      program.send('m-6', 'send back 6');
      await sleep(10_000 - (performance.now() - cutMs));
      network.mend();
      const [fifth, sixth] = [await program.answer(), await program.answer()];
      program.send('m-7', 'send back 7');
      const seventh = await program.answer();
      const { code, printed } = await program.end();
      expect([code, printed]).toEqual([0, '']);

      const { conversation, texts } = await stored();
      const numbers = [1, 2, 3, 4, 5, 6, 7];
      const questions = numbers.map((number) => `send back ${number}${number === 3 ? ', slowly' : ''}`);
      expect(texts.filter((_, index) => index % 2 === 0)).toEqual(questions);
      expect(texts.filter((_, index) => index % 2 === 1).slice(3)).toEqual([fourth, fifth, sixth, seventh]);
      expect(texts.length).toBe(14);
      expect(conversation).toMatchObject({ deploymentId, status: 'ended', messageCount: 14 });
      const files = readdirSync(join(folder, 'sessions'));
      expect(files.filter((name) => !name.startsWith('config-'))).toEqual([]);
      for (const name of files) {
        const content = readFileSync(join(folder, 'sessions', name), 'utf8');
        expect(content).not.toContain(secret);
        expect(content).not.toContain('send back');
      }
    } finally {
      network.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
