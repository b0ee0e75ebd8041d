/** Lists that grow page by page, up to thousands of rows. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, openConsole, signIn } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a list'), { tags: ['long'] }, () => {
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
    await expect.poll(() => page.evaluate('window.scrollY').then(Number)).toBeGreaterThan(5000);

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

  test('with 10,000 rows has only those near the window in the document', { tags: ['nightly'] }, async () => {
    const { page, problems } = await server.open('/', null);
    await page.route('**/api/v1/projects?*', async (route) => {
      const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const items = Array.from({ length: 100 }, (_, index) => ({
        id: `proj_${String(at + index).padStart(26, '0')}`,
        name: `Project ${at + index}`,
        status: 'active',
        updatedAt: '2026-03-01T09:30:00.000Z',
      }));
      await route.fulfill({
        json: { success: true, data: { items, nextCursor: at < 9900 ? `${at + 100}` : null } },
      });
    });
    await page.goto(`${server.baseUrl}/console#/?page=100`);
    await signIn(page, server.apiKey);
    const rows = page.getByRole('link', { name: /^Project \d+$/ });
    const row = (number: number) => page.getByRole('link', { name: `Project ${number}`, exact: true });
    const height = () => page.evaluate('document.documentElement.scrollHeight').then(Number);
    await row(0).waitFor();
    await page.locator('main .loading').waitFor({ state: 'detached', timeout: 120_000 });
    expect(await height()).toBeGreaterThan(350_000);

    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await row(9999).waitFor();
    expect(await row(0).count()).toBe(0);
    expect(await rows.count()).toBeLessThan(1000);

    // A row with the focus stays, and everything keeps its place.
    await row(9999).focus();
    await page.evaluate('window.scrollTo(0, 0)');
    await row(0).waitFor();
    expect(await row(9999).count()).toBe(1);
    expect(await row(5000).count()).toBe(0);
    const before = await height();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Project 9998');
    expect(Math.abs((await height()) - before)).toBeLessThan(1000);

    // The place in the list survives a visit to another page.
    const place = () => page.evaluate('window.scrollY').then(Number);
    await expect.poll(place).toBeGreaterThan(300_000);
    await page.evaluate(`window.location.hash = '#/keys'`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await expect.poll(place).toBeGreaterThan(300_000);
    await row(9998).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
