/** The script in docs/knowledge.md: two folders in one project, each with its own source. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { basePath, createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { openKnowledge } from '../support/knowledge.ts';
import { follow } from '../support/workers.ts';

const run = promisify(execFile);

async function documentedScript(): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../docs/knowledge.md'), 'utf8');
  const [, script] = /^(#!\/bin\/sh\n# sync\.sh[\s\S]*?)\n(?:SCRIPT\n)?```$/m.exec(text) ?? [];
  if (!script) throw new Error('docs/knowledge.md has no sync.sh');
  return script;
}

async function openSync() {
  const api = await openKnowledge();
  const followers = await follow(api, [knowledgeIndexer]);
  const server = createServer(createGateway(routesOf(api.runtime)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const folder = await mkdtemp(join(tmpdir(), 'sync-'));
  onTestFinished(async () => {
    server.close();
    await followers.stop();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, 'sync.sh'), await documentedScript());
  const env = {
    ...process.env,
    BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    KEY: api.rootKey,
    PROJECT: api.projectId,
  };
  const write = async (name: string, content: string) => {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  const sync = async (...names: string[]) =>
    (await run('sh', ['sync.sh', ...names], { cwd: folder, env })).stdout;
  return { ...api, env, folder, write, sync };
}

test('syncing folder b leaves the documents of folder a and those without a source unchanged', async () => {
  const { call, project, create, listed, folder, write, sync } = await openSync();
  await create({ externalId: 'README.md', content: 'by hand' });
  await create({ content: 'without a name' });
  await write('a/README.md', '# About apples');
  await write('a/more/pears.md', '# About pears');
  await write('b/README.md', '# About berries');
  expect(await sync('a', 'a')).toMatch(/created {2}README\.md\ncreated {2}more\/pears\.md/);
  expect(await sync('b', 'b & c')).not.toContain('deleted');
  expect(await listed()).toHaveLength(5);
  for (const word of ['apples', 'pears', 'berries']) {
    const { data } = await call('GET', `${project}/knowledge/search?q=${word}`);
    expect(data.items, word).toHaveLength(1);
  }
  await rm(join(folder, 'a/more'), { recursive: true });
  expect(await sync('a', 'a')).toMatch(/unchanged {2}README\.md\ndeleted {2}more\/pears\.md/);
  const names = (await listed()).map(({ source, externalId }) => [source, externalId]);
  expect(names).toEqual([
    ['b & c', 'README.md'],
    ['a', 'README.md'],
    [null, null],
    [null, 'README.md'],
  ]);
  await expect(sync('a')).rejects.toThrow('the name of the source');
});

test('a file that cannot be sent is named, does not stop the others, and the script fails', async () => {
  const { call, project, listed, write, sync } = await openSync();
  await write('a/before.md', '# Before');
  await write('a/large & | wide.md', `# Large ${'x'.repeat(600_000)}`);
  await write('a/later.md', '# Later');
  const failure = await sync('a', 'a').catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(failure).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/created {2}before\.md\ncreated {2}later\.md\n.*"documents":2/),
    stderr: expect.stringMatching(/not sent {2}large & \| wide\.md {2}.*payload_too_large/),
  });
  expect(await listed()).toHaveLength(2);
  const { data } = await call('GET', `${project}/knowledge/search?q=later`);
  expect(data.items).toHaveLength(1);
});

test('a key that may not re-index ends the script, with the error', async () => {
  const { createKey, env, write, sync } = await openSync();
  await write('a/README.md', '# About apples');
  env.KEY = (await createKey({ scopes: ['knowledge:read'] })).secret;
  await expect(sync('a', 'a')).rejects.toMatchObject({
    code: 22,
    stderr: expect.stringMatching(/not sent {2}README\.md.*insufficient_scope[\s\S]*error: 403/),
  });
});
