/** What the console keeps from happening: changes in an archived project, a lost secret, a list that flickers. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, goTo, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  test('an archived project has no button that would be refused, and every page says why', async () => {
    const { platform } = server;
    const { id } = await platform.projects.create({ name: 'Old shop' });
    const { avatars, knowledge, deployments, conversations } = platform.projects(id);
    const { id: avatar } = await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const { id: document } = await knowledge.documents.create({ title: 'Returns', content: 'Text' });
    await deployments.create({ environment: 'production' });
    const { id: deployment } = await deployments.create({ environment: 'production' });
    const { id: conversation } = await conversations.create({ avatarId: avatar, externalUserId: 'u' });
    await platform.projects.update(id, { status: 'archived' });

    const { page, problems } = await server.open(`/projects/${id}`);
    const main = page.locator('main');
    const notice = main.getByText('This project is archived');
    const buttons = async (path: string) => {
      await goTo(page, `/projects/${id}${path}`);
      await notice.waitFor();
      await expect.poll(() => main.locator('.loading').count()).toBe(0);
      return (await main.getByRole('button').allInnerTexts()).filter((label) => !label.includes('…0'));
    };
    const writes = /^(New|Save|Edit|Archive|Re-index|Choose|Roll back|Promote|Create|End the pin)/;
    for (const path of [
      '/avatars',
      `/avatars/${avatar}`,
      '/knowledge',
      `/knowledge/${document}`,
      '/deployments',
      `/deployments/${deployment}`,
    ])
      expect(
        (await buttons(path)).filter((label) => writes.test(label)),
        path,
      ).toEqual([]);
    // What the service still does: it erases.
    expect(await buttons(`/conversations/${conversation}`)).toContain('Erase');
    expect(await findingsEverywhere(page)).toEqual([]);
    await buttons(`/knowledge/${document}`);
    await main.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    // Active again, the buttons are back.
    await platform.projects.update(id, { status: 'active' });
    await page.goto(`${server.baseUrl}/console#/`);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.goto(`${server.baseUrl}/console#/projects/${id}/knowledge/${document}`);
    await main.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('the menu marks the page, and the page above it', async () => {
    const { id } = await server.platform.projects.create({ name: 'Support' });
    const { id: avatar } = await server.platform
      .projects(id)
      .avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const { page } = await server.open(`/projects/${id}/avatars`);
    const marked = () =>
      page.evaluate(`[...document.querySelectorAll('.menu [aria-current]')].map((link) =>
        link.textContent + ' ' + link.getAttribute('aria-current'))`);
    expect(await marked()).toEqual(['Avatars page']);
    await page.goto(`${server.baseUrl}/console#/projects/${id}/avatars/${avatar}`);
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await marked()).toEqual(['Avatars true']);
    await page.goto(`${server.baseUrl}/console#/projects/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    expect(await marked()).toEqual(['Overview page']);
  });

  /** Rotates a new key. @returns the page with its secret */
  const openSecret = async (): Promise<Page> => {
    const { id } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read'],
      expiresIn: '1d',
    });
    const { page } = await server.open('/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goto(`${server.baseUrl}/console#/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog', { name: 'The new secret' }).waitFor();
    return page;
  };

  test('the back button asks before it loses a secret; nothing else opens over it', async () => {
    const page = await openSecret();
    const address = page.url();
    const secret = await page.locator('.secret').innerText();
    await page.keyboard.press('Control+k');
    await page.goBack();
    await page.getByRole('dialog', { name: 'Close without copying the secret?' }).waitFor();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Back to the secret' }).click();
    expect(await page.locator('.secret').innerText()).toBe(secret);
    await page.goBack();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    // The history is as it was.
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(page.url()).toBe(`${server.baseUrl}/console#/keys`);
  });

  test('a copied secret is left with the back button', async () => {
    const page = await openSecret();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByText('Copied').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a list that is loaded again shows its rows until the new ones are there', async () => {
    const { id } = await server.platform.projects.create({ name: 'Support' });
    const { documents } = server.platform.projects(id).knowledge;
    await documents.create({ title: 'Returns', content: 'Text' });
    const { page } = await server.open(`/projects/${id}/knowledge`);
    const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
    await rows.first().waitFor();
    await page.evaluate(`
      window.least = 1;
      new MutationObserver(() => {
        window.least = Math.min(window.least, document.querySelectorAll('main .list > li').length);
      }).observe(document.querySelector('main'), { childList: true, subtree: true });`);
    await documents.create({ title: 'Shipping', content: 'Text' });
    await page.getByRole('button', { name: 'Re-index' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.evaluate('window.least')).toBe(1);
  });
});
