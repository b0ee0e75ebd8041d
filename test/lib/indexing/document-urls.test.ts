/** An index version has the address of each page whose text it has. A version of before has none. */

import { hash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { withChanges } from '../../../lib/documents/documents.ts';
import { listOfVersion, pageOfChanges } from '../../../lib/indexing/document-changes.ts';
import { versionOf } from '../../../lib/indexing/jobs/index-version.ts';
import { getIndex } from '../../../lib/indexing/store/parts.ts';
import { getManifest, getPublishedIndexVersion } from '../../../lib/indexing/store/versions.ts';
import { documentsIn } from '../../../lib/search/index/common/index-file.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';

const sha256 = (value: string) => hash('sha256', value, 'hex');

/** Gives a document an address, as a refresh of a source stores it. */
async function setUrl({ runtime, organisationId, projectId }: Knowledge, id: unknown, url: string) {
  await runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.knowledge,
      Key: { tenant: `${organisationId}#live#${projectId}`, id },
      UpdateExpression: 'SET #url = :url',
      ExpressionAttributeNames: { '#url': 'url' },
      ExpressionAttributeValues: { ':url': url },
    }),
  );
}

const published = async ({ store }: Knowledge) => `${await getPublishedIndexVersion(store)}`;

async function urlsIn({ store }: Knowledge, version: string) {
  const manifest = await getManifest(store, version);
  const bytes = manifest && (await getIndex(store, manifest));
  return Object.fromEntries(bytes ? documentsIn(bytes).map(({ id, url }) => [id, url]) : []);
}

test('a version has the addresses, also after an expunge; without addresses it is the version of before', {
  tags: ['long'],
}, async () => {
  const api = await openKnowledge();
  const [page, other] = [await api.create({ content: 'a page' }), await api.create({ content: 'a text' })];
  await api.reindex();
  const first = await published(api);
  const { model } = (await getManifest(api.store, first)) ?? {};
  const asBefore = [page, other].map(({ id, contentSha256, mimeType, title, tags }) => ({
    id: `${id}`,
    fingerprint: sha256(JSON.stringify([contentSha256, mimeType, title, tags])).slice(0, 40),
  }));
  expect(first).toBe(versionOf(asBefore, model));
  await api.hold(first);

  const url = 'https://docs.acme.example/returns';
  await setUrl(api, page.id, url);
  await api.reindex();
  const second = await published(api);
  expect(second).not.toBe(first);
  expect(await urlsIn(api, second)).toEqual({ [`${page.id}`]: url, [`${other.id}`]: undefined });
  const [before, after] = [await listOfVersion(api.store, first), await listOfVersion(api.store, second)];
  if (!before || !after) throw new Error('a list is missing');
  expect((await pageOfChanges(api.store, { before, after }, '', 10))?.changes).toEqual([
    { id: page.id, change: 'changed', title: 't', fields: ['url'] },
  ]);

  const { data: job } = await api.call('DELETE', `${api.path}/${other.id}?expunge=true`);
  await api.workOff(api.projectId, `${job.id}`);
  const third = await published(api);
  expect(third).not.toBe(second);
  expect(await urlsIn(api, third)).toEqual({ [`${page.id}`]: url });
});

test('a document that another page takes over is pending', async () => {
  const api = await openKnowledge();
  const { id } = await api.create();
  await api.index(id);
  const document = await api.stored(id);
  if (!document) throw new Error('the document is missing');
  expect(withChanges(document, { source: 'x' }, Date.now())).toMatchObject({ status: 'indexed' });
  const moved = withChanges(document, { url: 'https://docs.acme.example/new' }, Date.now());
  expect(moved).toMatchObject({ status: 'pending', indexVersion: null });
});
