/** The overview of a project in a browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

const dayMs = 86_400_000;

describe.skipIf(!hasBrowser)(inBrowser('the overview'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const newProject = async (name: string) => {
    const { id } = await server.platform.projects.create({ name });
    return { id, project: server.platform.projects(id) };
  };

  test('a new project shows the steps to do first, and each step goes away when it is done', async () => {
    const { id, project } = await newProject('New');
    const { page, problems } = await server.open(`/projects/${id}`);
    const steps = page.locator('.first-steps');
    await steps.getByText('Next: create an avatar').waitFor();
    expect(await steps.locator('code').innerText()).toContain(`platform avatars create --project ${id}`);
    expect(await findingsEverywhere(page)).toEqual([]);
    await steps.getByRole('link', { name: 'Create an avatar' }).click();
    await page.getByRole('heading', { name: 'New avatar' }).waitFor();

    await project.avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    await page.goBack();
    await steps.getByText('Next: add knowledge, and index it').waitFor();
    expect(await steps.locator('li.done').allInnerTexts()).toEqual(['Create an avatar – done']);
    expect(problems).toEqual([]);
  });

  test('conversations and messages per day are in the plots, and in the table behind them', async () => {
    const { id, project } = await newProject('Busy');
    const avatar = await project.avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const noon = Math.floor(Date.now() / dayMs) * dayMs - 2 * dayMs + dayMs / 2;
    const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();
    await project.conversations.import({
      conversations: [1, 2, 3].map((number) => ({
        avatarId: avatar.id,
        externalId: `c-${number}`,
        startedAt: at(0),
        endedAt: at(10),
        messages: [
          { clientMessageId: 'a', role: 'user', text: 'Hello', at: at(1) },
          { clientMessageId: 'b', role: 'avatar', text: 'Hello!', at: at(2) },
        ],
      })),
    });
    await expect
      .poll(async () => (await project.conversations.stats()).totals)
      .toMatchObject({ conversations: 3, messages: 6 });

    const { page, problems } = await server.open(`/projects/${id}?days=7`);
    await page.getByRole('img', { name: /^Conversations per day: 3 in 7 days/ }).waitFor();
    await page.getByRole('img', { name: /^Messages per day: 6 in 7 days/ }).waitFor();
    await page.locator('.plot canvas').nth(1).waitFor();
    await page.getByText('Numbers', { exact: false }).first().click();
    const day = at(0).slice(0, 10);
    const row = page.getByRole('row').filter({ hasText: day });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['3', '6', '2 min']);
    expect(await page.locator('tbody tr').count()).toBe(7);
    expect(await findingsEverywhere(page)).toEqual([]);
    // The rows of the day are in the list.
    await row.getByRole('link', { name: day }).click();
    await expect.poll(() => page.url()).toContain(`startedFrom=${encodeURIComponent(`${day}T00:00:00Z`)}`);
    expect(problems).toEqual([]);
  });

  test('it shows what needs attention, with links to the rows; hostile text is text', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e';
    const { id, project } = await newProject(hostile);
    await project.knowledge.documents.create({ title: `${hostile} document`, content: 'Text' });
    await project.deployments.create({ environment: 'production', git: { sha: '4b825dc6', ref: 'main' } });
    await project.deployments.create({ environment: 'production', reason: 'Second' });
    await project.deployments.rollback({ environment: 'production', reason: `${hostile} reason` });
    await server.platform.apiKeys.create({ name: 'soon', scopes: ['projects:read'], expiresIn: '24h' });

    const { page, problems } = await server.open(`/projects/${id}`);
    const card = (title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
    await card('Environments').getByText('pinned').waitFor();
    expect(await card('Environments').innerText()).toContain('<img src=x');
    expect(await card('Environments').getByRole('link', { name: '4b825dc main' }).count()).toBe(1);
    await card('Knowledge not indexed')
      .getByRole('link', { name: `${hostile} document` })
      .waitFor();
    expect(
      await card('Knowledge not indexed').getByRole('link', { name: '1 pending' }).getAttribute('href'),
    ).toBe(`#/projects/${id}/knowledge?status=pending`);
    await card('Keys that expire soon').getByRole('link', { name: 'soon', exact: true }).waitFor();
    await card('Failed jobs').getByText('No job has failed').waitFor();
    await card('Usage of the organisation').getByText('Conversations', { exact: true }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a credential sees only the parts that it may read', async () => {
    const { id } = await newProject('Small');
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read', 'deploy:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open(`/projects/${id}`, secret);
    await page.getByRole('heading', { name: 'Environments' }).waitFor();
    await page.getByRole('heading', { name: /^Usage/ }).waitFor();
    await expect
      .poll(() => page.locator('.card > h2').allInnerTexts())
      .toEqual(['First steps', 'Environments', 'Usage of the organisation today']);
    expect(problems).toEqual([]);
  });

  test('a part that fails says so by itself, and is repeated by itself', async () => {
    const { id } = await newProject('Broken');
    const { page } = await server.open('/');
    const isEnvironments = (url: URL) => url.pathname.endsWith('/environments');
    await page.route(isEnvironments, (route) =>
      route.fulfill({
        status: 403,
        json: {
          success: false,
          error: { code: 'forbidden', message: 'Not today.', requestId: 'r', details: [] },
        },
      }),
    );
    await page.goto(`${server.baseUrl}/console#/projects/${id}`);
    await page.getByText('Not today.').waitFor();
    await page.getByText('No job has failed').waitFor();
    await page.unroute(isEnvironments);
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByText('The first deployment creates one.').waitFor();
    expect(await page.getByText('Not today.').count()).toBe(0);
  });
});
