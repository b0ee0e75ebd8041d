/**
 * The fields of metadata that a search can filter by: a version has those that the project named when it was built, a filter by
 * another field is refused and never finds nothing, and documents are pending wherever they are shown until a version has the fields.
 */

import { describe, expect, test } from 'vitest';
import type { Json } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import eventWriter from '../../workers/event-writer.ts';
import { eventsOf } from '../support/events.ts';
import { exportNow, linesOf } from '../support/exports.ts';
import { type Knowledge, openKnowledge } from '../support/knowledge.ts';
import { changeStored } from '../support/stored.ts';
import { follow } from '../support/workers.ts';

const setFields = async ({ call, project }: Knowledge, searchFields: readonly string[]) => {
  const { status, text } = await call('PATCH', project, { body: { settings: { searchFields } } });
  expect(status, text).toBe(200);
};

/** @returns the titles that are found, or the code of the error with the messages of its details */
async function found({ call, project }: Knowledge, query: string): Promise<unknown[]> {
  const { status, data, error } = await call('GET', `${project}/knowledge/search?q=price&${query}`);
  if (status !== 200)
    return [error.code, ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`)];
  return (data.items as { title: string }[]).map(({ title }) => title).sort();
}

const statuses = async ({ listed }: Knowledge, query = '') =>
  Object.fromEntries((await listed(query)).map(({ title, status }) => [title, status]));

async function openPrices() {
  const api = await openKnowledge();
  await api.call('POST', `${api.project}/avatars`, { body: avatarBody });
  const add = async (title: string, metadata: Json) =>
    `${(await api.create({ title, content: `The price of ${title}.`, externalId: title, metadata })).id}`;
  const ids = {
    a: await add('a', { country: 'DE', product: 'x:1' }),
    b: await add('b', { country: 'FR', product: 'x:1' }),
    c: await add('c', { other: 'DE' }),
  };
  const deploy = async (body: Json = {}) =>
    api.call('POST', `${api.project}/deployments`, { body: { environment: 'production', ...body } });
  return { ...api, ids, deploy };
}

describe('a filter by metadata', () => {
  test('finds what the searched version has, and is refused for every other field', {
    tags: ['long'],
  }, async () => {
    const api = await openPrices();
    await api.reindex();
    const isNone = 'needs a field, and `settings.searchFields` of the project has none';
    expect(await found(api, 'metadata=country:DE')).toEqual(['validation_error', `metadata.0 ${isNone}`]);
    await setFields(api, ['product', 'country']);
    // The version is older than the fields.
    expect(await found(api, 'metadata=country:DE')).toEqual(['reindex_required']);
    expect(await found(api, 'tag=x')).toEqual([]);
    expect(await found(api, '')).toEqual(['a', 'b', 'c']);
    expect((await api.reindex()).result).toMatchObject({ changed: true });
    for (const mode of ['mode=lexical&', 'mode=hybrid&']) {
      expect(await found(api, `${mode}metadata=country:DE`)).toEqual(['a']);
      expect(await found(api, `${mode}metadata=product:x:1`)).toEqual(['a', 'b']);
      expect(await found(api, `${mode}metadata=product:x:1&metadata=country:FR`)).toEqual(['b']);
      expect(await found(api, `${mode}metadata=country:IT`)).toEqual([]);
      expect(await found(api, `${mode}metadata=country:FR&documentId=${api.ids.a}`)).toEqual([]);
    }
    const others = 'must begin with one of these fields and a colon: product, country';
    expect(await found(api, 'metadata=country:DE&metadata=other:DE')).toEqual([
      'validation_error',
      `metadata.1 ${others}`,
    ]);
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(await found(api, `metadata=${name}:x`)).toEqual(['validation_error', `metadata.0 ${others}`]);
  });

  test('goes on in a deployment that has the field, when the project has others', {
    tags: ['long'],
  }, async () => {
    const api = await openPrices();
    await api.deploy();
    await setFields(api, ['country']);
    await api.reindex();
    await api.deploy({ environment: 'staging' });
    await setFields(api, ['product']);
    await api.reindex();
    const staging = '&environment=staging';
    expect(await found(api, `metadata=country:DE${staging}`)).toEqual(['a']);
    expect(await found(api, `metadata=product:x:1${staging}`)).toEqual(['reindex_required']);
    expect(await found(api, 'metadata=product:x:1')).toEqual(['a', 'b']);
    expect(await found(api, 'metadata=country:DE')).toEqual([
      'validation_error',
      'metadata.0 must begin with one of these fields and a colon: product',
    ]);
    expect(await found(api, `metadata=other:DE${staging}`)).toEqual([
      'validation_error',
      'metadata.0 must begin with one of these fields and a colon: product, country',
    ]);
  });

  test('finds nothing by a field that no document has, after the next re-index', async () => {
    const api = await openPrices();
    await api.reindex();
    await setFields(api, ['region']);
    expect(await found(api, 'metadata=region:north')).toEqual(['reindex_required']);
    expect((await api.reindex()).result).toMatchObject({ changed: true });
    expect(await found(api, 'metadata=region:north')).toEqual([]);
  });

  test('finds no value of more than 100 characters, and the job says so', async () => {
    const api = await openPrices();
    const longest = '😀'.repeat(100);
    await api.create({ title: 'd', content: 'The price of d.', metadata: { country: longest } });
    const { id } = await api.create({
      title: 'e',
      content: 'The price of e.',
      metadata: { country: `${longest}.` },
    });
    await setFields(api, ['country']);
    expect((await api.reindex()).warnings).toEqual([
      { documentId: id, code: 'field_too_long', message: expect.stringContaining('by country,') },
    ]);
    expect(await statuses(api)).toMatchObject({ d: 'indexed', e: 'indexed' });
    expect(await found(api, `metadata=country:${encodeURIComponent(longest)}`)).toEqual(['d']);
  });
});

describe('documents are pending until a version has the fields', () => {
  test('in lists, warnings, events and exports', { tags: ['long'] }, async () => {
    const api = await openPrices();
    await api.reindex();
    const followers = await follow(api, [eventWriter]);
    const all = (status: string) => ({ a: status, b: status, c: status });
    await setFields(api, ['country']);
    expect(await statuses(api)).toEqual(all('pending'));
    expect(await statuses(api, 'status=pending')).toEqual(all('pending'));
    expect(await statuses(api, 'status=indexed')).toEqual({});
    expect(await statuses(api, 'externalId=a&status=pending')).toEqual({ a: 'pending' });
    const pending = { status: 'pending', indexVersion: null };
    const path = `${api.path}/${api.ids.a}`;
    expect((await api.call('GET', path)).data).toMatchObject(pending);
    const metadata = { country: 'DE', product: 'x:2' };
    const body = { title: 'a', content: 'The price of a.', metadata };
    expect((await api.put('a', body)).data).toMatchObject({ document: pending });
    expect((await api.put('a', body)).data).toMatchObject({ outcome: 'unchanged', document: pending });
    expect((await api.batch([{ ...body, externalId: 'a' }])).data.results).toMatchObject([
      { outcome: 'unchanged', document: pending },
    ]);
    expect((await api.call('PATCH', path, { body: { metadata } })).data).toMatchObject(pending);
    const { warnings } = (await api.deploy()).data;
    const reason = { code: 'not_indexed', message: expect.stringContaining('`searchFields`') };
    expect(warnings).toMatchObject([{ code: 'documents_pending', documents: [reason, reason, reason] }]);
    const lines = await linesOf(api, await exportNow(api, api.projectId, { what: 'documents' }));
    expect(lines.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    await followers.settled();
    const events = (await eventsOf(api)).filter(({ type }) => type === 'document.updated');
    expect(events.at(0)?.data).toMatchObject(pending);
    await followers.stop();

    await api.reindex();
    expect(await statuses(api)).toEqual(all('indexed'));
    expect((await api.deploy()).data.warnings).toEqual([]);
    // The published version has these fields again.
    await setFields(api, []);
    expect(await statuses(api)).toEqual(all('pending'));
    await setFields(api, ['country']);
    expect(await statuses(api)).toEqual(all('indexed'));
  });

  test('or the value that a document has now, and other metadata does not count', async () => {
    const api = await openPrices();
    await setFields(api, ['country']);
    await api.reindex();
    const change = async (id: string, metadata: Json) =>
      (await api.call('PATCH', `${api.path}/${id}`, { body: { metadata } })).data.status;
    expect(await change(api.ids.a, { country: 'DE', product: 'y' })).toBe('indexed');
    expect(await change(api.ids.a, { country: 'AT' })).toBe('pending');
    expect(await change(api.ids.a, { country: 'DE' })).toBe('indexed');
    expect(await change(api.ids.c, { country: 'DE' })).toBe('pending');
    expect(await found(api, 'metadata=country:DE')).toEqual(['a']);
    await api.reindex();
    expect(await statuses(api)).toEqual({ a: 'indexed', b: 'indexed', c: 'indexed' });
    expect(await found(api, 'metadata=country:DE')).toEqual(['a', 'c']);
  });

  test('but not ignored ones, nor those that have failed', async () => {
    const api = await openPrices();
    const bad = await api.create({ title: 'd', content: '<p></p>', mimeType: 'text/html' });
    await api.reindex();
    await api.call('PATCH', `${api.path}/${api.ids.b}`, { body: { ignored: true } });
    await setFields(api, ['country']);
    expect(await statuses(api)).toEqual({ a: 'pending', b: 'indexed', c: 'pending', d: 'failed' });
    await api.reindex();
    expect(await statuses(api)).toEqual({ a: 'indexed', b: 'indexed', c: 'indexed', d: 'failed' });
    expect((await api.call('GET', `${api.path}/${bad.id}`)).data.error).toMatchObject({ code: 'no_text' });
  });
});

test('a project of an earlier version has no fields, and keeps its version', async () => {
  const api = await openPrices();
  const first = (await api.reindex()).result as Json;
  const settings = { conversationTimeoutMinutes: 30, retentionDays: null };
  await changeStored(api, 'projects', api.projectId, 'settings', settings);
  const { data, status } = await api.call('GET', api.project);
  expect([status, data.settings]).toEqual([
    200,
    { ...settings, searchFields: [], maxConversationCostUsd: null },
  ]);
  expect(await statuses(api)).toEqual({ a: 'indexed', b: 'indexed', c: 'indexed' });
  expect((await api.reindex()).result).toEqual({ ...first, changed: false });
  expect(await found(api, '')).toEqual(['a', 'b', 'c']);
  await setFields(api, ['country']);
  await api.reindex();
  expect(await found(api, 'metadata=country:FR')).toEqual(['b']);
});
