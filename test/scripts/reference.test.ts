/** The API reference in a browser, against the dev server. */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import asset from '../../functions/docs/asset.ts';
import { maxResponseBytes, responseBytes } from '../../lib/base/json.ts';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { functionFolder } from '../../scripts/bundle/bundle.ts';
import { documented } from '../../scripts/openapi/documented.ts';
import { ensureReference } from '../../scripts/reference/build.ts';
import { launchChromium } from '../../scripts/shared/chromium.ts';
import { axeFindings, hasBrowser, inBrowser } from '../support/browser.ts';
import { type DevServer, startDevServer } from '../support/dev-server.ts';

test('each file fits into the response of a function', async () => {
  await ensureReference();
  const files = readdirSync(referenceFolder).filter((name) => /\.(js|css|html|txt)$/.test(name));
  expect(files.length).toBeGreaterThan(5);
  const sizes = files.map((name) => responseBytes(readFileSync(resolve(referenceFolder, name), 'utf8')));
  expect(Math.max(...sizes)).toBeLessThan(maxResponseBytes);
});

test('the licences of the libraries are beside the files', async () => {
  await ensureReference();
  const [name = ''] = readdirSync(referenceFolder).filter((file) => file.endsWith('.txt'));
  const licences = readFileSync(resolve(referenceFolder, name), 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  for (const library of ['@scalar/api-reference', '@scalar/themes', '@vue/runtime-core', 'zod'])
    expect(
      licences.filter((text) => text.split('\n').some((line) => line.startsWith(`${library} `))),
    ).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/\(MIT\)[\s\S]*Copyright[\s\S]*Permission is hereby granted/),
      ]),
    );
  for (const text of licences) expect(text).toMatch(/^\S+ \d\S* \(.+\)\n[\s\S]{200}/);
  expect(readFileSync(resolve(referenceFolder, 'page.html'), 'utf8')).toContain(`docs/${name}`);
  expect(readdirSync(functionFolder(asset))).toContain(name);
});

describe.skipIf(!hasBrowser)(inBrowser('the page'), () => {
  let server: DevServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startDevServer();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens the page. What goes wrong in it is in `problems`. */
  async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.baseUrl) && !url.startsWith('data:')) problems.push(`requests ${url}`);
    });
    await page.goto(`${server.baseUrl}/docs`);
    await page.getByRole('heading', { name: 'Platform API' }).waitFor();
    return { page, problems };
  }

  /** Scrolls to an operation, which Scalar renders when it comes near. */
  async function showOperation(page: Page, id: string): Promise<void> {
    const section = page.locator(`[id$="/${id}"]`).first();
    await section.waitFor({ state: 'attached' });
    await section.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
    await section.getByText('Test Request').first().waitFor();
  }

  test('shows every operation, with samples in three languages', { tags: ['nightly'] }, async () => {
    const { page, problems } = await open({ viewport: { width: 1400, height: 900 } });
    for (const { id, summary } of documented) {
      await showOperation(page, id);
      const section = page.locator(`[id$="/${id}"]`).first();
      expect(await section.getByRole('heading', { name: summary, exact: true }).count(), id).toBeGreaterThan(
        0,
      );
    }
    await showOperation(page, 'projects.create');
    const section = page.locator('[id$="/projects.create"]').first();
    expect(await section.textContent()).toContain('curl -sS --fail-with-body "$PLATFORM_BASE_URL/projects"');
    expect(problems).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('finds an operation', { tags: ['nightly'] }, async () => {
    const { page, problems } = await open();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('roll back');
    const found = page.getByRole('option', { name: 'Roll back an environment' });
    await found.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await found.click();
    await page.waitForURL('**/docs#**deployments.rollback');
    expect(problems).toEqual([]);
  });

  test('sends a request with a key, which it does not store', { tags: ['long'] }, async () => {
    const { page, problems } = await open({ viewport: { width: 1400, height: 900 } });
    await page.getByPlaceholder('Token').first().fill(server.apiKey);
    await showOperation(page, 'projects.create');
    await page.locator('[id$="/projects.create"]').first().getByText('Test Request').first().click();
    const responded = page.waitForResponse((response) => response.url() === `${server.baseUrl}/projects`);
    await page
      .getByRole('button', { name: /^Send\b/ })
      .last()
      .click();
    const response = await responded;
    expect(response.status()).toBe(201);
    const sent = await response.request().allHeaders();
    expect(sent.authorization).toBe(`Bearer ${server.apiKey}`);
    // The example in the document would be the same for everybody.
    expect(sent['idempotency-key']).toBeUndefined();
    await page.getByText('201 Created').first().waitFor();
    const { data } = (await response.json()) as { data: { id: string } };
    expect((await server.api.call('GET', `/projects/${data.id}`)).status).toBe(200);
    expect(await axeFindings(page)).toEqual([]);
    const kept = await page.evaluate(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
    ]))()`);
    expect(kept).not.toContain(server.apiKey);
    expect(kept).toMatch(/\[\],\[\]\]$/);
    expect(problems).toEqual([]);
  });

  describe.each(['light', 'dark'] as const)('in %s mode', (colorScheme) => {
    test('fits a phone', { tags: ['nightly'] }, async () => {
      const viewport = { width: 390, height: 844 };
      const { page, problems } = await open({ viewport, colorScheme, isMobile: true, hasTouch: true });
      for (const id of ['knowledge.documents.create', 'knowledge.search', 'deployments.create']) {
        await showOperation(page, id);
        expect(await page.evaluate('document.documentElement.scrollWidth'), id).toBe(390);
      }
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      const [red = 0] = /\d+/.exec(String(background))?.map(Number) ?? [];
      expect(red > 127).toBe(colorScheme === 'light');
      expect(await axeFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    });
  });
});
