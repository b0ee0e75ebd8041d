/** Sessions that end, and what another tab has changed in the meantime. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole, signIn } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a bad day'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  /** From now on, the service answers as it does after the end of the credential: one hour is too long for a test. */
  const expire = (page: Page, message: string) =>
    page.route('**/api/v1/**', (route) => {
      // The console itself needs no credential.
      if (!route.request().headers().authorization) return route.continue();
      const error = { code: 'unauthorized', message, requestId: 'req-9' };
      return route.fulfill({
        status: 401,
        headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' },
        body: JSON.stringify({ success: false, error }),
      });
    });

  test('a token that expires ends the session; after another sign-in, the same page is there', async () => {
    const { page } = await server.open('/keys', null);
    await page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await expire(page, 'This access token has expired');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('The service no longer accepts this credential.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.unroute('**/api/v1/**');
    await signIn(page, server.apiKey);
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  });

  test('a key that expires ends the session, also one that the tab keeps', async () => {
    const { page } = await server.open('/', null);
    await page.getByLabel('API key').fill(server.apiKey);
    await page.getByLabel(/Keep the key for this tab/).check();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await expire(page, 'This API key has expired');
    await page.reload();
    await page.getByText('The service no longer accepts this credential.').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(server.apiKey);
  });

  test('a webhook that another tab has changed keeps their change, or says that there is another one', async () => {
    const { webhooks } = server.platform;
    const { id } = await webhooks.create({ url: 'https://example.com', eventTypes: ['project.created'] });
    const { page } = await server.open(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await webhooks.update(id, { eventTypes: ['project.deleted'] });
    await dialog.getByLabel('Description').fill('Mine');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    expect(await webhooks.get(id)).toMatchObject({ description: 'Mine', eventTypes: ['project.deleted'] });

    await webhooks.delete(id);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('alert').getByText('Not found').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('a key that another tab has revoked shows it after the attempt', async () => {
    const { id } = await server.platform.apiKeys.create({ name: 'Shared', scopes: ['projects:read'] });
    const { page } = await server.open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await server.platform.apiKeys.revoke(id);
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('a project that another tab has archived refuses the change, and says why', async () => {
    const { id } = await server.platform.projects.create({ name: 'Shared' });
    const { page } = await server.open(`/projects/${id}/avatars/new`);
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByLabel('Prompt').fill('You are Ada.');
    await server.platform.projects.update(id, { status: 'archived' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('alert')
      .getByText(/archived/i)
      .first()
      .waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada');
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('a deployment that another tab has rolled back is shown as it is now', async () => {
    const { id } = await server.platform.projects.create({ name: 'Race' });
    const { avatars, deployments, environments } = server.platform.projects(id);
    await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const first = await deployments.create({ environment: 'production' });
    await deployments.create({ environment: 'production' });
    const { page } = await server.open(`/projects/${id}/deployments`);
    await page.getByRole('button', { name: 'Roll back …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Too slow');
    await deployments.rollback({ environment: 'production', reason: 'I was first' });
    await dialog.getByRole('button', { name: 'Roll back production' }).click();
    await expect.poll(async () => (await environments.get('production')).current).toBe(first.id);
    await page.getByText('I was first').first().waitFor();
  });
});
