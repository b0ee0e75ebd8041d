/** The main task of each page by keyboard alone: Tab moves to the control, as far as the page has it. */

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the keyboard alone'), { tags: ['nightly'] }, () => {
  let server: ConsoleServer;
  let project: string;
  beforeAll(async () => {
    server = await openConsole();
    ({ id: project } = await server.platform.projects.create({ name: 'Support' }));
    const { avatars, knowledge, deployments, jobs } = server.platform.projects(project);
    await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    await knowledge.documents.create({ title: 'Returns', content: 'Send it back within 30 days.' });
    await jobs.wait((await knowledge.reindex()).id);
    await deployments.create({ environment: 'production', reason: 'First' });
    await deployments.create({ environment: 'production', reason: 'Second' });
  });
  afterAll(() => server?.stop());

  /** More than any of these pages has. */
  const maxStops = 120;

  /** Presses Tab until the control has the focus, and shows it. */
  async function tabTo(page: Page, control: Locator): Promise<void> {
    await control.waitFor();
    for (let stop = 0; stop < maxStops; stop += 1) {
      if (await control.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${control}`);
  }
  const press = async (page: Page, control: Locator, key = 'Enter') => {
    await tabTo(page, control);
    await page.keyboard.press(key);
  };

  test('creates a project', async () => {
    const { page, problems } = await server.open('/');
    await press(page, page.getByRole('button', { name: 'New project' }));
    await tabTo(page, page.getByLabel('Name'));
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('uploads files', async () => {
    const { page, problems } = await server.open(`/projects/${project}/knowledge`);
    const chooser = page.waitForEvent('filechooser');
    await press(page, page.getByRole('button', { name: 'Choose files' }));
    await (await chooser).setFiles([
      { name: 'refunds.md', mimeType: 'text/markdown', buffer: Buffer.from('# Refunds\n\nTo the card.') },
    ]);
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Tags'));
    await page.keyboard.type('billing');
    await press(page, dialog.getByLabel(/Re-index afterwards/), 'Space');
    await press(page, dialog.getByRole('button', { name: 'Upload' }));
    await page.getByText('1 of 1 files').waitFor();
    expect(problems).toEqual([]);
  });

  test('searches the knowledge, and opens what was found', async () => {
    const { page, problems } = await server.open(`/projects/${project}/knowledge/search`);
    await tabTo(page, page.getByLabel('Question or words'));
    await page.keyboard.type('send back');
    await page.keyboard.press('Enter');
    const found = page
      .getByRole('region', { name: 'Found in Published index' })
      .getByRole('link', { name: 'Returns' });
    await press(page, found);
    await page.getByRole('heading', { level: 1, name: 'Returns' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('changes a document', async () => {
    const { documents } = server.platform.projects(project).knowledge;
    const { id } = await documents.create({ title: 'Warranty', content: 'Three years.' });
    const { page, problems } = await server.open(`/projects/${project}/knowledge/${id}`);
    await press(page, page.getByRole('button', { name: 'Edit' }));
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Tags'));
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await documents.get(id)).tags).toEqual(['orders']);
    expect(problems).toEqual([]);
  });

  test('rolls back', async () => {
    const { page, problems } = await server.open(`/projects/${project}/deployments`);
    await press(page, page.getByRole('button', { name: 'Roll back …' }));
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('Too slow');
    await press(page, dialog.getByRole('button', { name: 'Roll back production' }));
    await page.getByText('Too slow').first().waitFor();
    expect((await server.platform.projects(project).environments.get('production')).pinned).toBe(true);
    expect(problems).toEqual([]);
  });

  test('starts a rollout, and aborts it', async () => {
    const { deployments, rollouts } = server.platform.projects(project);
    await deployments.create({ environment: 'canary', reason: 'First' });
    await deployments.create({ environment: 'canary', reason: 'Next', promote: false });
    const at = `/projects/${project}/deployments/environments/canary`;
    const { page, problems } = await server.open(at);
    await press(page, page.getByRole('button', { name: 'Start a rollout …' }));
    const dialog = page.getByRole('dialog');
    await press(page, dialog.getByLabel('Candidate'), 'Tab');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, dialog.getByLabel('Percent', { exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('20');
    await press(page, dialog.getByRole('button', { name: 'Start the rollout' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await rollouts.get('canary')).toMatchObject({ status: 'running', percent: 20, steps: null });
    await press(page, page.getByRole('button', { name: 'Abort …' }));
    await press(page, dialog.getByRole('button', { name: 'Abort' }));
    await dialog.waitFor({ state: 'detached' });
    expect((await rollouts.get('canary')).status).toBe('aborted');
    expect(problems).toEqual([]);
  });

  test('revokes a key', async () => {
    const { id } = await server.platform.apiKeys.create({ name: 'Old', scopes: ['projects:read'] });
    const { page, problems } = await server.open(`/keys/${id}`);
    await press(page, page.getByRole('button', { name: 'Revoke' }));
    const dialog = page.getByRole('dialog');
    await press(page, dialog.getByRole('button', { name: /^Revoke/ }));
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await server.platform.apiKeys.get(id)).status).toBe('revoked');
    expect(problems).toEqual([]);
  });

  test('filters the events, and opens one', async () => {
    await expect
      .poll(async () => (await server.platform.events.list({ resourceId: project })).items.length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
    const { page, problems } = await server.open('/events');
    await tabTo(page, page.getByLabel('Resource'));
    await page.keyboard.type(project);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**resourceId=${project}`);
    const events = page.getByRole('list', { name: 'Events' });
    const { items } = await server.platform.events.list({ resourceId: project });
    await expect.poll(() => events.getByRole('listitem').count()).toBe(items.length);
    await press(page, events.locator('summary').first());
    await events.getByText('Event', { exact: false }).first().waitFor();
    await events.locator('pre').waitFor();
    expect(problems).toEqual([]);
  });

  test('reads the usage of some days as numbers, and compares the projects', async () => {
    const counted = async () => (await server.platform.projects.usageDays(project)).totals.documents;
    await expect.poll(counted, { timeout: 60_000 }).toBeGreaterThan(0);
    const { page, problems } = await server.open('/usage');
    await press(page, page.getByRole('button', { name: '7 days' }));
    await expect.poll(() => page.url()).toContain('days=7');
    await press(page, page.getByText('Numbers'));
    await page.getByRole('table').first().waitFor();
    await tabTo(page, page.getByLabel('Plot of'));
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).toContain('measure=messages');
    await page.getByRole('img', { name: /^Messages per project/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
