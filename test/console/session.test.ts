/** Signing in and out of the console, and what a bad day looks like. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole, signIn } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  /** Everything that the browser keeps, and the addresses of the history. */
  const kept = (page: Page): Promise<string> =>
    page.evaluate(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
      location.href, document.documentElement.outerHTML,
    ]))()`);

  test('a key signs in; it stays in memory, and a reload asks again', async () => {
    const { page, problems } = await server.open('/');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(await kept(page)).not.toContain(server.apiKey);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(problems).toEqual([]);
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('the tab keeps the key if the user asks for it; signing out forgets it', async () => {
    const { page, problems } = await server.open('/', null);
    await page.getByLabel('API key').fill(server.apiKey);
    await page.getByLabel(/Keep the key for this tab/).check();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await kept(page)).not.toContain(server.apiKey);
    expect(problems).toEqual([]);
  });

  test('a wrong key is refused with the message of the service', async () => {
    const { page } = await server.open('/', null);
    await page.getByLabel('API key').fill('sk_live_wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { name: 'Platform console' }).count()).toBe(1);
  });

  test('live and test data look different', async () => {
    const live = await server.open('/');
    expect(await live.page.getByText('Test data').count()).toBe(0);
    const { page } = await server.open('/', server.testApiKey);
    await page.getByText('Test data').waitFor();
    expect(await page.locator('html').getAttribute('data-mode')).toBe('test');
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('a key that may only read projects sees no button and no page that would be refused', async () => {
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read'],
      expiresIn: '1d',
    });
    const project = await server.platform.projects.create({ name: 'Readable' });
    const { page, problems } = await server.open('/', secret);
    await page.getByRole('link', { name: 'Readable' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await page.goto(`${server.baseUrl}/console#/projects/${project.id}/conversations`);
    await page.getByText('lacks the scope conversations:read').waitFor();
    expect(problems).toEqual([]);
  });

  test('a revoked key ends the session with the next request, at the same address', async () => {
    const { secret, id } = await server.platform.apiKeys.create({
      name: 'short',
      scopes: ['projects:write'],
      expiresIn: '1d',
    });
    const { page } = await server.open('/', secret);
    await page.getByRole('button', { name: 'New project' }).click();
    await server.platform.apiKeys.revoke(id);
    await page.getByLabel('Name').fill('Too late');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The service no longer accepts this credential.').waitFor();
    expect(await kept(page)).not.toContain(secret);
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('a write that got no response is repeated with the same Idempotency-Key', async () => {
    const { page } = await server.open('/');
    const keys: (string | undefined)[] = [];
    let isBroken = true;
    await page.route('**/api/v1/projects', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key']);
      if (!isBroken) return route.continue();
      // The service has stored the project, and the response is lost.
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Exactly once');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('No connection').waitFor();
    isBroken = false;
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.waitForURL(/#\/projects\/proj_/);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    const created = [];
    for await (const project of server.platform.projects.list())
      if (project.name === 'Exactly once') created.push(project);
    expect(created).toHaveLength(1);
  });

  test.each([
    [429, 'rate_limited', 'Too many requests'],
    [503, 'service_unavailable', 'The service is busy'],
    [500, 'internal_error', 'The service failed'],
  ])('a %i says what happened, and offers to repeat it', { timeout: 90_000 }, async (status, code, title) => {
    const { page } = await server.open('/', null);
    let isBroken = true;
    await page.route('**/api/v1/projects?*', (route) =>
      isBroken
        ? route.fulfill({
            status,
            headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
            body: JSON.stringify({
              success: false,
              error: { code, message: 'Later, please.', requestId: 'req-7' },
            }),
          })
        : route.continue(),
    );
    await signIn(page, server.apiKey);
    await page.getByRole('alert').getByText(title).waitFor();
    isBroken = false;
    await page.getByRole('button', { name: /^Repeat/ }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Projects' }).count()).toBe(1);
  });

  test('without a network, the page says so, and stays', async () => {
    const { page } = await server.open('/');
    await page.context().setOffline(true);
    await page.goto(`${server.baseUrl}/console#/keys`);
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    expect(await page.getByLabel('API key').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('Ctrl+K goes to a project and to a page, by keyboard alone', async () => {
    const project = await server.platform.projects.create({ name: 'Zebra crossing' });
    const { page, problems } = await server.open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Go to/ }).waitFor();
    await page.keyboard.type('zebra');
    await page.getByRole('option', { name: 'Open project Zebra crossing' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/projects/${project.id}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to avat');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/projects/${project.id}/avatars`);
    expect(problems).toEqual([]);
  });

  test('hostile names are text, and do not change what is beside them', async () => {
    const name = `<img src=x onerror=alert(1)> ${String.fromCharCode(8238)}txt.exe`;
    await server.platform.projects.create({ name });
    const { page, problems } = await server.open('/');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
    expect(await findingsEverywhere(page)).toEqual([]);
  });

  test('OIDC signs in; the code and the token are in no address, and the page that was asked for is shown', async () => {
    const { page, problems } = await server.open('/keys', null);
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(page.url()).toBe(`${server.baseUrl}/console#/keys`);
    const code = addresses.map((address) => new URL(address).searchParams.get('code')).find(Boolean) ?? '-';
    expect(code).not.toBe('-');
    expect(await kept(page)).not.toContain(code);
    await page.goBack();
    expect(page.url()).not.toContain('code=');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    // Only the issuer and the service are asked.
    expect(problems.filter((problem) => !problem.startsWith('requests http://127.0.0.1'))).toEqual([]);
  });

  test('an answer that this tab did not ask for signs nobody in, and leaves the address', async () => {
    const { page } = await server.open('/', null);
    await page.goto(`${server.baseUrl}/console?code=stolen&state=other`);
    await page.getByText(/The sign-in failed/).waitFor();
    expect(page.url()).toBe(`${server.baseUrl}/console`);
    expect(await page.getByLabel('API key').count()).toBe(1);
  });
});
