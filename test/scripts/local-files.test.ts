/** Files in a folder and their links, as S3 has them. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answeringLinks, folderFiles } from '../../scripts/local/files.ts';

async function openFolder() {
  const clock = { nowMs: 1_000_000 };
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  const options = { folder: join(folder, 'files'), secret: 'secret', nowMs: () => clock.nowMs };
  const server = createServer(answeringLinks(options, (_, response) => void response.end('another')));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  return { clock, folder, origin, files: folderFiles({ ...options, origin }) };
}

const key = 'org_1/live/proj_1/job_1/000001/call_1';

test('a link returns the file until it expires', async () => {
  const { clock, files } = await openFolder();
  await files.put(key, Buffer.from('bytes'));
  const link = await files.link(key, 900);
  const response = await fetch(link);
  expect([response.status, await response.text()]).toEqual([200, 'bytes']);
  clock.nowMs += 900_000;
  expect((await fetch(link)).status).toBe(403);
});

test('a link to a removed file finds nothing, and removing it again is no error', async () => {
  const { files } = await openFolder();
  await files.put(key, Buffer.from('bytes'));
  const link = await files.link(key, 900);
  await files.remove(key);
  await files.remove(key);
  expect((await fetch(link)).status).toBe(404);
});

test('a link is good for its file and its time only', async () => {
  const { folder, files } = await openFolder();
  await files.put(key, Buffer.from('bytes'));
  writeFileSync(join(folder, 'outside'), 'outside');
  const link = await files.link(key, 900);
  const changed = [
    link.replace('job_1', 'job_2'),
    link.replace('expires=1', 'expires=2'),
    link.replace(/signature=./, 'signature='),
    link.replace(/\?.*/, ''),
    // Signed, but not below the folder.
    await files.link('..%2foutside', 900),
  ];
  for (const url of changed) expect((await fetch(url)).status, url).not.toBe(200);
  expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
});

test('an upload link stores a file of its size, and reads return parts of it', async () => {
  const { clock, files } = await openFolder();
  const link = await files.uploadLink(key, 900, 10);
  const put = (url: string, body: string, method = 'PUT') => fetch(url, { method, body });
  expect((await put(link, '0123456789')).status).toBe(200);
  const part = await files.read(key, 2, 3);
  expect([`${part?.bytes}`, part?.size]).toEqual(['234', 10]);
  expect(`${(await files.read(key, 8, 100))?.bytes}`).toBe('89');
  expect((await put(link, 'abcdefghij')).status).toBe(200);
  expect((await files.read(key, 0, 1))?.version).not.toBe(part?.version);
  const refused = [
    await put(link, '01234567890'),
    await put(link, '0'),
    await put(link.replace('bytes=10', 'bytes=11'), '01234567890'),
    await put(await files.link(key, 900), '0123456789'),
    await fetch(link),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  clock.nowMs += 900_000;
  expect((await put(link, '0123456789')).status).toBe(403);
  expect(`${(await files.read(key, 0, 10))?.bytes}`).toBe('abcdefghij');
  await files.remove(key);
  expect(await files.read(key, 0, 1)).toBeUndefined();
});

test('a file that is being written is not seen', async () => {
  const { folder, files } = await openFolder();
  await expect(files.put(key, Buffer.from('bytes'), AbortSignal.abort())).rejects.toThrow();
  const names = readdirSync(folder, { recursive: true }).map(String);
  expect(names.filter((name) => name.endsWith('call_1'))).toEqual([]);
});

test('other requests are passed on', async () => {
  const { origin } = await openFolder();
  expect(await (await fetch(`${origin}/api/v1/health`)).text()).toBe('another');
});
