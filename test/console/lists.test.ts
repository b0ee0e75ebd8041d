/** Lists that grow page by page, up to thousands of rows. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, type ConsoleServer, inBrowser, openConsole, signIn } from '../support/console.ts';

describe.skipIf(!browserPath)(inBrowser('a list'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
    const names = Array.from({ length: 210 }, (_, at) => `Project ${at}`);
    for (let at = 0; at < names.length; at += 10)
      await Promise.all(names.slice(at, at + 10).map((name) => server.platform.projects.create({ name })));
  }, 120_000);
  afterAll(() => server?.stop());

  const shown = (page: Page) => page.locator('.more').getByText(/ shown$/);

  test('grows with each page; the back button and a shared link show the same rows', async () => {
    const { page, problems } = await server.open('/');
    const rows = page.getByRole('link', { name: /^Project \d+$/ });
    await page.getByText('100 shown').waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('200 shown').waitFor();
    expect(await rows.count()).toBe(200);

    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(210);
    expect(await shown(page).count()).toBe(0);

    const address = page.url();
    await rows.last().click();
    await page.getByRole('heading', { level: 1, name: /^Project \d+$/ }).waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(210);
    expect(page.url()).toBe(address);

    const linked = await server.open('/', null);
    await linked.page.goto(address);
    await signIn(linked.page, server.apiKey);
    await expect.poll(() => linked.page.getByRole('link', { name: /^Project \d+$/ }).count()).toBe(210);
    expect(problems).toEqual([]);
  });

  test('goes on after a page was shown from memory', async () => {
    const { page, problems } = await server.open('/');
    await page.getByText('100 shown').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('200 shown').waitFor();
    expect(problems).toEqual([]);
  });
});
