/** Every dialog: what axe finds in both themes and at 390 px, and that the keyboard opens and closes it. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a dialog'), { tags: ['nightly'] }, () => {
  let server: ConsoleServer;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    server = await openConsole();
    const { platform } = server;
    const { id: project } = await platform.projects.create({ name: 'Support' });
    const { avatars, knowledge, conversations, deployments } = platform.projects(project);
    const { id: avatar } = await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const { id: document } = await knowledge.documents.create({ title: 'Returns', content: 'Text' });
    await deployments.create({ environment: 'production' });
    await avatars.update(avatar, { name: 'Eve' });
    await deployments.create({ environment: 'production' });
    const { id: deployment } = await deployments.create({ environment: 'production', promote: false });
    const { id: conversation } = await conversations.create({ avatarId: avatar, externalUserId: 'u' });
    const scopes = ['projects:read' as const];
    const { id: key } = await platform.apiKeys.create({ name: 'reader', scopes, expiresIn: '1d' });
    const { id: webhook } = await platform.webhooks.create({
      url: 'https://hooks.example.com/',
      eventTypes: ['job.failed'],
    });
    Object.assign(ids, { project, avatar, document, deployment, conversation, key, webhook });
  });
  afterAll(() => server?.stop());

  test.each([
    ['/', 'New project'],
    ['/projects/:project/avatars/:avatar', 'Delete …'],
    ['/projects/:project/conversations', 'Export'],
    ['/projects/:project/conversations', 'Erase a user'],
    ['/projects/:project/conversations/:conversation', 'Erase'],
    ['/projects/:project/knowledge/:document', 'Edit'],
    ['/projects/:project/knowledge/:document', 'Delete'],
    ['/projects/:project/deployments', 'New deployment'],
    ['/projects/:project/deployments', 'Roll back …'],
    ['/projects/:project/deployments/:deployment', 'Promote …'],
    ['/keys', 'New key'],
    ['/keys', 'New identity'],
    ['/keys/:key', 'Change'],
    ['/keys/:key', 'Rotate'],
    ['/keys/:key', 'Revoke'],
    ['/webhooks', 'New webhook'],
    ['/webhooks/:webhook', 'Change'],
    ['/webhooks/:webhook', 'Rotate'],
    ['/webhooks/:webhook', 'Delete'],
    ['/webhooks/:webhook', 'Recover'],
  ])('%s: %s', async (pattern, button) => {
    const { page, problems } = await server.open(addressOf(pattern));
    await page.locator('main').getByRole('button', { name: button }).first().press('Enter');
    await looksGoodAndCloses(page);
    expect(problems).toEqual([]);
  });

  test('the palette', async () => {
    const { page, problems } = await server.open(addressOf('/projects/:project'));
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    await page.keyboard.press('Control+k');
    await looksGoodAndCloses(page);
    expect(problems).toEqual([]);
  });

  test('before an upload', async () => {
    const { page, problems } = await server.open(addressOf('/projects/:project/knowledge'));
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await page.locator('input[type=file][aria-label="Choose files"]').setInputFiles([
      { name: 'returns.md', mimeType: 'text/markdown', buffer: Buffer.from('# Returns') },
      { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('png') },
    ]);
    await page.getByText('1 file is left out').click();
    await looksGoodAndCloses(page);
    expect(problems).toEqual([]);
  });

  test('a job: Cancel the job', async () => {
    const { id } = await server.platform.projects(ids.project ?? '').knowledge.reindex();
    const { page, problems } = await server.open('/');
    // The job ends within a second. For the page, it goes on.
    await page.route(`**/jobs/${id}*`, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      const open = { status: 'running', finishedAt: null, error: null, result: null };
      await route.fulfill({ response, json: { success: true, data: { ...data, ...open } } });
    });
    await page.goto(`${server.baseUrl}/console#${addressOf(`/projects/:project/jobs/${id}`)}`);
    await page.getByRole('button', { name: 'Cancel the job' }).press('Enter');
    await looksGoodAndCloses(page);
    // A request may still be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(problems).toEqual([]);
  });

  const addressOf = (pattern: string) => pattern.replace(/:(\w+)/g, (_, name) => ids[name] ?? '');

  /** Both themes and a narrow screen, then Escape. */
  async function looksGoodAndCloses(page: Page): Promise<void> {
    // axe does not ask for the name of a native dialog.
    await page.getByRole('dialog', { name: /\S/ }).waitFor();
    await page.locator('dialog[open] .loading').first().waitFor({ state: 'detached' });
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
});
