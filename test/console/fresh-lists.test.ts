/** A link to a list shows what is true now; the back button shows the list as it was left. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a list that is opened again'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  let avatar: string;
  beforeAll(async () => {
    server = await openConsole();
    project = (await server.platform.projects.create({ name: 'Support' })).id;
    const { avatars } = server.platform.projects(project);
    avatar = (await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } })).id;
  });
  afterAll(() => server?.stop());

  const link = (page: Page, name: string, place = '.menu') =>
    page.locator(place).getByRole('link', { name, exact: true });
  const code = (page: Page) => page.getByText('This page as code');
  const addUser = (externalUserId: string) =>
    server.platform.projects(project).conversations.create({ avatarId: avatar, externalUserId });

  test('by the menu has the new rows, and its requests as code; the old rows stay until then', async () => {
    const { page, problems } = await server.open(`/projects/${project}/avatars`);
    await link(page, 'Ada', 'main').click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await server.platform
      .projects(project)
      .avatars.create({ name: 'Bob', persona: { prompt: 'You are Bob.' } });

    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/avatars?*', async (route) => {
      await held;
      await route.continue();
    });
    await link(page, 'Avatars').click();
    await link(page, 'Ada', 'main').waitFor();
    expect(await link(page, 'Bob', 'main').count()).toBe(0);
    release();
    await link(page, 'Bob', 'main').waitFor();
    await code(page).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('by the back button is as it was left', async () => {
    const { page } = await server.open(`/projects/${project}/avatars`);
    await link(page, 'Ada', 'main').click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goBack();
    await link(page, 'Ada', 'main').waitFor();
    expect(requests.filter((path) => path.endsWith('/avatars'))).toEqual([]);
  });

  test('by the path above a conversation has its filters and the new rows; a button requests it again', async () => {
    await addUser('first');
    const { page, problems } = await server.open(`/projects/${project}/conversations?status=active`);
    await link(page, 'first', 'main').click();
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
    await addUser('second');
    await link(page, 'Conversations', '.crumbs').click();
    await link(page, 'second', 'main').waitFor();
    expect(page.url()).toContain('?status=active');
    expect(await page.getByLabel('Status').inputValue()).toBe('active');

    await addUser('third');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await link(page, 'third', 'main').waitFor();

    // The menu has no filters, also of the page that is open.
    await addUser('fourth');
    await link(page, 'Conversations').click();
    await link(page, 'fourth', 'main').waitFor();
    expect(page.url()).not.toContain('status=');
    await addUser('fifth');
    await link(page, 'Conversations').click();
    await link(page, 'fifth', 'main').waitFor();
    expect(problems).toEqual([]);
  });

  test('by the palette has the focus', async () => {
    const { page } = await server.open(`/projects/${project}/avatars`);
    await link(page, 'Ada', 'main').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to/ }).fill('go to jobs');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });
});
