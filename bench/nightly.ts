/** The nightly job of docs/jobs.md, and the same job with curl: lines of code and seconds. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inBatches } from '../lib/base/batches.ts';
import { dayMs } from '../lib/base/time.ts';
import { type DevProcess, startDevProcess } from '../scripts/local/dev-process.ts';
import { root } from '../scripts/shared/root.ts';
import { median, progress, table } from './statistics.ts';
import { textOf } from './texts.ts';

const documents = 200;
const conversations = 200;
const messagesEach = 20;
const rounds = 3;
const requestsAtOnce = 8;

type Job = { name: string; code: string; command: string; args: string[] };

/** @returns the file that a block of docs/jobs.md writes */
function fileIn(name: string): string {
  const text = readFileSync(resolve(root, 'docs/jobs.md'), 'utf8');
  const found = new RegExp(`^cat > nightly/${name} <<'SCRIPT'\n([\\s\\S]*?)^SCRIPT$`, 'm').exec(text)?.[1];
  if (!found) throw new Error(`docs/jobs.md does not write nightly/${name}`);
  return found;
}

/** Neither blank lines nor comments. */
const linesOf = (code: string): number =>
  code.split('\n').filter((line) => !/^\s*(#|\/\/|$)/.test(line)).length;

const jobs = (): Job[] => {
  const curl = readFileSync(resolve(root, 'bench/nightly/curl.sh'), 'utf8');
  return [
    { name: 'curl and jq, one request after the other', code: curl, command: 'sh', args: ['curl.sh'] },
    { name: 'the client', code: fileIn('nightly.ts'), command: process.execPath, args: ['nightly.ts'] },
    { name: 'the command line', code: fileIn('nightly.sh'), command: 'sh', args: ['nightly.sh'] },
  ];
};

/** Stores the documents as files, and the conversations through the API. @returns the project */
async function prepare({ post }: DevProcess, folder: string): Promise<string> {
  const { id: project } = await post('/projects', { name: 'Handbook' });
  const path = `/projects/${project}`;
  const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
  const { id: avatarId } = await post(`${path}/avatars`, avatar);
  mkdirSync(join(folder, 'handbook'));
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  for (const number of numbers(documents)) {
    const text = `# Page ${number}\n\n${textOf(number, 150)}\n`;
    writeFileSync(join(folder, 'handbook', `page-${number}.md`), text);
  }
  const midnightMs = new Date().setUTCHours(0, 0, 0, 0) - dayMs;
  await inBatches(numbers(conversations), requestsAtOnce, async (number) => {
    const startedAt = new Date(midnightMs + number * 60_000).toISOString();
    const { id } = await post(`${path}/conversations`, { avatarId, startedAt });
    const messages = numbers(messagesEach).map((index) => ({
      role: index % 2 === 0 ? 'user' : 'avatar',
      text: textOf(number * messagesEach + index, 15),
    }));
    await post(`${path}/conversations/${id}/messages`, { messages });
  });
  return project;
}

/** @returns how many seconds the job took. Its file is complete */
async function time({ command, args, code }: Job, env: NodeJS.ProcessEnv, folder: string): Promise<number> {
  const [script = ''] = args;
  writeFileSync(join(folder, script), code);
  const begun = performance.now();
  const positional = script === 'curl.sh' ? ['handbook', String(env.SHA), 'conversations.jsonl'] : [];
  const child = spawn(command, [...args, ...positional], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${script} exited with ${status}`);
  const seconds = (performance.now() - begun) / 1000;
  const lines = readFileSync(join(folder, 'conversations.jsonl'), 'utf8').trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { id: string; messages: unknown[] });
  const complete = parsed.every(({ messages }) => messages.length === messagesEach);
  if (new Set(parsed.map(({ id }) => id)).size !== conversations || !complete)
    throw new Error(`${script}: incomplete`);
  return seconds;
}

export async function nightly(): Promise<string> {
  execFileSync('npm', ['run', 'build', '--workspace', 'client'], { cwd: root, stdio: 'ignore' });
  const service = await startDevProcess();
  const seconds = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const job of jobs()) {
      progress(`nightly: round ${round + 1}, ${job.name}`);
      const folder = mkdtempSync(join(tmpdir(), 'nightly-'));
      const project = await prepare(service, folder);
      // As `npm install` of both packages.
      symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const { baseUrl, apiKey } = service;
      const env = {
        PATH: `${resolve(root, 'node_modules/.bin')}:${process.env.PATH}`,
        HOME: folder,
        SHA: `abcdef${round}`,
        ...{ BASE: baseUrl, KEY: apiKey, PROJECT: project },
        ...{ PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: apiKey, PLATFORM_PROJECT: project },
      };
      seconds.set(job.name, [...(seconds.get(job.name) ?? []), await time(job, env, folder)]);
      rmSync(folder, { recursive: true });
    }
  }
  await service.stop();
  const rows = jobs().map(({ name, code }) => [
    name,
    linesOf(code),
    `${median(seconds.get(name) ?? []).toFixed(1)} s`,
  ]);
  return [
    table(['the nightly job with', 'lines', 'time'], rows),
    '',
    `${documents} new documents, ${conversations} conversations of ${messagesEach} messages. Medians of ${rounds} ` +
      'rounds, in turn, on one machine with the service.',
  ].join('\n');
}
