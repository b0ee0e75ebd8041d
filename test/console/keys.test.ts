/** API keys in the console. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Platform } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('API keys'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const hostile = '<img src=x onerror=alert(1)>\u202E gnp.ssalg';

  test('the keyboard alone creates a key; closing asks while its secret is not copied', async () => {
    const { page, problems } = await server.open('/keys');
    const { keyboard } = page;
    await page.getByRole('button', { name: 'New key' }).focus();
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('Name').focus();
    await keyboard.type(hostile);
    // The resources are first: an arrow chooses the next level.
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The key is created' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    const secret = (await dialog.locator('pre').textContent()) ?? '';
    const { items } = await new Platform({ baseUrl: server.baseUrl, apiKey: server.apiKey }).apiKeys.list();
    const created = items.find(({ name }) => name === hostile);
    expect(created?.scopes).toEqual(['projects:read', 'avatars:write']);
    expect((await new Platform({ baseUrl: server.baseUrl, apiKey: secret }).me.get()).id).toBe(created?.id);

    await keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Close without copying the secret?' }).waitFor();
    await keyboard.press('Escape');
    expect(await dialog.locator('pre').textContent()).toBe(secret);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy the secret' }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: '<img src=x' }).waitFor();
    expect(page.url()).toContain(`#/keys/${created?.id}`);
    expect(await page.content()).not.toContain(secret);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('the form offers only what the credential may grant', async () => {
    const project = await server.platform.projects.create({ name: 'Bound' });
    const { secret } = await server.platform.apiKeys.create({
      name: 'delegate',
      scopes: ['api-keys:write', 'knowledge:read', 'projects:read'],
      expiresIn: '10d',
      projectIds: [project.id],
      rateLimit: { requests: 1000, per: '1m' },
    });
    const { page, problems } = await server.open('/keys', secret);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    const levels = (title: string) => dialog.getByRole('radiogroup', { name: title });
    await levels('Knowledge').waitFor();
    expect(await levels('Knowledge').getByLabel('Read').isEnabled()).toBe(true);
    expect(await levels('Knowledge').getByLabel('Write').isEnabled()).toBe(false);
    expect(await levels('Conversations').getByLabel('Read').isEnabled()).toBe(false);
    const lifetimes = await dialog.getByLabel('Expires').locator('option').allTextContents();
    expect(lifetimes).toContain('in a week');
    expect(lifetimes).not.toContain('in 30 days');
    await dialog.getByText('Addresses and limit of requests').click();
    await dialog.getByText('At most yours: 1000 per minute').waitFor();

    await dialog.getByLabel('Name').fill('child');
    await dialog.getByRole('button', { name: 'Read everything' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'The key is created' }).waitFor();
    const delegate = new Platform({ baseUrl: server.baseUrl, apiKey: secret });
    const child = (await delegate.apiKeys.list()).items.find(({ name }) => name === 'child');
    expect(child?.scopes.toSorted()).toEqual(['api-keys:read', 'knowledge:read', 'projects:read']);
    expect(child?.projectIds).toEqual([project.id]);
    expect(problems).toEqual([]);
  });

  test('a credential that may only read sees no button that would be refused', async () => {
    const key = await server.platform.apiKeys.create({ name: 'target', scopes: ['projects:read'] });
    const { secret } = await server.platform.apiKeys.create({ name: 'reader', scopes: ['api-keys:read'] });
    const { page } = await server.open(`/keys/${key.id}`, secret);
    await page.getByRole('heading', { name: 'target' }).waitFor();
    for (const name of ['Change', 'Rotate', 'Revoke'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.goto(`${server.baseUrl}/console#/keys`);
    await page.getByRole('link', { name: 'target' }).waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  });

  test('a rotation counts down; a second one explains the older secret, and ends it if asked', async () => {
    const key = await server.platform.apiKeys.create({ name: 'rotated', scopes: ['projects:read'] });
    const { page, problems } = await server.open(`/keys/${key.id}`);
    const dialog = page.getByRole('dialog');
    const rotate = async () => {
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await dialog.getByText('The key rotated gets a new secret.').waitFor();
      await dialog.getByLabel('The old secret stays valid').selectOption('for an hour');
      await dialog.getByRole('button', { name: 'Rotate' }).click();
    };
    const secretShown = async () => {
      await page.getByRole('heading', { name: 'The new secret' }).waitFor();
      const secret = (await dialog.locator('pre').textContent()) ?? '';
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.getByRole('button', { name: 'Close anyway' }).click();
      await dialog.waitFor({ state: 'detached' });
      return secret;
    };
    await rotate();
    const second = await secretShown();
    const countdown = page.locator('.notice .countdown');
    const before = await countdown.textContent();
    expect(before).toMatch(/^59 min \d+ s$|^1 h 0 min 0 s$/);
    await expect.poll(() => countdown.textContent()).not.toBe(before);

    await rotate();
    await page.getByRole('heading', { name: 'An older secret is still valid' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'End the older secret and rotate' }).click();
    const third = await secretShown();
    const statusOf = async (apiKey: string) =>
      (await fetch(`${server.baseUrl}/me`, { headers: { Authorization: `Bearer ${apiKey}` } })).status;
    expect([await statusOf(key.secret), await statusOf(second), await statusOf(third)]).toEqual([
      401, 200, 200,
    ]);
    expect(problems).toEqual([]);
  });

  test('the tree loads level by level; revoking says what it ends, and ends it', async () => {
    const top = await server.platform.apiKeys.create({
      name: 'top',
      scopes: ['api-keys:write', 'webhooks:write', 'projects:read'],
    });
    const asTop = new Platform({ baseUrl: server.baseUrl, apiKey: top.secret });
    const middle = await asTop.apiKeys.create({
      name: 'middle',
      scopes: ['api-keys:write', 'projects:read'],
    });
    const asMiddle = new Platform({ baseUrl: server.baseUrl, apiKey: middle.secret });
    const bottom = await asMiddle.apiKeys.create({ name: 'bottom', scopes: ['projects:read'] });
    const hook = await asTop.webhooks.create({ url: 'http://localhost:1/x', eventTypes: ['project.*'] });

    const { page, problems } = await server.open(`/keys/${top.id}`);
    await page.getByRole('link', { name: 'middle' }).waitFor();
    expect(await page.getByRole('link', { name: 'bottom' }).count()).toBe(0);
    await page.getByText('Keys that middle created').click();
    await page.getByRole('link', { name: 'bottom' }).waitFor();

    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('2 active keys and 1 enabled webhook').check();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The keys below were revoked').waitFor();
    expect((await server.platform.apiKeys.get(bottom.id)).status).toBe('revoked');
    expect((await server.platform.webhooks.get(hook.id)).disabledReason).toBe('key_revoked');
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('filters are in the address, so a link shows the same keys', async () => {
    const gone = await server.platform.apiKeys.create({ name: 'gone', scopes: ['projects:read'] });
    await server.platform.apiKeys.revoke(gone.id);
    const { page, problems } = await server.open('/keys');
    await page.getByRole('link', { name: 'root' }).first().waitFor();
    await page.getByLabel('Status').selectOption('revoked');
    await page.getByRole('link', { name: 'root' }).first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'gone' }).waitFor();
    expect(await page.getByRole('link', { name: 'root' }).count()).toBe(0);
    const link = page.url();
    expect(link).toContain('status=revoked');
    await page.getByRole('link', { name: 'gone' }).click();
    await page.getByRole('heading', { name: 'gone' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'gone' }).waitFor();
    expect(page.url()).toBe(link);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
