/** Imports in turns: each begins to read the file where the turn before has stopped. */

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type FileLimits,
  type FileLine,
  fileLimits,
  openFile,
  type Start,
} from '../../../../lib/bulk/imports/lines.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../../samples/api.ts';
import { memoryFiles } from '../../../../samples/files.ts';
import { unlessTurnOver } from '../../../../samples/lambda-queue.ts';
import { copiedContent } from '../../../support/copied-content.ts';
import { exportNow, linesOf } from '../../../support/exports.ts';
import {
  importNow,
  requestImport,
  runImportInTurns,
  runImportJob,
  textOf,
} from '../../../support/imports.ts';
import { changeStored } from '../../../support/stored.ts';

const at = '2026-03-01T09:31:00.000Z';
const line = (externalId: string, messages = 1): Json => ({
  externalId,
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: at,
  endedAt: at,
  messages: Array.from({ length: messages }, (_, n) => ({ role: 'user', text: `✓ ${externalId} ${n}`, at })),
});

async function readLines(bytes: Uint8Array, limits: Partial<FileLimits>, start?: Start) {
  const { files, stored } = memoryFiles();
  stored.set('key', bytes);
  const { lines } = await openFile(files, 'key', undefined, { ...fileLimits, ...limits }, start);
  const all: FileLine[] = [];
  for await (const one of lines) all.push(one);
  return all;
}

describe('a file that is read from any of its lines', () => {
  test.each([
    ['LF', 'one\ntwo\nthree\n'],
    ['CRLF', 'one\r\ntwo\r\n\r\nthree\r\n'],
    ['no newline at the end', 'one\ntwo'],
    ['one line', 'one'],
    ['empty lines', '\n\none\n\n\ntwo\n\n'],
    ['an empty last line', 'one\ntwo\n \n'],
    ['characters of several bytes', 'ü✓😀\n😀\n✓'],
    ['a byte order mark', '\ufeffone\n\ufefftwo\n'],
    ['a line that is too long', `one\n${'x'.repeat(20)}\ntwo\n${'y'.repeat(21)}`],
    ['a second line that looks like gzip', Buffer.from([0x61, 0x0a, 0x1f, 0x8b, 0x0a, 0x62])],
  ])('has the same lines: %s', async (_, text) => {
    const bytes = Buffer.from(text);
    const whole = await readLines(bytes, { maxLineBytes: 12 });
    expect(whole.length).toBeGreaterThan(0);
    for (let rangeBytes = 1; rangeBytes <= bytes.length + 1; rangeBytes += 1) {
      const limits = { maxLineBytes: 12, rangeBytes };
      expect(await readLines(bytes, limits)).toEqual(whole);
      for (const [index, { number, offset = -1, next = -1 }] of whole.entries()) {
        expect(await readLines(bytes, limits, { number, offset })).toEqual(whole.slice(index));
        const rest = await readLines(bytes, limits, { number: number + 1, offset: next });
        expect(rest).toEqual(whole.slice(index + 1));
      }
    }
  });

  test('has the same limits', async () => {
    const bytes = Buffer.from('one\ntwo\nthree\n');
    for (const [number, offset] of [
      [1, 0],
      [2, 4],
      [3, 8],
    ] as const) {
      const from = (limits: Partial<FileLimits>) => readLines(bytes, limits, { number, offset });
      await expect(from({ maxLines: 2 })).rejects.toThrow('more than 2 lines');
      await expect(from({ maxTextBytes: 13 })).rejects.toThrow('more than 13 bytes');
      expect(await from({ maxLines: 3, maxTextBytes: 14 })).toHaveLength(4 - number);
    }
  });

  test('must have the same version, also if it is shorter', async () => {
    const { files, stored } = memoryFiles();
    const open = (version: string | undefined, start?: Start) =>
      openFile(files, 'key', version, fileLimits, start);
    stored.set('key', Buffer.from('one\ntwo\n'));
    const { version } = await open(undefined);
    for (const text of ['one\nTWO\n', 'one\n', 'one\ntwo\nthree']) {
      stored.set('key', Buffer.from(text));
      await expect(open(version, { number: 3, offset: 8 })).rejects.toMatchObject({ code: 'file_changed' });
    }
    stored.delete('key');
    await expect(open(version, { number: 3, offset: 8 })).rejects.toMatchObject({ code: 'file_missing' });
  });
});

const contentOf = async (api: TestApi, project: string): Promise<string[]> =>
  copiedContent(
    await linesOf(
      api,
      await exportNow(api, project, { what: 'conversations' }, { maxPartBytes: 1e7, maxParts: 1 }),
    ),
  );

const jobOf = async (api: TestApi, project: string, job: string): Promise<Json> =>
  (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;

const inTurns = (api: TestApi) => ({ ...api, runtime: { ...api.runtime, turnMs: 0 } });

const mixed = [
  JSON.stringify(line('a', 70)),
  '',
  JSON.stringify(line('b')),
  '{"externalId":',
  JSON.stringify(line('a', 70)),
  'x'.repeat(9000),
  JSON.stringify(line('c', 35)),
  JSON.stringify(line('d')),
];

test.each([
  ['LF', `${mixed.join('\n')}\n`],
  ['CRLF, a byte order mark, and no newline at the end', `\ufeff${mixed.join('\r\n')}`],
  ['gzip', gzipSync(mixed.join('\n'))],
])('in turns, an import has the same result as in one run: %s', { tags: ['long'] }, async (_, file) => {
  const api = await openApi();
  const [whole, project] = [await api.createProject(), await api.createProject()];
  const limits = { ...fileLimits, rangeBytes: 64, unpackedBytes: 1000, maxLineBytes: 8500 };
  const wanted = await importNow(api, whole, file, limits);
  expect(wanted).toMatchObject({ status: 'succeeded', result: { created: 4, unchanged: 1, failed: 2 } });
  const job = await requestImport(api, project, file);
  expect(await runImportInTurns(inTurns(api), project, job, limits)).toBeGreaterThan(10);
  const { result, progress } = await jobOf(api, project, job);
  expect({ result, progress }).toEqual({ result: wanted.result, progress: wanted.progress });
  expect(await contentOf(api, project)).toEqual(await contentOf(api, whole));
});

test('nothing is imported before a turn has checked the end of the file', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const file = textOf('abcdef'.split('').map((name) => line(name)));
  const job = await requestImport(api, project, file);
  const limits = { ...fileLimits, rangeBytes: 64, maxLines: 5 };
  expect(await runImportInTurns(inTurns(api), project, job, limits)).toBeGreaterThan(4);
  expect(await jobOf(api, project, job)).toMatchObject({
    status: 'failed',
    error: { code: 'file_too_large' },
    progress: { total: 0, done: 0, failed: 0 },
  });
  expect((await api.call('GET', `/projects/${project}/conversations`)).data.items).toEqual([]);
  const left = [...api.files.keys()].filter((key) => key.includes(`${project}/uploads/`));
  expect(left).toEqual([]);
});

/** Ends each turn after some reads of the file, and counts the bytes. */
function metered(api: TestApi, readsPerTurn: number) {
  const meter = { bytes: 0, reads: 0 };
  const read: TestApi['runtime']['files']['read'] = async (...range) => {
    const part = await api.runtime.files.read(...range);
    meter.bytes += part?.bytes.length ?? 0;
    meter.reads += 1;
    return part;
  };
  const elapsedMs = () => Math.floor(meter.reads / readsPerTurn) * 1e6;
  const runtime = { ...api.runtime, elapsedMs, files: { ...api.runtime.files, read } };
  return { api: { ...api, runtime }, meter };
}

test('in many turns, a plain file is read about twice: to check it, and to import it', async () => {
  const opened = await openApi();
  const project = await opened.createProject();
  const file = Buffer.from(textOf(Array.from({ length: 40 }, (_, n) => line(`c-${n}`, 15))));
  const job = await requestImport(opened, project, file);
  const { api, meter } = metered(opened, 10);
  const limits = { ...fileLimits, rangeBytes: Math.ceil(file.length / 40) };
  expect(await runImportInTurns(api, project, job, limits)).toBeGreaterThanOrEqual(8);
  expect(await jobOf(api, project, job)).toMatchObject({ result: { created: 40, failed: 0 } });
  expect(meter.bytes).toBeGreaterThanOrEqual(2 * file.length);
  expect(meter.bytes).toBeLessThan(3 * file.length);
});

test('an import whose position was stored without an offset goes on', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const file = textOf([line('a', 70), line('b'), line('c', 70), line('d')]);
  const job = await requestImport(api, project, file);
  const runs = inTurns(api);
  let positions = 0;
  for (let turns = 0; turns < 20; turns += 1) {
    await runImportJob(runs, project, job).catch(unlessTurnOver);
    const [stored] = (await storedOf(api, 'jobs')).filter(({ id, position }) => id === job && position);
    if (!stored) continue;
    const { offset, ...position } = JSON.parse(`${stored.position}`) as Json;
    expect(offset).toEqual(expect.any(Number));
    positions += 1;
    await changeStored(api, 'jobs', job, 'position', JSON.stringify(position));
  }
  expect(positions).toBeGreaterThan(3);
  expect(await jobOf(api, project, job)).toMatchObject({
    status: 'succeeded',
    progress: { total: 4, done: 4, failed: 0 },
    result: { created: 4, unchanged: 0, failed: 0 },
  });
});
