/** The downloads of a deployed stack: npm and pip install them, and the nightly jobs run with them. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import type { ContractApi } from '../../samples/api.ts';
import { nightlyJob } from '../../scripts/shared/nightly-job.ts';
import { bytesOf, type Forward, invoke, openGateway } from './gateway.ts';

const execute = promisify(execFile);

/** The jobs of docs/jobs.md, and what runs each. */
const nightlyJobs = { 'nightly.ts': 'node', 'nightly.py': 'python3', 'nightly.sh': 'sh' };

type Item = { file: string; kind: string; bytes: number; sha256: string };

/** @param deployed how to reach the stack */
export function rehearseDownloads(
  deployed: () => {
    forward: Forward;
    open: () => Promise<ContractApi>;
    endpoint: string;
    bucket: string | undefined;
  },
): void {
  const listed = async () => (await deployed().forward('GET', '/downloads', {}, '')).data.items as Item[];

  test('the function has the listed files, and the bucket keeps them', async () => {
    const items = await listed();
    expect(items.map(({ kind }) => kind)).toEqual(['cli', 'typescript', 'python']);
    for (const { file, sha256, bytes } of items) {
      const result = await invoke(file);
      expect([result.statusCode, result.headers?.['Content-Type']]).toEqual([
        200,
        'application/octet-stream',
      ]);
      expect(bytesOf(result)).toHaveLength(bytes);
      const kept = Buffer.from(
        await (await fetch(`${deployed().endpoint}/${deployed().bucket}/${file}`)).arrayBuffer(),
      );
      for (const content of [bytesOf(result), kept]) {
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      }
    }
  });

  test('a missing file is an error in the envelope', async () => {
    const result = await invoke('platform-api-cli-9.9.9-g0000000.tgz');
    expect([result.statusCode, JSON.parse(result.body).error.code]).toEqual([404, 'not_found']);
  });

  test('npm and pip install from it without a registry, and the nightly jobs of docs/jobs.md run', async () => {
    const { address, close } = await openGateway(deployed().forward);
    const folder = mkdtempSync(join(tmpdir(), 'platform-installed-'));
    try {
      const { project, key, conversation } = await prepare(await deployed().open());
      const fileOf = async (wanted: string) =>
        (await listed()).find(({ kind }) => kind === wanted)?.file ?? '';
      const options = ['--no-audit', '--no-fund', '--registry=http://127.0.0.1:9'];
      const prefix = join(folder, 'global');
      const wheels = join(folder, 'python');
      const target = ['--no-index', '--target', wheels];
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      mkdirSync(join(folder, 'handbook'));
      writeFileSync(join(folder, 'handbook/returns.md'), '# Returns\n\nWithin thirty days.\n');
      const cli = `${address}/downloads/platform-api-cli.tgz`;
      await execute('npm', ['install', '--global', '--prefix', prefix, ...options, cli]);
      const client = `${address}/downloads/${await fileOf('typescript')}`;
      await execute('npm', ['install', ...options, client], { cwd: folder });
      const wheel = `${address}/downloads/${await fileOf('python')}`;
      await execute('python3', ['-m', 'pip', 'install', ...target, wheel]);
      const env = {
        HOME: folder,
        PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        PYTHONPATH: wheels,
        SHA: 'abcdef1',
        PLATFORM_BASE_URL: address,
        PLATFORM_API_KEY: key,
        PLATFORM_PROJECT: project,
      };
      for (const [script, program] of Object.entries(nightlyJobs)) {
        const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
        const result = join(folder, `${yesterday}.jsonl`);
        rmSync(result, { force: true });
        writeFileSync(join(folder, script), nightlyJob(script));
        await execute(program, [script], { cwd: folder, env });
        const lines = readFileSync(result, 'utf8').trim().split('\n');
        expect(lines.map((line) => JSON.parse(line).id)).toEqual([conversation]);
      }
    } finally {
      close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 900_000);
}

/** A project with an avatar and a conversation of yesterday, and a key for the jobs. */
async function prepare(api: ContractApi) {
  const made = async (path: string, body: object) => {
    const answer = await api.call('POST', path, { body: { ...body } });
    expect(answer.status, answer.text).toBe(201);
    return answer.data as { id: string; secret: string };
  };
  const { id: project } = await made('/projects', { name: 'Handbook' });
  const path = `/projects/${project}`;
  const { id: avatarId } = await made(`${path}/avatars`, {
    name: 'Ada',
    persona: { prompt: 'You are Ada.' },
  });
  const startedAt = new Date(new Date().setUTCHours(0, 0, 0, 0) - dayMs / 2).toISOString();
  const { id: conversation } = await made(`${path}/conversations`, { avatarId, startedAt });
  await made(`${path}/conversations/${conversation}/messages`, {
    messages: [{ role: 'user', text: 'Hello' }],
  });
  const scopes = ['knowledge:write', 'deploy:write', 'conversations:read'];
  const { secret: key } = await made('/api-keys', { name: 'nightly', scopes, projectIds: [project] });
  return { project, conversation, key };
}
