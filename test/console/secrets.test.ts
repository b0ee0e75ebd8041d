/**
 * A credential of the console is nowhere but in the memory of its page: not in an address, the history, the storage, the document, a
 * request other than in its header, or a log. The test looks at all of these, after every page was open.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../../console/demo.ts';
import { root } from '../../scripts/shared/root.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, goTo, openConsole, signIn } from '../support/console.ts';

const languages = ['curl', 'Command line', 'TypeScript', 'Python'];

/** Of every page. The file imports pages that only a bundle has, so it is read as text. */
const patterns = [
  ...readFileSync(resolve(root, 'console/src/pages/registry.ts'), 'utf8').matchAll(/pattern: '([^']+)'/g),
].map(([, pattern = '']) => pattern);

describe.skipIf(!hasBrowser)(inBrowser('a key'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  test('is only in the header of requests, whatever page was open, and whatever failed', {
    timeout: 240_000,
  }, async () => {
    const demo: Readonly<Record<string, string>> = await fillDemo(server.platform, Date.now());
    const { page } = await server.open('/', null);
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(`${error.message} ${error.stack}`));
    let headers = 0;
    page.on('request', (request) => {
      const { authorization, ...others } = request.headers();
      if (authorization === `Bearer ${server.apiKey}`) headers += 1;
      seen.push(request.url(), request.postData() ?? '', JSON.stringify(others));
    });
    const look = async () => seen.push(await page.evaluate(everything));
    await signIn(page, server.apiKey);
    await look();

    for (const [number, pattern] of patterns.entries()) {
      const ids = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      if (ids.some((name) => !demo[name])) continue;
      const at = pattern.replace(/:(\w+)/g, (_, name) => demo[name] ?? '');
      await goTo(page, at);
      await expect.poll(() => page.locator('main .loading').count()).toBe(0);
      await page.getByText('This page as code').click();
      const language = languages[number % languages.length] ?? '';
      await page.getByRole('button', { name: language, exact: true }).click();
      await look();
      await page.getByText('This page as code').click();
    }

    // Something fails, and a new secret is shown and lost.
    await page.route('**/api/v1/api-keys', (route) => route.abort('connectionreset'), { times: 4 });
    await page.evaluate(`location.hash = '#/keys'`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Short');
    await page.getByRole('radiogroup', { name: 'Projects' }).getByLabel('Read').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('No connection').waitFor();
    await look();
    await page.unroute('**/api/v1/api-keys');
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByRole('heading', { name: 'The key is created' }).waitFor();
    const secret = await page.locator('pre.secret').innerText();
    expect(secret).toMatch(/^sk_live_/);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await look();
    await page.evaluate(`document.querySelector('#account button').click()`);
    await page.getByLabel('API key').waitFor();
    await look();

    const all = [...seen, server.log()].join('\n');
    expect(headers).toBeGreaterThan(50);
    expect(server.log()).toContain('api-keys.create');
    for (const one of [server.apiKey, secret]) {
      expect(all.includes(one), 'the whole key').toBe(false);
      // Its random part, however it is encoded or cut.
      expect(all.includes(one.slice(-40, -8)), 'a part of the key').toBe(false);
    }
  });
});

/** What the browser keeps: storage, the history, and the document with the values of its fields. */
const everything = `(async () => JSON.stringify([
  { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
  history.state, navigation.entries().map(({ url }) => url), performance.getEntries().map(({ name }) => name),
  window.name, document.title, document.documentElement.outerHTML,
  [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
]))()`;
