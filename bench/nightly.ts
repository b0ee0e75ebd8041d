/**
 * The nightly jobs of docs/jobs.md, and the same job with curl: lines of code, seconds and memory. Each job runs in a new
 * folder, with what `GET /downloads` installs there.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { inBatches } from '../lib/base/batches.ts';
import { dayMs } from '../lib/base/time.ts';
import { type DevProcess, startDevProcess } from '../scripts/local/dev-process.ts';
import { nightlyJob } from '../scripts/shared/nightly-job.ts';
import { root } from '../scripts/shared/root.ts';
import { median, progress, table } from './statistics.ts';
import { textOf } from './texts.ts';

/** How many documents, and how many conversations: `NIGHTLY_ITEMS=20 npm run bench -- nightly`. */
const items = Number(process.env.NIGHTLY_ITEMS ?? 200);
const messagesEach = 20;
const rounds = 3;
const requestsAtOnce = 8;

type Job = {
  name: string;
  code: string;
  script: string;
  /** What runs the script. */
  program: string;
  /** The kind of the download that the job needs. */
  kind?: 'cli' | 'typescript' | 'python';
};

type Measured = { installSeconds: number; seconds: number; peakKilobytes: number };

type Download = { kind: string; install: string };

/** Neither blank lines nor comments. */
const linesOf = (code: string): number =>
  code.split('\n').filter((line) => !/^\s*(#|\/\/|$)/.test(line)).length;

const jobs = (): Job[] => [
  {
    name: 'curl and jq, one request after the other',
    code: readFileSync(resolve(root, 'bench/nightly/curl.sh'), 'utf8'),
    script: 'curl.sh',
    program: 'sh',
  },
  ...nightlyJobs(),
];

/** @returns the jobs of docs/jobs.md */
export const nightlyJobs = (): Job[] => [
  {
    name: 'the TypeScript client',
    code: nightlyJob('nightly.ts'),
    script: 'nightly.ts',
    program: 'node',
    kind: 'typescript',
  },
  {
    name: 'the Python client',
    code: nightlyJob('nightly.py'),
    script: 'nightly.py',
    program: 'python3',
    kind: 'python',
  },
  {
    name: 'the command line',
    code: nightlyJob('nightly.sh'),
    script: 'nightly.sh',
    program: 'sh',
    kind: 'cli',
  },
];

/** @returns the name of the file that a job writes when it begins at this time: the date of its data */
export const fileOfYesterday = (nowMs: number): string =>
  `${new Date(nowMs - dayMs).toISOString().slice(0, 10)}.jsonl`;

/** Stores the documents as files, and the conversations through the API. @returns the project */
async function prepare({ post }: DevProcess, folder: string): Promise<string> {
  const { id: project } = await post('/projects', { name: 'Handbook' });
  const path = `/projects/${project}`;
  const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
  const { id: avatarId } = await post(`${path}/avatars`, avatar);
  mkdirSync(join(folder, 'handbook'));
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  for (const number of numbers(items)) {
    const text = `# Page ${number}\n\n${textOf(number, 150)}\n`;
    writeFileSync(join(folder, 'handbook', `page-${number}.md`), text);
  }
  const midnightMs = new Date().setUTCHours(0, 0, 0, 0) - dayMs;
  await inBatches(numbers(items), requestsAtOnce, async (number) => {
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

/** The environment of a machine that has Node and Python, and nothing of this project. No package comes from a registry. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: [
    join(folder, 'npm/bin'),
    join(folder, 'venv/bin'),
    dirname(process.execPath),
    ...(process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules')),
  ].join(delimiter),
  HOME: folder,
  npm_config_prefix: join(folder, 'npm'),
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_audit: 'false',
  PIP_NO_INDEX: '1',
});

/** @returns how many seconds the install line of the download took */
async function install({ kind }: Job, { baseUrl }: DevProcess, folder: string): Promise<number> {
  if (!kind) return 0;
  const response = await fetch(`${baseUrl}/downloads`);
  const { data } = (await response.json()) as { data: { items: Download[] } };
  const line = data.items.find((item) => item.kind === kind)?.install;
  if (!line) throw new Error(`GET /downloads has no ${kind}`);
  const env = environmentIn(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  if (kind === 'python') execFileSync('python3', ['-m', 'venv', 'venv'], { cwd: folder, env });
  const begun = performance.now();
  await ended('sh', ['-c', line], folder, env);
  return (performance.now() - begun) / 1000;
}

/** @throws Error if the command fails */
async function ended(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}`);
}

/** @returns what the job took. Its file is complete */
async function run(
  { program, script, code }: Job,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Omit<Measured, 'installSeconds'>> {
  writeFileSync(join(folder, script), code);
  const file = fileOfYesterday(Date.now());
  const positional = script === 'curl.sh' ? ['handbook', String(env.SHA), file] : [];
  const peak = resolve(root, 'bench/nightly/peak.py');
  const begun = performance.now();
  await ended('python3', [peak, 'peak', program, script, ...positional], folder, env);
  const seconds = (performance.now() - begun) / 1000;
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { id: string; messages: unknown[] });
  const complete = parsed.every(({ messages }) => messages.length === messagesEach);
  if (new Set(parsed.map(({ id }) => id)).size !== items || !complete)
    throw new Error(`${script}: incomplete`);
  return { seconds, peakKilobytes: Number(readFileSync(join(folder, 'peak'), 'utf8')) };
}

export async function nightly(): Promise<string> {
  const [load = 0] = loadavg();
  const service = await startDevProcess();
  // The first request builds the files, which a deployment has already.
  await fetch(`${service.baseUrl}/downloads`);
  const measured = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const job of jobs()) {
      progress(`nightly: round ${round + 1}, ${job.name}`);
      const folder = mkdtempSync(join(tmpdir(), 'nightly-'));
      const installSeconds = await install(job, service, folder);
      const project = await prepare(service, folder);
      const { baseUrl, apiKey } = service;
      const env = {
        ...environmentIn(folder),
        SHA: `abcdef${round}`,
        ...{ BASE: baseUrl, KEY: apiKey, PROJECT: project },
        ...{ PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: apiKey, PLATFORM_PROJECT: project },
      };
      const one = { installSeconds, ...(await run(job, env, folder)) };
      measured.set(job.name, [...(measured.get(job.name) ?? []), one]);
      rmSync(folder, { recursive: true });
    }
  }
  await service.stop();
  const rows = jobs().map(({ name, code, kind }) => {
    const medianOf = (field: keyof Measured) => median((measured.get(name) ?? []).map((one) => one[field]));
    return [
      name,
      linesOf(code),
      kind ? `${medianOf('installSeconds').toFixed(1)} s` : '',
      `${medianOf('seconds').toFixed(1)} s`,
      `${Math.round(medianOf('peakKilobytes') / 1024)} MB`,
    ];
  });
  return [
    table(['the nightly job with', 'lines', 'installation', 'time', 'peak memory'], rows),
    '',
    `${items} new documents, ${items} conversations of ${messagesEach} messages. Medians of ${rounds} rounds, in turn, on one ` +
      `machine with the service: ${cpus().length} cores, with a load of ${load.toFixed(1)} before the start. The memory is that of ` +
      'the largest process.',
  ].join('\n');
}
