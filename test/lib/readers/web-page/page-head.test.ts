/** What the head of a page says to crawlers. */

import { expect, test } from 'vitest';
import { readPage } from '../../../../lib/readers/web-page/read-page.ts';
import { directivesIn, directivesOfHeaders } from '../../../../lib/readers/web-page/robots-directives.ts';

const headOf = (head: string, body = 'text') =>
  readPage(`<html><head>${head}</head><body>${body}</body>`).head;

test.each([
  ['noindex', true, false],
  ['NOINDEX, NoFollow', true, true],
  ['none', true, true],
  ['noindex nofollow', true, true],
  ['index, follow', false, false],
  ['max-image-preview: none', false, false],
  ['max-snippet:-1, noindex', true, false],
  ['noindexing', false, false],
])('directives %j', (text, noindex, nofollow) => {
  expect(directivesIn(text)).toEqual({ noindex, nofollow });
});

test.each([
  [['noindex'], true, false],
  [['nofollow', 'noindex'], true, true],
  [['googlebot: noindex'], false, false],
  [['googlebot: noindex, nofollow'], false, false],
  [['googlebot: noindex', 'nofollow'], false, true],
  [['googlebot: nofollow, platform-api-crawler: noindex'], true, false],
  [['Platform-API-Crawler: none'], true, true],
  [['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex'], true, false],
  [['unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex'], true, false],
  [['max-snippet: 5, noindex'], true, false],
  [[], false, false],
])('headers %j', (values, noindex, nofollow) => {
  expect(directivesOfHeaders(values)).toEqual({ noindex, nofollow });
});

test('the strictest of the directives for all crawlers and for this one counts', () => {
  expect(
    headOf('<meta name="Robots" content="index"><meta name="platform-api-crawler" content="noindex">'),
  ).toMatchObject({ noindex: true, nofollow: false });
  expect(headOf('<meta name="googlebot" content="noindex">')).toMatchObject({ noindex: false });
});

test.each([
  ['0;url=/b', '/b'],
  ['0; URL=/b', '/b'],
  ['5;url="/b" ', '/b'],
  ["3, url = '/b'x", '/b'],
  ['0 /b', '/b'],
  ['0.5; /b', '/b'],
  ['10;urls/b', 'urls/b'],
  ['0;url', 'url'],
  ['11;url=/b', undefined],
  ['0', undefined],
  ['0;', undefined],
  ['url=/b', undefined],
  ['0x;url=/b', undefined],
  ['', undefined],
])('the refresh %j leads to %j', (content, expected) => {
  expect(headOf(`<meta http-equiv="Refresh" content="${content.replaceAll('"', '&quot;')}">`).refreshTo).toBe(
    expected,
  );
});

test('a name is only believed in the head, and only if there is one', () => {
  const link = (href: string) => `<link rel="canonical" href="${href}">`;
  expect(headOf(link('/a')).canonical).toBe('/a');
  expect(headOf(`<link rel="x Canonical" href=" /a ">${link('/a')}`).canonical).toBe('/a');
  expect(headOf(`${link('/a')}${link('/b')}`).canonical).toBeUndefined();
  expect(headOf('', `<p>text</p>${link('/a')}<meta name="robots" content="noindex">`)).toMatchObject({
    canonical: undefined,
    noindex: false,
  });
  expect(
    headOf('<noscript><meta http-equiv="refresh" content="0;url=/b"></noscript>').refreshTo,
  ).toBeUndefined();
});

test('the work on the worst heads is linear', { tags: ['long'] }, () => {
  const cpuOf = (html: string) => {
    const begun = process.cpuUsage().user;
    readPage(html);
    return process.cpuUsage().user - begun;
  };
  const metas = (count: number, tag: string) => `<html><head>${tag.repeat(count)}</head><body>text</body>`;
  const simple = metas(100_000, '<meta name=a content=b>');
  for (const html of [
    metas(100_000, '<meta name=robots content=noindex,nofollow>'),
    metas(100_000, '<link rel=canonical href=/a>'),
    metas(100_000, '<meta http-equiv=refresh content="0;url=">'),
    `<html><head><meta name=robots content="${'a,'.repeat(2_000_000)}">`,
    `<html><head><meta http-equiv=refresh content="0${' '.repeat(4_000_000)}">`,
    `<html><head><meta http-equiv=refresh content="${'1'.repeat(4_000_000)}">`,
    `<html><head><link rel="${'a '.repeat(2_000_000)}" href=/a>`,
  ]) {
    const ratios = [cpuOf(html) / cpuOf(simple)];
    while (ratios.length < 3 && (ratios.at(-1) ?? 0) >= 15) ratios.push(cpuOf(html) / cpuOf(simple));
    expect(Math.min(...ratios)).toBeLessThan(15);
  }
});
