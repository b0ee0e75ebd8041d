/** What is different in a terminal: questions, colours, progress bars. Python's `pty` is the terminal. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useCli } from '../support/cli.ts';

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
  const cli = useCli();

  async function inTerminal(args: string[], { question = '', answer = '', env = {} } = {}) {
    const command = [process.execPath, cli.file, ...args];
    const child = spawn('python3', ['-c', typing, question, answer, ...command], {
      cwd: cli.home,
      env: { PATH: process.env.PATH, HOME: cli.home, TERM: 'xterm', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const code = new Promise((done) => child.once('close', done));
    const shown = await text(child.stdout);
    return { code: await code, shown };
  }

  test('login asks for the key, and does not show it', async () => {
    const login = ['login', '--base-url', cli.service.baseUrl];
    const ran = await inTerminal(login, { question: '(not shown): ', answer: cli.service.apiKey });
    expect(ran.code).toBe(0);
    expect(ran.shown).toContain('Logged in to');
    expect(ran.shown).not.toContain(cli.service.apiKey.slice(-40, -10));
    expect(readFileSync(join(cli.home, '.config/platform/profiles.json'), 'utf8')).toContain(
      cli.service.apiKey,
    );
  });

  test('Ctrl+C at a question exits with 130', async () => {
    const login = ['login', '--base-url', cli.service.baseUrl];
    expect((await inTerminal(login, { question: '(not shown): ', answer: '\u0003' })).code).toBe(130);
  });

  test('a command that deletes asks first', { tags: ['long'] }, async () => {
    const { id } = await cli.project.project.avatars.create({ name: 'a', persona: { prompt: 'p' } });
    const remove = ['avatars', 'delete', id];
    expect((await inTerminal(remove, { question: '[y/N]', answer: '', env: cli.project.env })).code).toBe(2);
    expect(await cli.project.project.avatars.get(id)).toMatchObject({ id });
    expect((await inTerminal(remove, { question: '[y/N]', answer: 'y', env: cli.project.env })).code).toBe(0);
    await expect(cli.project.project.avatars.get(id)).rejects.toThrow();
  });

  test('there are colours and a progress bar, but not with NO_COLOR and TERM=dumb', {
    tags: ['long'],
  }, async () => {
    const folder = join(cli.home, 'handbook');
    mkdirSync(folder);
    for (let index = 0; index < 5; index += 1) writeFileSync(join(folder, `${index}.md`), 'content');
    const sync = ['knowledge', 'sync', folder, '--source', 'handbook'];
    expect((await inTerminal(sync, { env: cli.project.env })).shown).toMatch(/Synchronising █+ 5\/5/);
    expect((await inTerminal(sync, { env: { ...cli.project.env, TERM: 'dumb' } })).shown).not.toContain('█');
    const list = ['projects', 'list'];
    expect((await inTerminal(list, { env: cli.project.env })).shown).toContain('\u001b[1m');
    expect((await inTerminal(list, { env: { ...cli.project.env, NO_COLOR: '1' } })).shown).not.toContain(
      '\u001b',
    );
  });
});
