/** Every dialog: what axe finds in both themes and at 390 px, and that the keyboard opens and closes it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a dialog'), { tags: ['long'] }, () => {
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
    ['/keys/:key', 'Change'],
    ['/keys/:key', 'Rotate'],
    ['/keys/:key', 'Revoke'],
    ['/webhooks', 'New webhook'],
    ['/webhooks/:webhook', 'Change'],
    ['/webhooks/:webhook', 'Rotate'],
    ['/webhooks/:webhook', 'Delete'],
    ['/webhooks/:webhook', 'Recover'],
  ])('%s: %s', async (pattern, button) => {
    const { page, problems } = await server.open(pattern.replace(/:(\w+)/g, (_, name) => ids[name] ?? ''));
    await page.locator('main').getByRole('button', { name: button }).first().press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.locator('dialog[open] .loading').first().waitFor({ state: 'detached' });
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});
