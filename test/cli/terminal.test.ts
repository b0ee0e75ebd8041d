/** What is different in a terminal: questions, colours, progress bars. Python's `pty` is the terminal. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCli, type Cli, type DevServer, newProject, startDevServer } from '../support/cli.ts';

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Types the answer when the question appears, and prints what the terminal shows, then the exit code. */
const typing = `
import os, pty, sys
question, answer, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(command[0], command)
shown, asked = b'', False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if not asked and question and question.encode() in shown:
        asked = True
        os.write(terminal, answer.encode() + b'\\r')
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe.skipIf(!hasPython)('in a terminal (needs python3)', () => {
  let cli: Cli;
  let server: DevServer;
  let project: Awaited<ReturnType<typeof newProject>>;
  beforeAll(async () => {
    cli = buildCli();
    server = await startDevServer();
    project = await newProject(server);
  });
  afterAll(async () => {
    await server?.stop();
    cli?.remove();
  });

  function inTerminal(args: string[], { question = '', answer = '', env = {} } = {}) {
    const command = [process.execPath, resolve(cli.home, '../bin/platform.js'), ...args];
    const ran = spawnSync('python3', ['-c', typing, question, answer, ...command], {
      cwd: cli.home,
      env: { PATH: process.env.PATH, HOME: cli.home, TERM: 'xterm', ...env },
      encoding: 'utf8',
    });
    return { code: ran.status, shown: ran.stdout };
  }

  test('login asks for the key, and does not show it', () => {
    const login = ['login', '--base-url', server.baseUrl];
    const ran = inTerminal(login, { question: '(not shown): ', answer: server.apiKey });
    expect(ran.code).toBe(0);
    expect(ran.shown).toContain('Logged in to');
    expect(ran.shown).not.toContain(server.apiKey.slice(-40, -10));
    expect(readFileSync(join(cli.home, '.config/platform/profiles.json'), 'utf8')).toContain(server.apiKey);
  });

  test('Ctrl+C at a question exits with 130', () => {
    const login = ['login', '--base-url', server.baseUrl];
    expect(inTerminal(login, { question: '(not shown): ', answer: '\u0003' }).code).toBe(130);
  });

  test('a command that deletes asks first', async () => {
    const { id } = await project.project.avatars.create({ name: 'a', persona: { prompt: 'p' } });
    const remove = ['avatars', 'delete', id];
    expect(inTerminal(remove, { question: '[y/N]', answer: '', env: project.env }).code).toBe(2);
    expect(await project.project.avatars.get(id)).toMatchObject({ id });
    expect(inTerminal(remove, { question: '[y/N]', answer: 'y', env: project.env }).code).toBe(0);
    await expect(project.project.avatars.get(id)).rejects.toThrow();
  });

  test('there are colours and a progress bar, but not with NO_COLOR and TERM=dumb', () => {
    const folder = join(cli.home, 'handbook');
    mkdirSync(folder);
    for (let index = 0; index < 5; index += 1) writeFileSync(join(folder, `${index}.md`), 'text');
    const sync = ['knowledge', 'sync', folder, '--source', 'handbook'];
    expect(inTerminal(sync, { env: project.env }).shown).toMatch(/Synchronising █+ 5\/5/);
    expect(inTerminal(sync, { env: { ...project.env, TERM: 'dumb' } }).shown).not.toContain('█');
    const list = ['projects', 'list'];
    expect(inTerminal(list, { env: project.env }).shown).toContain('\u001b[1m');
    expect(inTerminal(list, { env: { ...project.env, NO_COLOR: '1' } }).shown).not.toContain('\u001b');
  });
});
