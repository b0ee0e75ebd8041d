/** A key that may only read: each page says which scope is missing, and has values in place of forms. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../../console/demo.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import { root } from '../../scripts/shared/root.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, goTo, openConsole } from '../support/console.ts';

/** The site of a source would have to be on the internet. Its list has the same buttons. */
const withoutSample = ['/projects/:project/knowledge/sources/:source'];
const registry = readFileSync(resolve(root, 'console/src/pages/registry.ts'), 'utf8');
const entry = /pattern: '([^']+)',\s*title: '([^']+)'(?:,\s*scope: '[^']+')?(?:,\s*write: '([^']+)')?/g;
const pages = [...registry.matchAll(entry)].map(([, pattern = '', title = '', write]) => ({
  pattern,
  title,
  write,
}));
const shown = pages.filter(({ pattern }) => !withoutSample.includes(pattern));

test('the pages are those of the registry', () => {
  expect(pages).toHaveLength(registry.match(/pattern: '/g)?.length ?? 0);
  expect(pages.filter(({ write }) => write !== undefined).length).toBeGreaterThan(10);
});

describe.skipIf(!hasBrowser)(inBrowser('a key that may only read'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let ids: Record<string, string | undefined>;
  let reader: string;
  beforeAll(async () => {
    server = await openConsole();
    const demo = await fillDemo(server.platform, Date.now());
    const project = server.platform.projects(demo.project);
    const first = async (items: AsyncIterable<{ id: string }>) => {
      for await (const { id } of items) return id;
      return undefined;
    };
    ids = {
      ...demo,
      document: await first(project.knowledge.documents.list()),
      deployment: await first(project.deployments.list()),
      job: await first(project.jobs.list()),
    };
    const scopes = allScopes.filter((scope) => scope.endsWith(':read'));
    reader = (await server.platform.apiKeys.create({ name: 'reader', scopes })).secret;
  }, 300_000);
  afterAll(() => server?.stop());

  const address = (pattern: string) => pattern.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  const isRead = async (page: Page) => {
    await page.locator('main h1').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('main .loading'));
  };
  const buttons = (page: Page) => page.locator('main button').allInnerTexts();

  test('sees on each page which scope it lacks, and no form', { timeout: 300_000 }, async () => {
    const all = await server.open('/');
    const { page, problems } = await server.open('/', reader);
    for (const { pattern, write } of shown) {
      for (const one of [all.page, page]) {
        await goTo(one, address(pattern));
        await isRead(one);
      }
      const note = `Your key has no ${write}, so you can only read.`;
      await expect.poll(() => page.getByText(note).count(), { message: pattern }).toBe(write ? 1 : 0);
      expect(await all.page.getByText('so you can only read').count(), pattern).toBe(0);
      // A button that only one of them sees changes something, so the page has to declare the scope of the change.
      if (write) {
        const form = page.locator('main textarea:enabled, main button.primary[type=submit]');
        expect(await form.count(), pattern).toBe(0);
      } else await expect.poll(() => buttons(page), { message: pattern }).toEqual(await buttons(all.page));
    }
    expect(problems).toEqual([]);
  });

  test('sees the values of an avatar and of an evaluator as text', async () => {
    const { page, problems } = await server.open(address('/projects/:project/avatars/:avatar'), reader);
    await page.getByText('Offer a refund only if the customer asks.').waitFor();
    await page.getByText('billing, orders').waitFor();
    expect(await page.locator('main input, main textarea, main select').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    const project = server.platform.projects(ids.project ?? '');
    const { id } = await project.evaluators.create({
      name: 'refund',
      description: 'Somebody asks for money.',
      kind: 'rule',
      rule: { contains: { text: 'refund', role: 'user' } },
      appliesTo: { avatarId: ids.avatar ?? '', tag: 'billing' },
    });
    await page.goto(`${server.baseUrl}/console#${address(`/projects/:project/evaluators/${id}`)}`);
    for (const text of ['Somebody asks for money.', '"refund"', 'Clara', 'billing'])
      await page.locator('.values').getByText(text).first().waitFor();
    expect(await page.locator('main input, main textarea, main select').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
