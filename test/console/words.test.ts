/** What the console says about times, sizes and counts, and what its menu keeps. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the words of the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  beforeAll(async () => {
    server = await openConsole();
    project = (await server.platform.projects.create({ name: 'Support' })).id;
  });
  afterAll(() => server?.stop());

  const cardOf = (page: Page, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  const date = /[A-Z][a-z]{2} \d+, \d{4}, \d+:\d{2}/;

  test('the overview has dates after since and beside an expiry, and sizes in KB', async () => {
    const own = server.platform.projects(project);
    await own.knowledge.documents.create({ title: 'Long', content: 'word '.repeat(5000) });
    const deployment = await own.deployments.create({ environment: 'production' });
    expect(deployment.id).toMatch(/^dep_/);
    await server.platform.apiKeys.create({ name: 'soon', scopes: ['projects:read'], expiresIn: '24h' });
    await expect.poll(async () => (await server.platform.usage.get()).quotas.bytes.used).toBe(25_000);
    const { page, problems } = await server.open(`/projects/${project}`);
    await cardOf(page, 'Keys that expire soon').getByRole('link', { name: 'soon', exact: true }).waitFor();
    expect(await cardOf(page, 'Keys that expire soon').innerText()).toMatch(date);
    const environments = cardOf(page, 'Environments');
    await environments.getByText('serves').waitFor();
    const served = await environments.innerText();
    expect(served).toMatch(new RegExp(`since ${date.source}`));
    expect(served).not.toMatch(/since (just now|.* ago)/);
    const usage = cardOf(page, 'Usage of the organisation');
    await usage.getByText('25 KB').waitFor();
    await usage.getByText('also imported conversations of earlier days').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('the menu keeps the project on the pages of the organisation', async () => {
    const { page, problems } = await server.open(`/projects/${project}`);
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    const menu = page.locator('.menu');
    await menu.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await menu.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    expect(page.url()).toContain(project);
    expect(problems).toEqual([]);
  });

  test('the period that was chosen stays chosen', async () => {
    const { page, problems } = await server.open(`/projects/${project}/conversations`);
    const period = page.getByLabel('Period');
    for (const name of ['yesterday', 'hour', 'week']) {
      await period.selectOption(name);
      await expect.poll(() => page.url()).toContain('startedFrom=');
      await expect.poll(() => period.inputValue()).toBe(name);
    }
    await page.getByLabel('Started before').fill('2026-01-01T00:00');
    await page.getByLabel('Started before').blur();
    await expect.poll(() => period.inputValue()).toBe('other');
    await period.selectOption('');
    await expect.poll(() => page.url()).not.toContain('started');
    expect(problems).toEqual([]);
  });
});
