/** The audit log, events, and usage in the console. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Platform } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, goTo, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('logs'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  const hostile = '</bdi><style>*{display:none}</style>\u202Eevil';

  beforeAll(async () => {
    server = await openConsole();
    ({ id: project } = await server.platform.projects.create({ name: 'Before' }));
    await server.platform.projects.update(project, { name: hostile });
    const { auditEvents, events } = server.platform;
    await vi.waitUntil(
      async () => {
        const logged = await auditEvents.list({ action: 'projects.update', projectId: project });
        const written = await events.list({ resourceId: project });
        return logged.items.length === 1 && written.items.length === 2;
      },
      { timeout: 60_000, interval: 250 },
    );
  });
  afterAll(() => server?.stop());

  test('the audit log shows who changed what, from what to what; the keyboard alone opens it', async () => {
    const { page, problems } = await server.open('/audit');
    await page.locator('search').getByLabel('Action').fill('projects.update');
    await page.keyboard.press('Enter');
    const events = page.getByRole('list', { name: 'Audit events' });
    await events.getByText('projects.create', { exact: true }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('action=projects.update');
    await events.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    const name = events.getByRole('row', { name: 'Name' });
    await name.locator('del').first().waitFor();
    expect(await name.locator('del').allTextContents()).toEqual(['Before']);
    expect((await name.locator('ins').allTextContents()).join('')).toBe(hostile);
    expect(await page.locator('main style').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);

    await events.getByRole('button', { name: 'This resource' }).click();
    await expect.poll(() => page.url()).toContain(`resourceId=${project}`);
    const link = page.url();
    await events.getByText('Show only').waitFor({ state: 'detached' });
    await events.locator('summary').first().click();
    await events.getByRole('link', { name: '</bdi>' }).first().click();
    await page.waitForURL(`**#/projects/${project}`);
    await page.goBack();
    await events.getByText('projects.update').first().waitFor();
    expect(page.url()).toBe(link);
    expect(problems).toEqual([]);
  });

  test('the audit log offers keys by name and every action; pages of resources lead to their entries', async () => {
    const { apiKeys, auditEvents, webhooks } = server.platform;
    const { id, secret } = await apiKeys.create({
      name: 'Nightly',
      scopes: ['webhooks:write', 'events:read', 'projects:read'],
    });
    const nightly = new Platform({ baseUrl: server.baseUrl, apiKey: secret });
    const webhook = await nightly.webhooks.create({
      url: 'https://example.com',
      eventTypes: ['project.created'],
    });
    const wait = { timeout: 60_000, interval: 250 };
    await vi.waitUntil(async () => (await auditEvents.list({ actor: id })).items.length === 1, wait);

    const { page, problems } = await server.open('/audit');
    const events = page.getByRole('list', { name: 'Audit events' });
    await page.getByLabel('Actor').selectOption({ label: 'Nightly' });
    await expect.poll(() => events.getByRole('listitem').count(), wait).toBe(1);
    expect(page.url()).toContain(`actor=${id}`);
    const offered = page.locator('datalist option');
    await expect
      .poll(() => offered.evaluateAll((all) => all.map((one) => one.getAttribute('value'))), wait)
      .toContain('webhooks.create');
    const actions = await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(actions).not.toContain('webhooks.list');
    expect(await findingsEverywhere(page)).toEqual([]);

    for (const [path, resource] of [
      [`/webhooks/${webhook.id}`, webhook.id],
      [`/keys/${id}`, id],
      [`/projects/${project}`, project],
    ] as const) {
      await page.goto(`${server.baseUrl}/console#${path}`);
      await page.getByRole('link', { name: 'Who changed it' }).click();
      await page.waitForURL(`**#/audit?resourceId=${resource}`);
      await events.getByRole('listitem').first().waitFor();
    }
    await page.goto(`${server.baseUrl}/console#/keys/${id}`);
    await page.getByRole('link', { name: 'What it changed' }).click();
    await events.getByText('webhooks.create').waitFor();
    expect(await page.getByLabel('Actor').inputValue()).toBe(id);
    expect(problems).toEqual([]);
    await webhooks.delete(webhook.id);

    // Without the scope that lists keys, the actor is typed; without that of the log, no page leads to it.
    const auditor = await apiKeys.create({ name: 'auditor', scopes: ['audit:read'] });
    const { page: typed } = await server.open(`/audit?actor=${id}`, auditor.secret);
    expect(await typed.getByLabel('Actor').inputValue()).toBe(id);
    const { page: reader } = await server.open(`/projects/${project}`, secret);
    await reader.getByRole('heading', { level: 1, name: hostile.slice(0, 6) }).waitFor();
    expect(await reader.getByRole('link', { name: 'Who changed it' }).count()).toBe(0);
  });

  test('a link with filters shows the same events', async () => {
    const { page, problems } = await server.open(`/events?type=project.updated&projectId=${project}`);
    const events = page.getByRole('list', { name: 'Events' });
    await events.getByText('project.updated').waitFor();
    expect(await events.getByRole('listitem').count()).toBe(1);
    expect(await page.getByLabel('Type').inputValue()).toBe('project.updated');
    await events.locator('summary').first().click();
    await events.getByText('A project was changed or archived.').waitFor();
    expect(JSON.parse((await events.locator('pre').textContent()) ?? '')).toMatchObject({ name: hostile });
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('From').fill('2001-01-01T00:00');
    await page.getByLabel('Before').fill('2001-01-02T00:00');
    await page.keyboard.press('Tab');
    await page.getByText('No event matches the filters').waitFor();
    expect(page.url()).toMatch(/from=2001-01-01T|from=2000-12-31T/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await events.getByText('project.created').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('events offers only the types that the credential may read', async () => {
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['events:read', 'webhooks:read'],
    });
    const { page } = await server.open('/events', secret);
    await page.getByLabel('Type').waitFor();
    const types = await page.getByLabel('Type').locator('option').allTextContents();
    expect(types.map((text) => text.trim())).toContain('webhook.created');
    expect(types.join()).not.toContain('conversation');
  });

  test('usage explains the limits of the credential and of the keys above it', async () => {
    await server.platform.projects(project).knowledge.documents.create({ title: 'One', content: 'Text.' });
    await expect.poll(async () => (await server.platform.usage.get()).quotas.documents.used).toBe(1);
    const { page, problems } = await server.open('/usage');
    await page.getByRole('listitem').filter({ hasText: 'Cost of models' }).getByText('of $10.00').waitFor();
    const documents = page
      .getByRole('list', { name: 'Quotas' })
      .getByRole('listitem')
      .filter({
        has: page.getByRole('heading', { name: 'Documents' }),
      });
    expect(await documents.locator('strong').textContent()).toBe('1');
    await page.getByRole('img', { name: /^Documents per day: 1 in 30 days/ }).waitFor();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('img', { name: /^Documents per day: 1 in 7 days/ }).waitFor();
    expect(page.url()).toContain('days=7');
    await page.getByText('Numbers').click();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole('row', { name: `${today} 0 0 1 5 0 $0.00` }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);

    // The plot by project, and its table.
    const other = await server.platform.projects.create({ name: 'Second' });
    const second = server.platform.projects(other.id);
    for (const title of ['One', 'Two']) await second.knowledge.documents.create({ title, content: 'Text.' });
    await expect.poll(async () => (await server.platform.projects.usage(other.id)).documents).toBe(2);
    await goTo(page, '/events');
    await goTo(page, '/usage?days=7');
    await page.getByLabel('Plot of').selectOption('Documents');
    await expect.poll(() => page.url()).toContain('measure=documents');
    await page.getByRole('img', { name: /^Documents per project: 3 in 7 days/ }).waitFor();
    const table = page.getByRole('region', { name: 'Used per project, as numbers' });
    const rows = table.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await expect.poll(async () => (await rows.allTextContents())[0]).toMatch(/^Second002/);
    expect(await findingsEverywhere(page)).toEqual([]);
    await table.getByRole('link', { name: 'Second' }).click();
    await page.waitForURL(`**#/projects/${other.id}/usage`);
    await page.getByRole('img', { name: /^Documents per day: 2 in 30 days/ }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);

    const { secret } = await server.platform.apiKeys.create({
      name: 'limited',
      scopes: ['projects:read'],
      projectIds: [project],
      rateLimit: { requests: 1200, per: '1m' },
    });
    const limited = await server.open('/usage', secret);
    await limited.page.getByRole('cell', { name: '1,200 requests per minute' }).waitFor();
    await limited.page.getByText('it sees the quotas but not the usage').waitFor();
    expect(await limited.page.getByText('Used per day').count()).toBe(0);
    // It may read its own project.
    await goTo(limited.page, `/projects/${project}/usage`);
    await limited.page.getByRole('img', { name: /^Documents per day: 1 in 30 days/ }).waitFor();
    await limited.page.getByText('Numbers').click();
    await limited.page.getByRole('row', { name: `${today} 0 0 1 5 0 $0.00` }).waitFor();
    expect(limited.problems).toEqual([]);
  });
});
