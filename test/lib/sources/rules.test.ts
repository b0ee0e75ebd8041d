/** The decisions of a refresh, without a network. */

import { describe, expect, test } from 'vitest';
import { readPage } from '../../../lib/readers/web-page/read-page.ts';
import { fateOf, mayRemove, type PageState } from '../../../lib/sources/rules/gone.ts';
import { failure } from '../../../lib/sources/rules/outcome.ts';
import { outcomeOf } from '../../../lib/sources/rules/read-response.ts';
import { isAllowedByRobots, robotsRules } from '../../../lib/sources/rules/robots.ts';
import { canonicalUrl, isInScope, matchesWildcards } from '../../../lib/sources/rules/urls.ts';

const rules = { allowLoopback: false };

describe('one spelling of each URL', () => {
  test.each([
    ['https://Acme.Example:443/a/../b?x=1#top', 'https://acme.example/b?x=1'],
    ['http://acme.example/', 'https://acme.example/'],
    ['https://acme.example/%7euser/%e4%bd%a0?q=%2f', 'https://acme.example/~user/%E4%BD%A0?q=%2F'],
    ['https://acme.example/?utm_source=x&page=2&gclid=1', 'https://acme.example/?page=2'],
    ['https://acme.example/?mc_cid=x&page=2&_hsenc=1', 'https://acme.example/?page=2'],
    [
      'https://acme.example/a;jsessionid=1A.node1;v=2/b;JSESSIONID=2?id=3',
      'https://acme.example/a;v=2/b?id=3',
    ],
    ['https://acme.example/a%3Bjsessionid=1', 'https://acme.example/a%3Bjsessionid=1'],
    ['https://acme.example/?', 'https://acme.example/'],
  ])('%s', (text, canonical) => {
    expect(canonicalUrl(text, rules)).toBe(canonical);
    expect(canonicalUrl(canonical, rules)).toBe(canonical);
  });

  test.each([
    'mailto:a@acme.example',
    'javascript:alert(1)',
    'https://u:p@acme.example/',
    'not a url',
    'data:text/html,x',
    'https://a..b.example/',
    `https://${'a'.repeat(64)}.example/`,
  ])('%s is not requested', (text) => expect(canonicalUrl(text, rules)).toBeUndefined());

  test('a link is relative to its page, and a long one is left out', () => {
    expect(canonicalUrl('../b', rules, 'https://acme.example/a/c')).toBe('https://acme.example/b');
    expect(canonicalUrl(`https://acme.example/${'a'.repeat(2048)}`, rules)).toBeUndefined();
  });
});

describe('patterns', () => {
  test.each([
    ['/docs/*', '/docs/a/b', true],
    ['/docs/*', '/docs', false],
    ['*.html', '/a.html', true],
    ['*.html', '/a.html?x', false],
    ['/a*b*c', '/aXbYc', true],
    ['/a*b*c', '/aXcYb', false],
    ['/ab*ba', '/aba', false],
    ['/exact', '/exact', true],
  ])('%s and %s', (pattern, text, expected) => {
    expect(matchesWildcards(pattern, text, true)).toBe(expected);
  });

  test('the work on the worst pattern is bounded', () => {
    const begun = process.cpuUsage().user;
    expect(matchesWildcards(`${'*a'.repeat(250)}*b`, 'a'.repeat(2048), true)).toBe(false);
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(1e6);
  });

  test('a source stays on its host, unless include says so', () => {
    const source = { url: 'https://acme.example/docs/', include: [] as string[], exclude: ['/docs/old/*'] };
    expect(isInScope('https://acme.example/blog', source)).toBe(true);
    expect(isInScope('https://acme.example/docs/old/a', source)).toBe(false);
    expect(isInScope('https://help.acme.example/', source)).toBe(false);
    const wider = { ...source, include: ['/docs/*', 'https://help.acme.example/*'] };
    expect(isInScope('https://acme.example/blog', wider)).toBe(false);
    expect(isInScope('https://acme.example/docs/a', wider)).toBe(true);
    expect(isInScope('https://help.acme.example/a', wider)).toBe(true);
    expect(isInScope('https://evil.example/?https://help.acme.example/', wider)).toBe(false);
  });
});

describe('robots.txt', () => {
  const allows = (text: string, path: string) =>
    isAllowedByRobots(robotsRules(text), new URL(path, 'https://acme.example'));

  test.each<[string, string, boolean]>([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
    ['User-agent: *\nDisallow: /*.gif$', '/a.gif', false],
    ['User-agent: *\nDisallow: /*.gif$', '/a.gif?x', true],
    ['User-agent: platform-api-crawler\nAllow: /\n\nUser-agent: *\nDisallow: /', '/a', true],
    ['User-agent: Platform-API-Crawler/2.0\nDisallow: /a', '/a', false],
    ['User-agent: other\nUser-agent: *\nDisallow: /a', '/a', false],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /b\nSitemap: https://acme.example/s.xml\nDisallow: /a', '/a', false],
    ['\ufeffDisallow: /a\nUser-agent: *\nDisallow: /b # no', '/b', false],
    ['User-agent: *\nDisallow: /café', '/caf%C3%A9/menu', false],
    ['User-agent: *\nDisallow: /caf%c3%a9', '/café', false],
    ['User-agent: *\nDisallow: /你*好$', '/你/x/好', false],
    ['User-agent: *\nDisallow: /%7Euser', '/~user', false],
    ['User-agent: *\nDisallow: /a%2Fb', '/a/b', true],
    [
      'User-agent: platform-api-crawler\nDisallow: /a\n\nUser-agent: platform-api-crawler\nDisallow: /b',
      '/a',
      false,
    ],
  ])('%j and %s', (text, path, expected) => {
    expect(allows(text, path)).toBe(expected);
  });

  test('the worst file is bounded', () => {
    const lines = 'User-agent: platform-api-crawler\n'.repeat(20_000);
    expect(robotsRules(lines)).toEqual([]);
    const many = robotsRules(`User-agent: *\n${'Disallow: /*a*a*a*a*b\n'.repeat(30_000)}`);
    expect(many.length).toBeLessThanOrEqual(5000);
    expect(isAllowedByRobots(many, new URL(`https://acme.example/${'a'.repeat(2000)}`))).toBe(true);
  });
});

describe('a response', () => {
  const context = {
    rules,
    nowMs: 0,
    readHtml: async (html: string) => readPage(html),
    readFile: async () => failure('no_text', 'It has no text.'),
  };
  const requested = { url: 'https://acme.example/a', isConditional: true };
  const respond = (status: number, headers = {}, body = '') =>
    outcomeOf({ status, headers, body: Buffer.from(body) }, requested, context);

  test.each([
    [304, {}, { kind: 'unchanged' }],
    [404, {}, { kind: 'gone' }],
    [410, {}, { kind: 'gone' }],
    [301, { location: '/b' }, { kind: 'moved', to: 'https://acme.example/b' }],
    [302, { location: 'http://acme.example/a#x' }, { kind: 'moved', to: 'https://acme.example/a' }],
    [302, { location: 'file:///etc/passwd' }, { kind: 'failed', code: 'redirect' }],
    [301, {}, { kind: 'failed', code: 'redirect' }],
    [403, {}, { kind: 'failed', code: 'http_error', isTemporary: false }],
    [503, { retryAfter: '30' }, { kind: 'failed', isTemporary: true, pauseMs: 30_000 }],
    [200, { contentType: 'application/pdf' }, { kind: 'failed', code: 'no_text' }],
    [200, { contentType: 'image/png' }, { kind: 'failed', code: 'unsupported_type' }],
    [200, { contentType: 'text/html' }, { kind: 'failed', code: 'no_text' }],
  ])('%i %j', async (status, headers, expected) => {
    expect(await respond(status, headers)).toMatchObject(expected);
  });

  test('304 without a condition is a failure', async () => {
    const unconditional = { ...requested, isConditional: false };
    expect(
      await outcomeOf({ status: 304, headers: {}, body: Buffer.of() }, unconditional, context),
    ).toMatchObject({
      kind: 'failed',
    });
  });
});

describe('the main content', () => {
  test('leaves out what repeats on every page', () => {
    const { title, text, links } = readPage(`<title> Returns
      | Acme </title><body><header><a href="/">Home</a></header><div class="sidebar"><a href="/x">More</a></div>
      <div class="content"><h1>Returns</h1><p>You can send everything back within 30 days, and we pay for it, always.</p>
      <h2>How</h2><p>Print the label, put it on the parcel, and bring it to any shop of the post, at any time.</p>
      <pre># a comment</pre></div><footer>Imprint</footer></body>`);
    expect(title).toBe('Returns | Acme');
    expect(text).toContain('## How\n');
    expect(text).toContain('\n```\n# a comment\n```');
    // The title is the title of the document.
    for (const word of ['Home', 'More', 'Imprint', 'Returns']) expect(text).not.toContain(word);
    expect(links).toEqual(['/', '/x']);
  });

  test('a page of only links keeps them', () => {
    expect(
      readPage('<body><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul>').text,
    ).toContain('One');
  });

  test('the work on hostile markup is bounded', { tags: ['long'] }, () => {
    expect(readPage(`${'<div>'.repeat(5000)}text`).text).toContain('text');
    expect(
      readPage(Array.from({ length: 5000 }, (_, at) => `<a href="/${at}">x</a>`).join('')),
    ).toMatchObject({ links: { length: 2000 }, isCut: true });
    expect(() =>
      readPage(Array.from({ length: 2000 }, (_, at) => `<p><font size="${at}">`).join('')),
    ).toThrow('elements');
  });

  const filled = (unit: string, count: number) => unit.repeat(count);
  /** A page of 2,000 simple paragraphs takes 0.2 s. The reading thread ends after 5 s. */
  const simple = filled(`<p>${filled('text, ', 40)}</p>`, 2000);
  const maxRatio = 25;
  let baseline: number | undefined;
  /** @returns microseconds */
  function cpuOf(html: string): number {
    const begun = process.cpuUsage().user;
    readPage(html);
    return process.cpuUsage().user - begun;
  }

  test.each([
    ['names', filled(`<div class="${filled('- ', 250)}"></div>`, 9700)],
    ['words', filled(`<div class="${filled('table-of-content ', 29)}"></div>`, 9700)],
    ['one name', `<div class="${filled('a-', 2_500_000)}">`],
    ['short names', `<div class="${filled('a ', 2_500_000)}"><p>text</p></div>`],
    ['attributes', `<div ${Array.from({ length: 500_000 }, (_, at) => `a${at}`).join(' ')}>`],
    ['nested elements', `${filled('<div>', 140_000)}${filled('x', 4_000_000)}`],
    ['siblings', `${filled('<p id=a>text</p>', 140_000)}${filled(' ', 2_500_000)}`],
    ['white space', `<p>a${filled(' ', 5_000_000)}b</p>`],
    ['simple elements', filled(`<div class="sidebar"><p>${filled('text, ', 12)}</p></div>`, 50_000)],
    [
      'elements that are as deep as the limit allows',
      `${filled('<div>', 100)}${filled('<h2 class=x>text</h2>', 2300)}`,
    ],
    ['text in elements that are as deep', filled(`<div><p>${filled('x, ', 12_000)}</p>`, 130)],
  ])('the work on up to five megabytes of %s is bounded', { tags: ['long'] }, (_, html) => {
    baseline ??= cpuOf(simple);
    const ratios = [cpuOf(html) / baseline];
    // Again in pairs, because a busy machine takes several times as long for both.
    while (ratios.length < 3 && (ratios.at(-1) ?? 0) >= maxRatio) ratios.push(cpuOf(html) / cpuOf(simple));
    expect(Math.min(...ratios)).toBeLessThan(maxRatio);
  });
});

describe('what is gone', () => {
  const page = (changes: Partial<PageState> = {}): PageState => ({
    status: 'stored',
    documentId: 'kdoc_1',
    duplicateOf: null,
    seenIn: 'job_2',
    ...changes,
  });

  test.each<[string, Partial<PageState>, string]>([
    ['found', {}, 'stays'],
    ['failed', { status: 'failed' }, 'stays'],
    ['404', { status: 'gone' }, 'gone'],
    ['with the content of another page, and a document of its own', { status: 'duplicate' }, 'replaced'],
    ['not linked once', { seenIn: 'job_1' }, 'missing'],
    ['not linked once, repeated', { seenIn: 'job_1', missingSince: 'job_2' }, 'missing'],
    ['not linked twice', { seenIn: 'job_0', missingSince: 'job_1' }, 'gone'],
    ['not linked, without a document', { seenIn: 'job_1', documentId: null }, 'forgotten'],
    ['not linked, with the document of another page', { seenIn: 'job_1', duplicateOf: 'p' }, 'forgotten'],
    ['moved away', { status: 'moved' }, 'gone'],
    ['excluded', { status: 'excluded', seenIn: 'job_1' }, 'stays'],
  ])('%s', (_, changes, expected) => {
    expect(fateOf(page(changes), 'job_2', true, undefined)).toBe(expected);
  });

  test('a refresh that may have missed pages notes none as missing', () => {
    expect(fateOf(page({ seenIn: 'job_0', missingSince: 'job_1' }), 'job_2', false, undefined)).toBe('stays');
  });

  test('a page that has moved keeps its document until its target has one', () => {
    const moved = page({ status: 'moved' });
    expect(fateOf(moved, 'job_2', true, 'stored')).toBe('replaced');
    expect(fateOf(moved, 'job_2', true, 'failed')).toBe('stays');
    expect(fateOf(moved, 'job_2', true, 'gone')).toBe('gone');
  });

  test('more than half needs a confirmation', () => {
    expect(mayRemove(5, 10)).toBe(true);
    expect(mayRemove(6, 10)).toBe(false);
    expect(mayRemove(1, 1)).toBe(false);
    expect(mayRemove(0, 0)).toBe(true);
  });
});
