/** What an export makes of conversations that are not found any more. */

import { expect, test } from 'vitest';
import { formatNamed } from '../../cli/src/export/format.ts';
import { newProgress } from '../../cli/src/export/progress-file.ts';
import { transcripts } from '../../cli/src/export/transcripts.ts';
import { type Fetch, NotFoundError, Platform } from '../../clients/typescript/src/index.ts';

const notFound = () =>
  Response.json(
    { success: false, error: { code: 'not_found', message: 'x', requestId: 'r' } },
    { status: 404 },
  );

/** Exports a list of one conversation, which is gone when its messages are read. */
async function exported(isProjectGone: boolean) {
  let lists = 0;
  const fetch: Fetch = async (url) => {
    if (new URL(url).pathname.endsWith('/transcript')) return notFound();
    lists += 1;
    if (lists > 1 && isProjectGone) return notFound();
    const items = [{ id: 'conv_1', status: 'ended', messageCount: 1 }];
    return Response.json({ success: true, data: { items, nextCursor: null } });
  };
  const platform = new Platform({ apiKey: 'sk_test_x', baseUrl: 'https://example.com/api/v1', fetch });
  const request = {
    ...{ baseUrl: '', projectId: 'p', format: 'jsonl', escapesFormulas: true },
    ...{ filters: {}, from: undefined, to: undefined },
  };
  const found = [];
  for await (const { messages } of transcripts(newProgress(request, '2026-03-01T00:00:00.000Z'), {
    project: platform.projects('p'),
    format: formatNamed('jsonl', true),
    filters: {},
    startedFrom: undefined,
    concurrency: 1,
    signal: new AbortController().signal,
    onProgress() {},
  }))
    found.push(messages);
  return found;
}

test('a conversation that was erased meanwhile is counted', async () => {
  expect(await exported(false)).toEqual([undefined]);
});

test('a project that is gone fails the export: nothing was erased', async () => {
  await expect(exported(true)).rejects.toThrow(NotFoundError);
});
