/** Sources in the console: they are created, refreshed, confirmed, paused and deleted, and their documents are left to them. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';
import { htmlPage, openSite, type Site } from '../support/site.ts';

describe.skipIf(!hasBrowser)(inBrowser('the sources in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let site: Site;
  beforeAll(async () => {
    server = await openConsole();
    site = await openSite(
      new Map([
        ['/', htmlPage('Help', 'All about the shop.', ['/refunds', '/parcels', '/broken', '/hidden'])],
        ['/refunds', htmlPage('Refunds', 'A refund takes five days.')],
        ['/parcels', htmlPage('Parcels', 'Parcels leave at noon.')],
      ]),
    );
    site.pages.set('/broken', { status: 403 });
    site.pages.set('/hidden', {
      headers: { 'x-robots-tag': 'noindex' },
      body: htmlPage('Hidden', 'Hidden.'),
    });
  });
  afterAll(async () => {
    await site?.close();
    await server?.stop();
  });

  const row = (page: Page, path: string) =>
    page.getByRole('list', { name: 'Pages' }).locator('li', { hasText: path });
  const action = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a website is created, refreshed, confirmed, changed, paused and deleted', async () => {
    const { id } = await server.platform.projects.create({ name: 'Sources' });
    const project = server.platform.projects(id);
    const base = `/projects/${id}/knowledge/sources`;
    const { page, problems } = await server.open(base);
    await page.getByText('There is no source yet').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await action(page, 'New source').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('url', { exact: true }).waitFor();
    await dialog.getByLabel('URL').fill(site.url);
    await dialog.getByLabel('Without these addresses').fill('/private/*\n');
    await dialog.getByLabel('Tags').fill('web');
    await dialog.getByLabel('Refresh', { exact: true }).selectOption('manual');
    await dialog.getByLabel(/^Re-index/).uncheck();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No page is known before the first refresh').waitFor();
    const [source] = (await project.knowledge.sources.list()).items;
    expect(source).toMatchObject({
      exclude: ['/private/*'],
      tags: ['web'],
      refresh: 'manual',
      reindex: false,
    });

    await action(page, 'Refresh now').click();
    await row(page, '/refunds').getByText('stored').waitFor();
    await row(page, '/broken').getByText('failed').waitFor();
    const last = page.getByRole('region', { name: 'Last refresh' });
    expect(await last.innerText()).toMatch(/New documents\s+3/);
    expect(await last.innerText()).toMatch(/Pages with noindex\s+1/);
    await row(page, '/hidden').getByText('noindex').waitFor();
    await page.getByText('read in part').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('Status').selectOption('failed');
    await row(page, '/refunds').waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('');

    // More than half of the documents would go.
    for (const path of ['/refunds', '/parcels']) site.pages.delete(path);
    await action(page, 'Refresh now').click();
    await page.getByText('2 documents were not removed').waitFor();
    await action(page, 'Remove 2 documents …').click();
    expect(await dialog.innerText()).toContain('2 documents, more than half');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Refresh and remove' }).click();
    await expect.poll(() => last.innerText(), { timeout: 30_000 }).toMatch(/Removed documents\s+2/);
    await row(page, '/refunds').getByText('gone').waitFor();
    expect((await project.knowledge.documents.list()).items).toHaveLength(1);

    // The palette finds it by its address, and the page offers what can be done.
    await page.keyboard.press('Control+K');
    await page.keyboard.type('pause this');
    await page.keyboard.press('Enter');
    await page.getByText('Somebody has paused it.').waitFor();
    expect(await action(page, 'Refresh now').count()).toBe(0);
    await action(page, 'Edit').click();
    await dialog.getByLabel('Refresh', { exact: true }).selectOption('1w');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('every week').waitFor();
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.locator('.source-row').getByText('paused').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Control+K');
    await page.keyboard.type(`open source ${new URL(site.url).host}`);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await action(page, 'Resume').click();
    await action(page, 'Pause').waitFor();

    await action(page, 'Delete').click();
    expect(
      await dialog.getByRole('button', { name: 'Delete the source and its documents' }).isDisabled(),
    ).toBe(true);
    await dialog.getByLabel('Keep its documents').check();
    await dialog.getByRole('button', { name: 'Delete the source' }).click();
    await page.getByText('The source is gone. 1 document kept.').waitFor();
    await page.getByText('There is no source yet').waitFor();
    expect((await project.knowledge.documents.list()).items).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('a document of a source leads to it, and offers only what the service allows', async () => {
    const { id } = await server.platform.projects.create({ name: 'Managed' });
    const project = server.platform.projects(id);
    const source = await project.knowledge.sources.create({ type: 'url', url: site.url, reindex: false });
    await project.jobs.waitForSuccess(project.knowledge.sources.refresh(source.id, {}));
    const [document] = (await project.knowledge.documents.list()).items;
    const base = `/projects/${id}/knowledge`;
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read', 'knowledge:read'],
      expiresIn: '1d',
    });
    const reader = await server.open(`${base}/sources/${source.id}`, secret);
    await row(reader.page, site.url).waitFor();
    for (const name of ['Refresh now', 'Pause', 'Edit', 'Delete'])
      expect(await action(reader.page, name).count()).toBe(0);

    const { page, problems } = await server.open(`${base}/${document?.id}`);
    await page.getByText('keeps this document equal to its page').waitFor();
    expect(await page.getByRole('link', { name: site.url }).last().getAttribute('href')).toBe(site.url);
    expect(await action(page, 'Edit').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    await action(page, 'Delete').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('checkbox').isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type .* to confirm$/).fill(document?.id.slice(-6) ?? '');
    await dialog.getByRole('button', { name: 'Delete everywhere' }).click();
    await page.getByText('The text is gone from all index versions.').waitFor();
    await page.goto(`${server.baseUrl}/console#${base}/sources/${source.id}`);
    await row(page, site.url).getByText('excluded').waitFor();
    expect([...problems, ...reader.problems]).toEqual([]);
  });
});
