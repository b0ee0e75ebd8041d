/** Workload identities in the console. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';
import { jwkOf, newSigner } from '../support/workloads.ts';

describe.skipIf(!hasBrowser)(inBrowser('workload identities'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const subject = 'repo:acme@2002/shop@1001:environment:production';
  const statusOf = async (audience: string) => {
    const headers = { Authorization: `Bearer ${await server.ciToken(audience)}` };
    return (await fetch(`${server.baseUrl}/me`, { headers })).status;
  };

  test('one is created, suspended, made active and deleted', async () => {
    const name = '<img src=x onerror=alert(1)> shop';
    const { page, problems } = await server.open('/keys');
    await page.getByRole('button', { name: 'New identity' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Issuer').fill(server.issuer);
    await dialog.getByLabel('Subject').fill(subject);
    await dialog.getByLabel('Claims').fill('repository_id');
    await dialog.getByText('“repository_id” is not name=value.').waitFor();
    await dialog.getByRole('radiogroup', { name: 'Projects' }).getByLabel('Read').check();
    expect(await dialog.getByRole('button', { name: 'Create' }).isEnabled()).toBe(false);
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('Claims').fill('repository_id=1001');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'The identity is created' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    const audience = (await dialog.locator('pre').textContent()) ?? '';
    expect(audience).toMatch(/^urn:platform:org_\w+:live:wid_\w+$/);
    expect(await statusOf(audience)).toBe(200);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const row = page.locator('.identity').filter({ hasText: name });
    await row.getByText(subject).first().waitFor();
    await row.getByText(`Details of ${name}`).click();
    await row.getByText(audience).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);

    await row.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await row.getByText('suspended', { exact: true }).waitFor();
    expect(await statusOf(audience)).toBe(401);
    await row.getByRole('button', { name: 'Make active' }).click();
    await row.getByText('active', { exact: true }).waitFor();
    expect(await statusOf(audience)).toBe(200);

    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Nothing else ends').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.getByText('deleted', { exact: true }).waitFor();
    expect(await statusOf(audience)).toBe(401);
    expect(await row.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a refused issuer is told in the form, and a repeated attempt creates one identity', async () => {
    const { page, problems } = await server.open('/keys');
    await page.getByRole('button', { name: 'New identity' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('corrected');
    await dialog.getByLabel('Issuer').fill(`${server.issuer}/nowhere`);
    await dialog.getByLabel('Subject').fill(subject);
    await dialog.getByRole('button', { name: 'Read everything' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('issuer').first().waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('Issuer').fill(server.issuer);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'The identity is created' }).waitFor();
    const { items } = await server.platform.workloadIdentities.list();
    expect(items.filter(({ name }) => name === 'corrected')).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('the form has addresses, a limit and public keys, and says what is wrong at each field', async () => {
    const { page, problems } = await server.open('/keys');
    await page.getByRole('button', { name: 'New identity' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('cluster');
    await dialog.getByLabel('Issuer', { exact: true }).fill('https://cluster.acme.example');
    await dialog.getByLabel('Subject').fill('system:serviceaccount:default:deploy');
    await dialog.getByRole('button', { name: 'Read everything' }).click();
    await dialog.getByText('Addresses and limit of requests').click();
    const addresses = dialog.getByLabel('Allowed addresses');
    await addresses.fill('10.0.0.0/99');
    await dialog.getByLabel('Requests', { exact: true }).fill('100');
    await dialog.getByText('Public keys of the issuer').click();
    const keys = dialog.getByLabel('Keys (JWKS)');
    await keys.fill('{');
    await dialog.getByText('is no JSON').waitFor();
    const create = dialog.getByRole('button', { name: 'Create' });
    expect(await create.isEnabled()).toBe(false);
    await keys.fill('{"keys":[{"kty":"RSA"}]}');
    await create.click();
    for (const control of [addresses, keys])
      await expect.poll(() => control.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('Subject').getAttribute('aria-invalid')).toBe('false');
    const field = dialog.locator('.field', { has: page.getByLabel('Allowed addresses') });
    await field.getByText('must be a block of addresses').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await addresses.fill('10.0.0.0/8\n::1/128');
    await keys.fill(JSON.stringify({ keys: [jwkOf(newSigner('RS256', 'first'))] }));
    await create.click();
    await page.getByRole('heading', { name: 'The identity is created' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const stored = async () =>
      (await server.platform.workloadIdentities.list()).items.find(({ name }) => name === 'cluster');
    expect(await stored()).toMatchObject({
      allowedCidrs: ['10.0.0.0/8', '::1/128'],
      rateLimit: { requests: 100, per: '1m' },
      jwks: { keys: [{ kid: 'first' }] },
    });

    const row = page.locator('.identity').filter({ hasText: 'cluster' });
    await row.getByText('Details of cluster').click();
    await row.getByText('100 requests per minute').waitFor();
    await row.getByText('10.0.0.0/8, ::1/128').waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    expect(await keys.inputValue()).toContain('"kid": "first"');
    await dialog.getByLabel('Period').selectOption('1h');
    await addresses.fill('');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('100 requests per hour').waitFor();
    expect(await stored()).toMatchObject({
      issuer: 'https://cluster.acme.example',
      allowedCidrs: null,
      rateLimit: { requests: 100, per: '1h' },
      jwks: { keys: [{ kid: 'first' }] },
    });
    expect(problems).toEqual([]);
  });

  test('a credential that may only read sees no button that would be refused', async () => {
    await server.platform.workloadIdentities.create({
      name: 'target',
      issuer: server.issuer,
      subject,
      claims: {},
      scopes: ['projects:read'],
    });
    const reader = await server.platform.apiKeys.create({ name: 'reader', scopes: ['api-keys:read'] });
    const { page } = await server.open('/keys', reader.secret);
    await page.getByText('Details of target').click();
    await page.getByRole('button', { name: 'Copy the audience' }).waitFor();
    for (const name of ['New identity', 'Suspend', 'Delete'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });
});
