/** Pages that are read again although they have not changed, and what their reader says besides the text. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { readerVersion } from '../../../lib/readers/types.ts';
import { endsTurn } from '../../../samples/lambda-queue.ts';
import { htmlPage } from '../../support/site.ts';
import { finish, openPages, type Sources } from '../../support/sources.ts';

/** Sets what is stored of a document, as if another reader had read it. */
const asRead = ({ api, project }: Sources, id: unknown, extractedBy: number) =>
  api.runtime.client.send(
    new UpdateCommand({
      TableName: api.runtime.tableNames.knowledge,
      Key: { tenant: `${api.organisationId}#live#${project}`, id },
      UpdateExpression: 'SET extractedBy = :by, extractionNotes = :none',
      ExpressionAttributeValues: { ':by': extractedBy, ':none': [] },
    }),
  );

test('a page has the notes of its reader', async () => {
  const sources = await openPages(
    {
      '/': {
        body: Buffer.concat([Buffer.from(htmlPage('Größe', 'Zwölf Größen, für Füße.')), Buffer.of(0xff)]),
        headers: { 'content-type': 'text/html' },
      },
    },
    { type: 'url' },
  );
  await sources.refresh();
  expect((await sources.documents())['/']).toMatchObject({
    extractionNotes: [{ code: 'characters_replaced', count: 1 }],
    extractedBy: readerVersion,
    extraction: null,
  });
});

test('with reread, a page that has not changed is read again, once', async () => {
  const page = { body: Buffer.from(htmlPage('Preise', 'F\xfcr zw\xf6lf Euro.'), 'latin1') };
  const sources = await openPages(
    { '/': { ...page, headers: { 'content-type': 'text/html' } } },
    { type: 'url' },
  );
  await sources.refresh();
  const { '/': first } = await sources.documents();
  expect(first).toMatchObject({ extractionNotes: [{ code: 'encoding_assumed', count: 1 }] });
  await asRead(sources, first?.id, 1);
  // Its server says that nothing has changed.
  await sources.refresh();
  const outdated = { extractedBy: 1, extractionNotes: [] };
  expect((await sources.documents())['/']).toMatchObject(outdated);
  const job = await sources.refresh({ reread: true });
  expect(job.result).toMatchObject({ unchanged: 1, created: 0, updated: 0 });
  // Its text is the same, so the index needs nothing.
  expect((await sources.documents())['/']).toEqual(first);
  expect(sources.site.requests.filter((path) => path === '/')).toHaveLength(3);
  const { data } = await sources.api.call(
    'GET',
    `${sources.base}/documents?extractedBefore=${readerVersion}`,
  );
  expect(data.items).toEqual([]);
});

test('a refresh that waits for its host goes on to read pages again', async () => {
  let isBusy = false;
  const pages = {
    '/': htmlPage('Home', 'Welcome.', ['/returns']),
    '/returns': () =>
      isBusy ? { status: 503, headers: { 'retry-after': '5' } } : htmlPage('Returns', 'Within 30 days.'),
  };
  const sources = await openPages(pages);
  await sources.refresh();
  for (const { id } of Object.values(await sources.documents())) await asRead(sources, id, 1);
  isBusy = true;
  const { api, path, work } = sources;
  const { data } = await api.call('POST', `${path}/refresh`, { body: { reread: true } });
  await endsTurn(work(data.id));
  isBusy = false;
  api.advance(minuteMs);
  expect(await finish(api, sources.project, `${data.id}`)).toMatchObject({
    status: 'succeeded',
    result: { unchanged: 2, failedPages: 0 },
  });
  const documents = Object.values(await sources.documents());
  expect(documents.map(({ extractedBy }) => extractedBy)).toEqual([readerVersion, readerVersion]);
});

test('a page without an ETag is read by the current reader in the next refresh', async () => {
  const sources = await openPages(
    { '/': { body: htmlPage('Home', 'Welcome.'), isPlain: true } },
    { type: 'url' },
  );
  await sources.refresh();
  const { '/': first } = await sources.documents();
  await asRead(sources, first?.id, 1);
  expect((await sources.refresh()).result).toMatchObject({ unchanged: 1 });
  expect((await sources.documents())['/']).toEqual(first);
});
