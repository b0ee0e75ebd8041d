/** A site that fails in a way that looks like success takes no documents away without a confirmation. */

import { expect, test } from 'vitest';
import { htmlPage } from '../../support/site.ts';
import { openPages } from '../../support/sources.ts';

const names = ['a', 'b', 'c', 'd'];
const paths = names.map((name) => `/${name}`);
const home = htmlPage('Home', 'Welcome.', paths);
const pageOf = (name: string) => htmlPage(name.toUpperCase(), `Page ${name}.`);
const allPages = { '/': home, ...Object.fromEntries(names.map((name) => [`/${name}`, pageOf(name)])) };
const login = htmlPage('Log in', 'Your session has ended.');

async function openRefreshed() {
  const opened = await openPages(allPages);
  await opened.refresh();
  const before = await opened.documents();
  expect(Object.keys(before).sort()).toEqual(['/', ...paths]);
  return { ...opened, before };
}

test('pages that all redirect to a login page keep their documents', { tags: ['long'] }, async () => {
  const { site, refresh, documents, before } = await openRefreshed();
  for (const path of paths) site.pages.set(path, { status: 302, headers: { location: '/login' } });
  site.pages.set('/login', login);
  expect((await refresh()).result).toMatchObject({ removed: 0, unconfirmed: 4, moved: 4 });
  expect(await documents()).toMatchObject(before);
  for (const name of names) site.pages.set(`/${name}`, pageOf(name));
  expect((await refresh()).result).toMatchObject({ removed: 0, unconfirmed: 0, updated: 0, created: 0 });
  expect(await documents()).toMatchObject(before);
});

test('a confirmed refresh removes the documents of pages that redirect', { tags: ['long'] }, async () => {
  const { site, refresh, documents } = await openRefreshed();
  for (const path of paths) site.pages.set(path, { status: 302, headers: { location: '/login' } });
  site.pages.set('/login', login);
  expect((await refresh({ confirm: true })).result).toMatchObject({ removed: 4, unconfirmed: 0 });
  expect(Object.keys(await documents()).sort()).toEqual(['/', '/login']);
});

test('pages that move with their texts are no loss', { tags: ['long'] }, async () => {
  const { site, refresh, documents, before } = await openRefreshed();
  for (const name of names) {
    site.pages.set(`/${name}`, { status: 301, headers: { location: `/new/${name}` } });
    site.pages.set(`/new/${name}`, pageOf(name));
  }
  expect((await refresh()).result).toMatchObject({ removed: 0, unconfirmed: 0, moved: 4 });
  const after = await documents();
  for (const name of names) expect(after[`/new/${name}`]?.id).toBe(before[`/${name}`]?.id);
});

test('a page of maintenance under every address takes no documents away', { tags: ['long'] }, async () => {
  const { site, refresh, documents, content, before, pages } = await openRefreshed();
  for (const path of paths) site.pages.set(path, { body: login, isPlain: true });
  const { result } = await refresh();
  expect(result).toMatchObject({ updated: 1, duplicates: 3, removed: 0, unconfirmed: 3 });
  const now = await documents();
  expect(Object.keys(now).sort()).toEqual(['/', ...paths]);
  const texts = await Promise.all(paths.map((path) => content(before[path]?.id)));
  expect(texts.filter((text) => text.includes('session'))).toHaveLength(1);
  expect(Object.values(await pages()).filter(({ status }) => status === 'duplicate')).toHaveLength(3);
  // A second refresh of the same site changes nothing either.
  expect((await refresh()).result).toMatchObject({ updated: 0, removed: 0, unconfirmed: 3 });
  for (const name of names) site.pages.set(`/${name}`, pageOf(name));
  expect((await refresh()).result).toMatchObject({ updated: 1, removed: 0, unconfirmed: 0, created: 0 });
  for (const name of names) expect(await content(before[`/${name}`]?.id)).toContain(`Page ${name}.`);
});

test('a confirmed refresh makes duplicates of pages with the same text', { tags: ['long'] }, async () => {
  const { site, refresh, documents, pages } = await openRefreshed();
  for (const path of paths) site.pages.set(path, login);
  expect((await refresh({ confirm: true })).result).toMatchObject({ duplicates: 3, removed: 3 });
  const found = await documents();
  expect(Object.keys(found)).toHaveLength(2);
  const [left] = Object.keys(found).filter((path) => path !== '/');
  const id = found[`${left}`]?.id;
  const all = await pages();
  for (const path of paths) expect(all[path]?.documentId).toBe(id);
  // They are duplicates from now on: one of them takes the document over.
  site.pages.delete(`${left}`);
  expect((await refresh()).result).toMatchObject({ removed: 0, created: 0, unconfirmed: 0 });
  expect(Object.values(await documents()).map((one) => one.id)).toContain(id);
});

test('pages that exchange their texts keep their documents', { tags: ['long'] }, async () => {
  const { site, refresh, documents, content, before } = await openRefreshed();
  site.pages.set('/a', pageOf('b'));
  site.pages.set('/b', pageOf('c'));
  site.pages.set('/c', pageOf('a'));
  expect((await refresh()).result).toMatchObject({ unconfirmed: 0 });
  const after = await documents();
  expect(Object.keys(after)).toHaveLength(Object.keys(before).length);
  const texts = { '/a': 'Page b.', '/b': 'Page c.', '/c': 'Page a.', '/d': 'Page d.' };
  for (const [path, text] of Object.entries(texts)) expect(await content(after[path]?.id)).toContain(text);
});

test('a duplicate that fails takes the document of a page that is gone over', {
  tags: ['long'],
}, async () => {
  const same = htmlPage('Same', 'The same text.');
  const { site, refresh, documents, pages } = await openPages({ ...allPages, '/a': same, '/b': same });
  await refresh();
  const before = await documents();
  const [owner = '', other = ''] = '/a' in before ? ['/a', '/b'] : ['/b', '/a'];
  site.pages.delete(owner);
  site.pages.set(other, { status: 500 });
  expect((await refresh()).result).toMatchObject({ updated: 1, removed: 0, failedPages: 1 });
  expect((await documents())[other]?.id).toBe(before[owner]?.id);
  expect((await pages())[other]).toMatchObject({ status: 'failed', documentId: before[owner]?.id });
  site.pages.set(other, same);
  expect((await refresh()).result).toMatchObject({ removed: 0, created: 0, updated: 0 });
});
